package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ckpgen/ckpgen/instrument"
	"github.com/ckpgen/ckpgen/instrument/build"
	"github.com/ckpgen/ckpgen/instrument/load"
)

func buildCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "build [-auto[=all|packages|@file]] [-o file] [go build flags] [packages]",
		Short: "Build a program with checkpoints",
		Long: `Build compiles packages like 'go build', with the functions that can be on the stack at
a checkpoint rewritten so that they can be saved. Your files are only read: the
instrumented sources lie in the user's cache directory and are given to 'go build' as an overlay.
If nothing has changed since the last time, nothing is analysed or compiled again.

With -auto a checkpoint can also be taken where the program calls no checkpoint function: loops
and recursive functions of your module poll for one. Short counting loops and loops
over what is in memory run without, unless they call functions with such loops, or what may take long and has no polls. The program need not know ckpgen: any module is built so as it
is, also in workspaces and with vendored packages, and so are Go files outside of modules.

Packages of other modules are rewritten as far as they call your functions back, and these can be on the
stack at a checkpoint, keep functions or have goroutines; with -auto=all they poll, too. With -auto=PACKAGES those packages poll, of your module or others, and nothing
else: import paths or directories with "..." as for the go command, separated by commas. Functions that are called often
cost nothing then if they can't come to a poll, which 'ckpgen explain FUNC' tells. With -auto=@FILE the program polls at the places that
'ckpgen measure' has found in a run of it: these are few, and cost less. What a package of another module has that can't
be rewritten is no error: it stays as it is, and 'ckpgen vet' tells when it is in the way. What lies in the
module cache is copied for it, and the build has a go.mod in which the copies replace the originals.

Packages of the standard library that sort, search, walk, iterate, copy or do something once are rewritten, too, if
they call functions of the program back: sort, slices, strings, sync.Once and others. Go's own files are not
touched. The first such build compiles the standard library; it takes half a minute, and later ones find it done.

A checkpoint is one of all goroutines that the program starts; they join it at checkpoint functions,
polls, channel operations, selects, and the locks and waits of package sync. The line
//ckp:external directly above a go statement leaves its goroutine out.

The line //ckp:save NAME, where a statement can stand, takes a checkpoint there, in a program that imports nothing of
ckpgen as well. With increments (CKP_INCREMENTS), //ckp:stop and //ckp:start exclude a part of the program from the tracking of
changes, which then costs nothing there. docs/INCREMENTS.md tells when that pays. Directives that can't be followed are refused.

All flags of 'go build' are accepted and passed on, but for -overlay. With -gcflags='all=-N -l' the program is
for a debugger, as one of 'go build' is; breakpoints in loops can be missed right after a checkpoint: see
"Debuggers" in docs/LANGUAGE.md.

The program behaves as one built by 'go build' and takes no checkpoint unless CKP_DIR or another
of the CKP_ variables is set; 'ckpgen help' lists them.

The exit status is 2 for wrong usage, and 1 if the program does not build or has something that
can't be rewritten; then nothing is built, and each such place is listed. Checkpoints that will be refused
at run time, because a function that is not rewritten is on the stack, are what 'ckpgen vet' lists.`,
		Example: `  ckpgen build -o sim ./cmd/sim
  CKP_DIR=/var/ckp/sim CKP_INTERVAL=60s ./sim
  ckpgen build -auto queens.go
  ckpgen build -auto=all -o prog example.org/mod/cmd/prog
  ckpgen build -auto=.,./internal/solver,example.org/mod/... -o sim ./cmd/sim
  ckpgen measure ./cmd/sim -steps 1000 && ckpgen build -auto=@ckpgen.polls -o sim ./cmd/sim`,
		DisableFlagParsing: true,
		ValidArgsFunction:  completePackages,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runGo(cmd, "build", args)
		},
	}
}

// runGo does what build and test have in common.
func runGo(cmd *cobra.Command, verb string, args []string) error {
	c, err := build.ParseCommandLine(args, verb == "test")
	if err != nil {
		return err
	}
	if c.Help {
		return cmd.Help()
	}
	tortured := false
	if verb == "test" {
		if tortured, err = torture(c); err != nil {
			return err
		}
	}
	if err := chdir(c); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	p, err := build.Instrument(cmd.Context(), dir, nil, c, verb == "test")
	var broken *load.Error
	if verb == "test" && errors.As(err, &broken) && cmd.Context().Err() == nil {
		// As the go command does it: what builds is tested all the same.
		fmt.Fprintln(os.Stderr, broken.Text)
		tellFailed(broken.Failed, c)
		if len(broken.Sound) == 0 {
			return failed(c)
		}
		c.Patterns = broken.Sound
		p, err = build.Instrument(cmd.Context(), dir, nil, c, true)
	} else {
		broken = nil
	}
	if err != nil {
		return err
	}
	switch {
	case verb == "build":
		warn(p, c)
	case !tortured:
	case p.Untestable != "":
		return fmt.Errorf("no checkpoint can be taken in tests: %s; get a newer ckpgen for this version of Go", p.Untestable)
	case p.Empty:
		fmt.Fprintln(os.Stderr, "ckpgen: no checkpoint can be reached from the tests, so none is taken; call ckp.Checkpoint or bsp.Sync where checkpoints may be taken, or use -auto")
	}
	run := func() error { return p.Go(cmd.Context(), dir, nil, verb, c) }
	if tortured && !p.Empty {
		err = tallied(run, c)
	} else {
		err = run()
	}
	if broken != nil && err == nil {
		err = failed(c)
	}
	return err
}

