package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ckpgen/ckpgen/instrument/build"
	"github.com/ckpgen/ckpgen/launch"
	"github.com/ckpgen/ckpgen/launch/control"
)

func runCommand() *cobra.Command {
	spec := launch.Spec{Processes: 1, Interval: 60 * time.Second, MaxRestarts: -1, Keep: 2}
	auto := autoFlag{"false"}
	cmd := &cobra.Command{
		Use:   "run [-n N] [flags] package|files|binary [--] [arguments]",
		Short: "Run a program on N processes and keep them alive",
		Long: `Run builds a package with checkpoints (or Go files; an executable file is taken as it is, and it is told if it
takes no checkpoints), starts N processes of it, and starts them again from the last committed checkpoint when
some of them die or freeze. Standard
error tells who died, who noticed, who was elected to put it right, and how long it took. Flags of run
come before the program; what comes after it is for the program.

Checkpoints lie in the job's directory (--dir). The same command goes on from the last one there, also
after the death of ckpgen itself. Without --dir a temporary directory is used, and removed at the end
unless the job has failed and can go on from a checkpoint in it.

Standard output of process 0 passes unchanged. Standard output of the others, and standard error of all,
have the prefix "[rank 3] " on each line. Process 0 has the standard input.

Ctrl-C or SIGTERM takes a checkpoint and stops with status 75; a second one kills all processes. SIGUSR1 takes
a checkpoint and goes on.

The exit status is the program's own, that of the first process to fail, or 128 plus the signal that killed
it. A job ends with it when its program fails before there is a checkpoint, or three times
on the way from the same one. The status is 2 for wrong usage, 3 if the checkpoint is that of another program
or has a number that is too large for this machine,
4 if no checkpoint is intact, and 75 after a checkpoint and stop.`,
		Example: `  ckpgen run -n 4 ./examples/seqsim
  ckpgen run -n 4 --dir /var/ckp/sim --interval 60s ./cmd/sim -steps 1000
  ckpgen run --auto --dir /var/ckp/queens queens.go 14`,
		ValidArgsFunction: completePackages,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("run needs a package or an executable file; see 'ckpgen run --help'")
			}
			if err := fromVariables(cmd.Flags()); err != nil {
				return err
			}
			return runJob(cmd.Context(), &spec, auto, args)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.SortFlags = false
	f.VarP(&number{to: &spec.Processes, least: 1}, "n", "n", "number of processes")
	f.Var(&auto, "auto", "checkpoints where the program calls none, too; with --auto=all in packages of other modules as well, =PACKAGES or =@FILE: see 'ckpgen build --help'")
	f.Lookup("auto").NoOptDefVal = "true"
	f.Var(&folder{&spec.Dir}, "dir", "directory of the job and its checkpoints")
	f.Var(&duration{&spec.Interval}, "interval", "least time between checkpoints; 0: at every opportunity")
	f.Var(&number{to: &spec.ExitAfter, least: 1}, "exit-after", "stop with status 75 after this many checkpoints")
	f.Var(&number{to: &spec.Torture, least: 1}, "torture", "go through a checkpoint and new processes at every `K`th opportunity")
	f.BoolVar(&spec.Fresh, "fresh", false, "start from the beginning; old checkpoints go when the first new one is there")
	f.Var(&number{to: &spec.MaxRestarts, least: 0, all: true}, "max-restarts", "end the job after this many restarts; -1: no limit while it makes progress")
	f.Var(&number{to: &spec.Keep, least: 1}, "keep", "checkpoints that are kept")
	f.Var(&choice{&spec.Early, []string{"skip", "wait"}}, "early", "what a checkpoint does that is due while the one before is being written; skip: the program goes on, and it is taken later; wait: the program waits (the default with --interval 0)")
	f.Var(&choice{&spec.Compress, []string{"none", "zstd"}}, "compress", "compress the checkpoints by zstd, if the program imports github.com/ckpgen/ckpgen/runtime/ckp/zstd")
	f.Var(&number{to: &spec.Increments, least: 0}, "increments", "checkpoints have only what has changed in large arrays since the one before; each is made of a whole one and at most `N` such")
	f.Var(&folder{&spec.LogDir}, "log-dir", "directory for files with the output of each process, too")
	f.BoolVar(&spec.NoPrefix, "no-prefix", false, "leave the output of all processes as it is")
	return cmd
}

