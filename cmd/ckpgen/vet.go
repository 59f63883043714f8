package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ckpgen/ckpgen/instrument/build"
)

func vetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "vet [-auto[=all|packages|@file]] [go build flags] [packages]",
		Short: "Report what cannot be checkpointed, and where",
		Long: `Vet reports, in the form file:line:column: reason,

  - what can't be rewritten, and directives (//ckp:...) that can't be followed: 'ckpgen build' refuses such a program;
  - ways to a checkpoint on which it is refused at run time: a function of a package that is not
    rewritten calls back into the program (fmt.Println, say) or starts a goroutine in it, a
    goroutine marked //ckp:external. The shortest call path from main is shown;
  - checkpoint calls that package initialisation makes, before main, where none is taken.

With -auto it is the program that 'ckpgen build' makes with the same flag. If the program reaches no
checkpoint call at all, vet says so.

Calls made by reflection are not seen. The exit status is 1 if anything was reported.

The same is an analyzer for 'go vet' (package instrument/vet), which looks at each package by itself
with what it imports:

    go vet -vettool=$(which ckpgen) ./...`,
		Example: `  ckpgen vet ./...
  ckpgen vet -auto=all ./cmd/sim`,
		DisableFlagParsing: true,
		ValidArgsFunction:  completePackages,
		RunE: func(cmd *cobra.Command, args []string) error {
			return lookAt(cmd, args, func(c *build.CommandLine) error { return report(cmd, c) })
		},
	}
}

// report tells what of a program can't be checkpointed.
func report(cmd *cobra.Command, c *build.CommandLine) error {
	dir := workingDir()
	a, err := analyse(cmd.Context(), c)
	if err != nil {
		return err
	}
	findings, err := a.Findings()
	if err != nil {
		return err
	}
	for _, f := range findings {
		fmt.Fprintln(cmd.ErrOrStderr(), f.Text(dir))
	}
	if len(findings) == 0 {
		if a.Closure.Empty() {
			fmt.Fprintf(cmd.ErrOrStderr(), "ckpgen: %s\n", emptiness(c, "there is nothing to report", a.Program.LeftOut()))
		}
		return nil
	}
	return &statusError{status: exitFailure}
}
