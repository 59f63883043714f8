package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ckpgen/ckpgen/instrument/build"
	"github.com/ckpgen/ckpgen/instrument/polls"
	"github.com/ckpgen/ckpgen/runtime/ckp/visits"
)

// measuredName is the file that measure writes unless told otherwise.
const measuredName = "ckpgen.polls"

func measureCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "measure [-auto[=all|packages]] [-within time] [-stacks] [-o file] [go build flags] package|files [arguments]",
		Short: "Run a program to find out where it should poll for checkpoints",
		Long: `Measure runs a program with counters and writes a file with the places where it should poll, for
'ckpgen build -auto=@FILE'. With -auto alone each loop and recursive function polls that may take long for some input; what leads to
one is rewritten and tested for checkpoints after each call. Polls at a few places that the program comes to often enough cost less, and
functions from which none of them can be reached stay as they are: they cost nothing at all.

Let the program do work of the kind that it will do, for some seconds at least and not less than one unit of it. Everything that takes long should
occur: if a program runs for a long time where it was not measured, checkpoints have to wait until it comes to a poll, and standard error tells
where it is if that takes ten intervals. The program uses one processor while it is measured, and can be stopped by Ctrl-C when it has run for long enough.

Places are chosen so that no goroutine runs for longer than the time of -within (100ms) without a poll, as far as was seen: loops
that last long, functions with which goroutines begin, and some of those that recur for long. They are sought in your module, with -auto=all
in all modules, with -auto=PACKAGES in those packages. Of a program that ends by os.Exit, or is killed, the last tenth of the time may be missing.

With -stacks the file also has the functions that were seen on the stack at these places, and where goroutines wait, and only they are rewritten. That
helps where nearly everything can lead to a place by calls of func values and interfaces. A checkpoint that finds another function on the
stack is refused, which standard error tells with the function, and tried again later.

The file has a place a line, "import/path function entry" or "import/path function loop 2", and a function that was on the
stack as "import/path function stack". It can be edited. Keep it with the source, and measure again when the program has changed much: a place that is gone is an error.`,
		Example: `  ckpgen measure ./cmd/sim -steps 1000
  ckpgen build -auto=@ckpgen.polls -o sim ./cmd/sim
  ckpgen measure -auto=all -o sim.polls -tags=fast ./cmd/sim -steps 1000`,
		DisableFlagParsing: true,
		ValidArgsFunction:  completePackages,
		RunE: func(cmd *cobra.Command, args []string) error {
			within, stacks := 100*time.Millisecond, false
			args, err := takeOwn(args, &within, &stacks)
			if err != nil {
				return err
			}
			return lookAt(cmd, args, func(c *build.CommandLine) error {
				switch {
				case c.Chosen != "":
					return usagef("measure writes such a file as -auto=@%s; it is -auto, -auto=all or -auto=packages here, and -o %s", c.Chosen, c.Chosen)
				case c.Cover != "":
					return usagef("a program can't be measured and covered at once; leave out the flags for coverage")
				case c.Race:
					return usagef("-race can't be used here: counters are not synchronised")
				}
				return measure(cmd.Context(), c, within, stacks)
			})
		},
	}
}

// takeOwn takes the flags -within and -stacks, which go build does not have, out of the others.
func takeOwn(args []string, within *time.Duration, stacks *bool) (rest []string, err error) {
	i := 0
	for ; i < len(args) && len(args[i]) > 1 && args[i][0] == '-' && args[i] != "--"; i++ {
		name, value, given := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		from := i
		if !given && (name == "within" || build.TakesValue(name)) {
			if i++; i == len(args) {
				return nil, usagef("flag needs an argument: -%s", name)
			}
			value = args[i]
		}
		switch name {
		case "within":
			d, err := time.ParseDuration(value)
			if err != nil || d < 50*time.Millisecond {
				return nil, usagef("-within=%s: not a time of 50ms at least, such as 200ms", value)
			}
			*within = d
		case "stacks":
			*stacks = true
			if given {
				if *stacks, err = strconv.ParseBool(value); err != nil {
					return nil, usagef("-stacks=%s: neither true nor false", value)
				}
			}
		default:
			rest = append(rest, args[from:i+1]...)
		}
	}
	return append(rest, args[i:]...), nil
}