// An autoFlag is the value of --auto.
type autoFlag struct{ value string }

func (a *autoFlag) String() string { return a.value }
func (a *autoFlag) Type() string   { return "bool" } // by which the help does not show "true" as the usual value
func (a *autoFlag) Set(s string) error {
	a.value = s
	return new(build.CommandLine).SetAuto(s)
}

// fromVariables gives flags that were not given the values of the variables of the same meaning.
func fromVariables(flags *pflag.FlagSet) error {
	warnOfVariables()
	for _, v := range []struct{ flag, name string }{
		{"dir", control.EnvDir},
		{"interval", control.EnvInterval},
		{"exit-after", control.EnvExitAfter},
		{"torture", control.EnvTorture},
		{"keep", control.EnvKeep},
		{"early", control.EnvEarly},
		{"compress", control.EnvCompress},
		{"increments", control.EnvIncrements},
	} {
		value := os.Getenv(v.name)
		if value == "" || flags.Changed(v.flag) {
			continue
		}
		if err := flags.Lookup(v.flag).Value.Set(value); err != nil {
			return usagef("variable %s=%q: %w", v.name, value, err)
		}
	}
	return nil
}

func runJob(ctx context.Context, spec *launch.Spec, auto autoFlag, args []string) error {
	var named []string
	named, spec.Args = programIn(args)
	spec.Program = args[0]
	binary, err := executable(args[0])
	if err == nil && binary != "" {
		if spec.Plain, err = build.Plain(binary); spec.Plain {
			fmt.Fprintf(os.Stderr, "ckpgen: nothing was instrumented in %s: no checkpoints of it are taken, and after a failure it can only start from the beginning; build it by 'ckpgen build', with -auto if it calls no checkpoint\n", args[0])
		}
	} else if err == nil {
		c := &build.CommandLine{Patterns: named}
		if err := c.SetAuto(auto.value); err != nil {
			return err
		}
		binary, spec.Plain, err = buildForRun(ctx, c)
	}
	if err != nil {
		return err
	}
	spec.Binary = binary
	spec.Stdin, spec.Stdout, spec.Stderr = os.Stdin, os.Stdout, os.Stderr
	status, err := launch.Run(ctx, *spec)
	switch {
	case err != nil && status == exitUsage:
		return usagef("%w", err)
	case err != nil:
		fmt.Fprintf(os.Stderr, "ckpgen: %v\n", err)
		return &statusError{status}
	case status != 0:
		return &statusError{status}
	}
	return nil
}

// programIn parts a command line into what names the program and its arguments. Several files are
// one program, as to 'go run'.
func programIn(args []string) (program, arguments []string) {
	n := 1
	for n < len(args) && strings.HasSuffix(args[0], ".go") && strings.HasSuffix(args[n], ".go") {
		n++
	}
	program, arguments = args[:n], args[n:]
	if len(arguments) > 0 && arguments[0] == "--" {
		arguments = arguments[1:]
	}
	return program, arguments
}

// executable returns the path of the executable file that name is, or "" if it
// is to be taken for a package.
func executable(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || strings.HasSuffix(name, ".go") {
		return "", nil
	}
	if runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return "", usagef("%s is neither a package nor an executable file", name)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("program %s: %w", name, err)
	}
	if _, err := exec.LookPath(path); err != nil && !errors.Is(err, exec.ErrDot) {
		return "", fmt.Errorf("program %s: %w", name, err)
	}
	return path, nil
}
