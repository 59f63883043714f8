package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/runtime/ckp/inspect"
)

// imageFormat is the version of the image format that programs write.
func imageFormat() int { return heap.Version }

func inspectCommand() *cobra.Command {
	var asJSON bool
	var opt inspect.Options
	var seq int
	cmd := &cobra.Command{
		Use:   "inspect DIR|FILE",
		Short: "Show what is in a checkpoint",
		Long: `Inspect shows the stack of each process with the user's file and line and the values of the
variables (in parentheses those that are not in the source: operands, what a range statement walks). A variable that the
function does not read any more is not saved, and shown with its zero value. Then follow what the heap consists of by type and by
variable, the sizes, what has changed since the checkpoint before, and the history of the job. DIR is the directory
of a job, of which the newest intact checkpoint is shown, or that of one checkpoint in it; FILE is one
image. Neither the program nor its source is needed, and nothing is changed.

In the history a checkpoint is committed; unended if it is being written or its writer has died; void if a later start has begun
without it (from the beginning, or from an older one); passed over if a process could not go on from it; or damaged. Only committed ones are gone on from. Of the images those of the
checkpoint that is shown, of the newer ones and of the one before are verified.

The size of a variable is that of all objects that can be reached from it, each counted as it is allocated; 'alone' is what no other variable
reaches, and what several reach is listed under 'shared'. Changed are values that differ from those that the checkpoint before had at the end of
the same way: from the same variable by the same fields, indexes and keys. A number counts with its bytes, a
reference with its own if it leads elsewhere. New are objects to which nothing corresponded, gone those to which nothing does any more.

The exit status is 4 if there is a checkpoint and nothing of it is intact.`,
		Example: `  ckpgen inspect /var/ckp/sim
  ckpgen inspect --json /var/ckp/sim | jq '.processes[].stack'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("inspect needs a directory or file; see 'ckpgen inspect --help'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Seq = uint64(seq)
			report, err := inspect.Open(args[0], opt)
			var damaged *inspect.DamagedError
			if errors.As(err, &damaged) {
				fmt.Fprintf(cmd.ErrOrStderr(), "ckpgen: %v\n", err)
				return &statusError{control.ExitNoIntact}
			}
			if err != nil {
				return err
			}
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				err = enc.Encode(report)
			} else {
				err = report.WriteText(cmd.OutOrStdout())
			}
			if err == nil && report.NoneIntact() {
				err = &statusError{control.ExitNoIntact}
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "write JSON")
	flags.Var(&number{to: &seq, least: 1}, "seq", "show checkpoint number `N` of the job instead of the newest intact one")
	flags.Var(&number{to: &opt.Depth, least: 1}, "depth", "show values up to `N` levels deep (default 3)")
	flags.Var(&number{to: &opt.Elements, least: 1}, "elements", "show up to `N` elements of slices, arrays and maps (default 8)")
	flags.Var(&number{to: &opt.Types, least: 1, all: true}, "types", "show the `N` types and variables with most bytes, -1 for all (default 20)")
	return cmd
}
