package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ckpgen/ckpgen/instrument"
	"github.com/ckpgen/ckpgen/instrument/build"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/polls"
)

// Exit statuses; see also those of run.
const (
	exitFailure = 1
	exitUsage   = 2
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == build.ToolVerb {
		os.Exit(status(build.Tool(os.Args[2:])))
	}
	vettool(os.Args[1:])
	os.Exit(execute(os.Args[1:]))
}

// execute runs the command with the given arguments and returns its exit status.
func execute(args []string) int {
	root := rootCommand()
	if err := known(root, args); err != nil {
		return status(err)
	}
	if cmd, rest, err := root.Find(args); err == nil && cmd != root && !cmd.DisableFlagParsing {
		args = append(args[:len(args)-len(rest):len(args)-len(rest)], withDashes(cmd, rest)...)
	}
	root.SetArgs(args)
	ctx := context.Background()
	if !isRun(args) { // run has its own way with signals
		collectLate()
		var stop func()
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
	}
	err := root.ExecuteContext(ctx)
	if err != nil && ctx.Err() != nil { // whatever could not be done then
		fmt.Fprintln(os.Stderr, "ckpgen: interrupted")
		return exitFailure
	}
	return status(err)
}

// known returns an error if there is no command of the name that is given, for itself or for its
// help.
func known(root *cobra.Command, args []string) error {
	if len(args) > 1 && args[0] == "help" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "__complete") || args[0] == "help" || args[0] == "completion" {
		return nil
	}
	for _, c := range root.Commands() {
		if c.Name() == args[0] {
			return nil
		}
	}
	return usagef("unknown command %q; 'ckpgen help' lists the commands", args[0])
}

func isRun(args []string) bool { return len(args) > 0 && args[0] == "run" }

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "ckpgen",
		Short: "Go programs that survive the death of their processes",
		Long: `Ckpgen makes Go programs survive the death of their processes. It rewrites the
functions that can be on the stack when a checkpoint is taken, so that their frames and
every object reachable from them can be saved, and rebuilt in a new process.

A program takes checkpoints where it calls ckp.Checkpoint or bsp.Sync. Built with
'ckpgen build', it takes none unless a variable tells it to:

    CKP_DIR=dir         where checkpoints lie; resumes from the last one if there is one
    CKP_INTERVAL=60s    least time between checkpoints
    CKP_EXIT_AFTER=N    after the Nth checkpoint stop with exit status 75
    CKP_TORTURE=K       at every Kth opportunity: checkpoint, then go on in a new process
    CKP_KEEP=K          how many checkpoints are kept
    CKP_EARLY=skip      what a checkpoint does that is due while one is being written: skip or wait
    CKP_INCREMENTS=N    checkpoints have what has changed since the one before, at most N after a whole one
    CKP_COMPRESS=zstd   checkpoints are compressed, if the program imports
                        github.com/ckpgen/ckpgen/runtime/ckp/zstd`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versions(),
		RunE: func(cmd *cobra.Command, args []string) error {
			cmd.SetOut(cmd.ErrOrStderr())
			if err := cmd.Help(); err != nil {
				return err
			}
			return &statusError{status: exitUsage}
		},
	}
	root.SetVersionTemplate("{{.Version}}")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; see '%s --help'", err, cmd.CommandPath())
	})
	root.AddCommand(
		buildCommand(),
		testCommand(),
		runCommand(),
		measureCommand(),
		genCommand(),
		vetCommand(),
		explainCommand(),
		inspectCommand(),
		versionCommand(),
	)
	return root
}

// A usageError is a command line that can't be carried out.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// A statusError ends the command with a status, all having been said.
type statusError struct{ status int }

func (e *statusError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// status shows an error as it is due and returns the exit status.
func status(err error) int {
	var (
		said    *statusError
		usage   *usageError
		goUsage *build.UsageError
		polled  *load.PolledError
		chosen  *polls.FileError
		broken  *load.Error
		refused *instrument.Refused
		goCmd   *exec.ExitError
	)
	switch {
	case err == nil:
		return 0
	case errors.As(err, &said):
		return said.status
	case errors.As(err, &usage), errors.As(err, &goUsage), errors.As(err, &polled), errors.As(err, &chosen):
		fmt.Fprintf(os.Stderr, "ckpgen: %v\n", err)
		return exitUsage
	case errors.As(err, &broken): // it looks like the go command's
		fmt.Fprintln(os.Stderr, broken.Text)
		return exitFailure
	case errors.As(err, &refused):
		for _, r := range refused.Refusals {
			fmt.Fprintln(os.Stderr, instrument.Describe(r, workingDir()))
		}
		return exitFailure
	case errors.As(err, &goCmd): // the go command has said why
		if len(goCmd.Stderr) > 0 {
			fmt.Fprintln(os.Stderr, strings.TrimSpace(string(goCmd.Stderr)))
		}
		if code := goCmd.ExitCode(); code > 0 {
			return code
		}
		return exitFailure
	}
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) && coded.ExitCode() > 0 {
		fmt.Fprintf(os.Stderr, "ckpgen: %v\n", err)
		return coded.ExitCode()
	}
	fmt.Fprintf(os.Stderr, "ckpgen: %v\n", err)
	return exitFailure
}

// workingDir returns the working directory, "" if it has been removed.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