// measure runs the program and writes the file.
func measure(ctx context.Context, c *build.CommandLine, within time.Duration, stacks bool) error {
	output := c.Output
	if output == "" {
		output = measuredName
	}
	if err := creatable(output); err != nil { // not told after hours
		return fmt.Errorf("file of places: %w", err)
	}
	named, arguments := programIn(c.Patterns)
	program := *c
	program.Patterns, program.Output, program.Auto, program.Measured = named, "", true, true
	p, binary, err := build.ForRun(ctx, workingDir(), &program)
	if err != nil {
		return err
	}
	if p.Empty {
		fmt.Fprintf(os.Stderr, "ckpgen: %s\n", emptiness(&program, "nothing was measured", p.LeftOut))
		return &statusError{exitFailure}
	}
	v, end, err := visitsOf(ctx, binary, arguments, stacks)
	if err != nil {
		return err
	}
	if end != nil {
		fmt.Fprintf(os.Stderr, "ckpgen: the program that was measured ended with %v\n", end)
	}
	program.Measured = false
	a, err := analyse(context.WithoutCancel(ctx), &program)
	if err != nil {
		return err
	}
	places := a.Closure.Choose(v, within)
	if len(places) == 0 {
		return fmt.Errorf("in %v no goroutine ran for %v; let the program do more work", v.Time.Round(time.Millisecond), within/2)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Places to poll for checkpoints, chosen by 'ckpgen measure' for 'ckpgen build -auto=@FILE'. Measured for %v:\n", v.Time.Round(time.Millisecond))
	fmt.Fprintf(&b, "# %.200s\n", strings.Join(append(program.Patterns, quoted(arguments)...), " "))
	for _, p := range places {
		fmt.Fprintln(&b, p)
	}
	functions := ""
	if stacks {
		list := a.Closure.OnStacks(v, places)
		for _, f := range list {
			fmt.Fprintln(&b, f)
		}
		functions = " and " + counted(len(list), "function") + " that can be on the stack"
	}
	if err := os.WriteFile(output, b.Bytes(), 0o666); err != nil {
		return fmt.Errorf("file of places: %w", err)
	}
	fmt.Fprintf(os.Stderr, "ckpgen: %s has %s to poll%s; 'ckpgen build -auto=@%s' builds with these\n", output, counted(len(places), "place"), functions, output)
	return nil
}

// creatable returns why a file could not be written. What is in it stays, and where there is none
// there is none afterwards.
func creatable(name string) error {
	_, err := os.Lstat(name)
	f, ferr := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if ferr != nil {
		return ferr
	}
	f.Close()
	if err != nil {
		return os.Remove(name)
	}
	return nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// quoted returns arguments as they can stand in one line.
func quoted(arguments []string) []string {
	var list []string
	for _, a := range arguments {
		if a == "" || strings.ContainsAny(a, " \t\r\n\"'\\") {
			a = strconv.Quote(a)
		}
		list = append(list, a)
	}
	return list
}

// visitsOf runs a program with counters, and returns what it has written, and how it ended if that
// was with a failure.
func visitsOf(ctx context.Context, binary string, arguments []string, stacks bool) (v *polls.Visits, end error, err error) {
	dir, err := os.MkdirTemp("", "ckpgen-measure-")
	if err != nil {
		return nil, nil, fmt.Errorf("measure: %w", err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "visits")
	cmd := exec.CommandContext(ctx, binary, arguments...)
	cmd.Cancel = func() error { // at a terminal it has had the interrupt itself
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), visits.Variable+"="+name)
	if stacks {
		cmd.Env = append(cmd.Env, visits.StacksVariable+"=1")
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	end = cmd.Run()
	if exit := new(exec.ExitError); end != nil && !errors.As(end, &exit) && ctx.Err() == nil {
		return nil, nil, end
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		why := ""
		if end != nil {
			why = fmt.Sprintf(" (%v)", end)
		}
		return nil, nil, fmt.Errorf("the program ended at once%s, and nothing was measured; let it do more work", why)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("measure: %w", err)
	}
	defer f.Close()
	if v, err = polls.ReadVisits(f); err != nil {
		return nil, nil, fmt.Errorf("what the program has written: %w", err)
	}
	return v, end, nil
}
