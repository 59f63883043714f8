package main

import (
	"github.com/spf13/cobra"

	"github.com/ckpgen/ckpgen/heap"
)

// imageFormat is the version of the image format that programs write.
func imageFormat() int { return heap.Version }

func inspectCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect DIR|FILE",
		Short: "Show what is in a checkpoint",
		Long: `Inspect shows the stack of each process with the user's file and line and the values of the
variables, what the heap consists of by type, the sizes, and the history of the job. DIR is the directory of a
job, of which the newest intact checkpoint is shown; FILE is one image. The program itself is not needed.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("inspect needs a directory or file; see 'ckpgen inspect --help'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine-readable output")
	return cmd
}
