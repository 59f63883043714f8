package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ckpgen/ckpgen/instrument/build"
	"github.com/ckpgen/ckpgen/instrument/gen"
)

// defaultOutput is the folder that gen writes to.
const defaultOutput = "instrumented"

func genCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "gen [-auto] [-o dir] [go build flags] [packages]",
		Short: "Write the instrumented source",
		Long: `Gen writes the packages that 'ckpgen build' would build differently as ordinary source below a
folder of the module, by default ./instrumented in the current directory, so that 'go build ./instrumented/...' builds
the program with checkpoints. What is rewritten, and every package that imports it, is
copied; imports between the copies name the copies. Embedded files are copied too. Files that are
no longer needed are removed, and files that were not written by ckpgen are never touched. If there is nothing to
rewrite, nothing is written.

Only files that take part in the build on this platform are written; generate on the platform
that you build for, or set GOOS and GOARCH. Import paths of copied packages differ from the originals', which a
program can see by reflection.

In a module with 'go get -tool github.com/ckpgen/ckpgen/cmd/ckpgen', the line

    //go:generate go tool ckpgen gen

keeps the folder up to date; go generate calls it in the directory of the file with the line, so
the folder is there. With a clone in a replace directive, the tool is added by
'go mod edit -tool=github.com/ckpgen/ckpgen/cmd/ckpgen && go mod tidy'.

Packages of other modules and of the standard library stay as they are, also those that call functions of yours
back: a checkpoint in such a call is refused, and gen lists such places. 'ckpgen build' rewrites these packages, too.
A module that a replace directive names by directory is yours, but can't be copied, nor can a package with C: gen refuses a program with a checkpoint in one. With -auto, polls are written, too.
The module must require github.com/ckpgen/ckpgen.

The copies are for 'go build'; 'ckpgen build' would instrument them once more, and 'go vet' is for the originals.`,
		Example: `  ckpgen gen ./cmd/sim
  go build -o sim ./instrumented/cmd/sim`,
		DisableFlagParsing: true,
		ValidArgsFunction:  completePackages,
		RunE: func(cmd *cobra.Command, args []string) error {
			return lookAt(cmd, args, func(c *build.CommandLine) error { return generate(cmd, c) })
		},
	}
}

// generate writes the instrumented source of a program.
func generate(cmd *cobra.Command, c *build.CommandLine) error {
	if c.Chosen != "" {
		return usagef("gen has polls in all packages of your module, with -auto; 'ckpgen build -auto=@%s' has them where that file says", c.Chosen)
	}
	if c.Polled != nil {
		return usagef("gen has polls in all packages of your module, with -auto; 'ckpgen build -auto=%s' has them in some", strings.Join(c.Polled, ","))
	}
	if c.All {
		return usagef("gen copies packages of your module only: -auto instead of -auto=all, or use 'ckpgen build -auto=all'")
	}
	if c.Output == "" {
		c.Output = defaultOutput
	}
	r, err := gen.Generate(cmd.Context(), workingDir(), c.Output, c.Auto, c.Load, c.Patterns)
	if err != nil {
		return err
	}
	for _, line := range r.Obstacles {
		fmt.Fprintln(cmd.ErrOrStderr(), line)
	}
	if r.Empty {
		fmt.Fprintf(cmd.ErrOrStderr(), "ckpgen: %s\n", emptiness(c, "nothing was written", nil))
	}
	if len(r.Unsaved) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "ckpgen: generated source can't save what these packages keep in variables ('ckpgen build' does): %s\n", strings.Join(r.Unsaved, ", "))
	}
	if len(r.Hashing) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "ckpgen: with generated source, these packages hash by keys that each process draws ('ckpgen build' has them hash alike): %s\n", strings.Join(r.Hashing, ", "))
	}
	return nil
}