// lookAt runs a command that looks at a program as go build would build it, and leaves none: in
// the directory of -C, with its arguments taken apart.
func lookAt(cmd *cobra.Command, args []string, look func(c *build.CommandLine) error) error {
	c, err := build.ParseCommandLine(args, false)
	switch {
	case err != nil:
		return err
	case c.Help:
		return cmd.Help()
	case c.Unknown != "":
		return usagef("unknown flag: %s; see '%s --help'", c.Unknown, cmd.CommandPath())
	}
	if err := chdir(c); err != nil {
		return err
	}
	return look(c)
}

// analyse analyses the program of the command line.
func analyse(ctx context.Context, c *build.CommandLine) (*instrument.Analysis, error) {
	cfg, err := c.Config(workingDir(), nil, false)
	if err != nil {
		return nil, err
	}
	return instrument.Analyze(ctx, cfg, c.Patterns...)
}

// chdir changes to the directory of -C.
func chdir(c *build.CommandLine) error {
	if c.Chdir == "" {
		return nil
	}
	return os.Chdir(c.Chdir)
}

// emptiness tells why a program has nothing to rewrite, what follows, and what can be done. The
// packages of other modules that can't be rewritten are left out.
func emptiness(c *build.CommandLine, so string, left []string) string {
	switch {
	case len(left) > 0:
		return emptiness(c, so, nil) + "; these packages can't be rewritten: " + strings.Join(left, ", ")
	case c.All:
		return "no loop or recursive function can be reached from main, so " + so
	case c.Polled != nil:
		return fmt.Sprintf("no loop or recursive function of -auto=%s can be reached from main, so %s; -auto has polls in your module, -auto=all in all modules", strings.Join(c.Polled, ","), so)
	case c.Auto:
		return "no loop or recursive function of your module can be reached from main, so " + so + "; -auto=all has polls in all modules"
	}
	return "no checkpoint call can be reached from main, so " + so + "; call ckp.Checkpoint or bsp.Sync where checkpoints may be taken, or use -auto"
}

// warn says what the user should know about a program that is being built.
func warn(p *build.Program, c *build.CommandLine) {
	switch n := len(p.Obstacles); {
	case p.Empty:
		fmt.Fprintf(os.Stderr, "ckpgen: %s\n", emptiness(c, "nothing was instrumented", p.LeftOut))
	case n == 1:
		fmt.Fprintln(os.Stderr, "ckpgen: there is a place where a checkpoint would be refused at run time; 'ckpgen vet' shows it")
	case n > 1:
		fmt.Fprintf(os.Stderr, "ckpgen: there are %d places where a checkpoint would be refused at run time; 'ckpgen vet' lists them\n", n)
	}
	switch n := len(p.Losses); {
	case n == 1:
		fmt.Fprintln(os.Stderr, "ckpgen: there is a place where the program keeps what a restart loses, such as an address as a number; 'ckpgen vet' shows it")
	case n > 1:
		fmt.Fprintf(os.Stderr, "ckpgen: there are %d places where the program keeps what a restart loses, such as addresses as numbers; 'ckpgen vet' lists them\n", n)
	}
	switch n := len(p.Renamed); {
	case n == 1:
		fmt.Fprintln(os.Stderr, "ckpgen: there is an embedded field that has another name to reflection; 'ckpgen vet' shows it")
	case n > 1:
		fmt.Fprintf(os.Stderr, "ckpgen: there are %d embedded fields that have other names to reflection; 'ckpgen vet' lists them\n", n)
	}
}

// buildForRun builds the program that c names, with checkpoints, into the cache and
// returns the path of the executable, and whether nothing was instrumented, which is told.
func buildForRun(ctx context.Context, c *build.CommandLine) (binary string, plain bool, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false, err
	}
	p, binary, err := build.ForRun(ctx, dir, c)
	if err != nil {
		return "", false, err
	}
	warn(p, c)
	return binary, p.Empty, nil
}
