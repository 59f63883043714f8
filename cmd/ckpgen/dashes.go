package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// withDashes gives the flags of a command that are given with one dash, as the go command has them,
// two: -auto=all. What comes after the program of run is not looked at.
func withDashes(cmd *cobra.Command, args []string) []string {
	args = slices.Clone(args)
	cmd.InitDefaultHelpFlag()
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		if len(args[i]) < 2 || args[i][0] != '-' {
			if cmd.Name() == "run" {
				break
			}
			continue
		}
		name, _, given := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		f := cmd.Flags().Lookup(name)
		if f == nil {
			continue
		}
		if len(name) > 1 {
			args[i] = "--" + strings.TrimLeft(args[i], "-")
		}
		if f.NoOptDefVal == "" && !given {
			i++ // its value
		}
	}
	return args
}
