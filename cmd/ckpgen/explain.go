package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ckpgen/ckpgen/instrument"
	"github.com/ckpgen/ckpgen/instrument/build"
	"github.com/ckpgen/ckpgen/instrument/closure"
)

func explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain FUNC [-auto[=all|packages|@file]] [go build flags] [packages]",
		Short: "Say why a function is, or is not, in the closure",
		Long: `Explain says whether a function is in the closure, which is what gets rewritten: the functions
from which a checkpoint call can be reached. If it is, a shortest call path to a checkpoint call is shown, with
positions. The packages are those of the program, by default the one in the current directory.

With -auto a poll is as good as a checkpoint call: the flag is that of 'ckpgen build'.

FUNC is main.f or f, (*T).M or T.M, pkg.F, pkg.T.M, import/path.F, or main.f.func1 for the first
function literal in main.f.`,
		Example: `  ckpgen explain main.solve ./cmd/sim
  ckpgen explain '(*grid).step'
  ckpgen explain solve -auto ./cmd/sim`,
		DisableFlagParsing: true,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completePackages(cmd, args, toComplete)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("explain needs the name of a function; see 'ckpgen explain --help'")
			}
			if args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
				return cmd.Help()
			}
			if args[0] == "" || args[0][0] == '-' {
				return usagef("the name of the function comes first; see 'ckpgen explain --help'")
			}
			return lookAt(cmd, args[1:], func(c *build.CommandLine) error { return explain(cmd, args[0], c) })
		},
	}
}

// explain says why a function of a program is in its closure, or is not.
func explain(cmd *cobra.Command, function string, c *build.CommandLine) error {
	dir := workingDir()
	a, err := analyse(cmd.Context(), c)
	if err != nil {
		return err
	}
	// What can't be rewritten in other modules is not in the closure.
	var refused *instrument.Refused
	if _, err := a.Rewrite(); err != nil && !errors.As(err, &refused) {
		return err
	}
	text, err := a.Closure.Explain(function, dir)
	var unknown *closure.UnknownError
	if errors.As(err, &unknown) {
		return usagef("%w", err)
	} else if err != nil {
		return err
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), text)
	return err
}
