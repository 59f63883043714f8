package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ckpgen/ckpgen/instrument/build"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/runtime/ckp/variables"
)

func testCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "test [-auto[=all|packages|@file]] [-torture K] [go test flags] [packages]",
		Short: "Test packages with checkpoints",
		Long: `Test runs the tests of packages like 'go test', with their code and that of the tests rewritten
as 'ckpgen build' does it. It shows that a program computes the same when it is instrumented.

With -torture K, or CKP_TORTURE=K in the environment, each Kth opportunity for a checkpoint in the
tests is one: it is written to disk, and a fresh process restores it and goes on. A checkpoint can be taken in
tests, subtests and parallel ones, their cleanups, examples, the seeds of fuzz tests, benchmarks and TestMain. Output
and status are those of 'go test', but for the times, and for the order of what runs in parallel. Such results
are not cached. Without -auto, only the calls of checkpoint functions are opportunities.

Where a checkpoint can't be taken the test goes on without, and standard error tells why, as in the bubbles of
testing/synctest.
Profiles, traces and fuzzing are work of a single process, so a test binary refuses -cpuprofile, -fuzz and
the like together with checkpoints.

Packages whose tests do not build are told as by 'go test', and those of the others run.

All flags of 'go test' are accepted and passed on, but for -overlay. The coverage of tests in torture mode is that of
all their processes. A binary that was made by -c can also be run with CKP_DIR.

Package testing is rewritten for this, and so are other packages of the standard library. The first such
build compiles it; it takes half a minute. The vetting that is part of 'go test' is left out then.`,
		Example: `  ckpgen test ./...
  ckpgen test -auto -torture 100 ./...
  ckpgen test -race -run TestStep ./sim`,
		DisableFlagParsing: true,
		ValidArgsFunction:  completePackages,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runGo(cmd, "test", args)
		},
	}
}

// torture prepares for tests in torture mode, and reports whether it is asked for.
func torture(c *build.CommandLine) (bool, error) {
	warnOfVariables()
	if dir := os.Getenv(control.EnvDir); dir != "" {
		return false, usagef("%s=%s: tests of a package would find the checkpoints of others there; use %s, or build a test binary by 'ckpgen test -c' and run that", control.EnvDir, dir, control.EnvTorture)
	}
	k := strconv.Itoa(c.Torture)
	if c.Torture == 0 {
		if k = os.Getenv(control.EnvTorture); k == "" {
			return false, nil
		}
		if n, err := strconv.Atoi(k); err != nil || n < 1 {
			return false, usagef("%s=%s: not a number from 1", control.EnvTorture, k)
		}
	}
	if !c.Counted {
		// Nothing that was found out otherwise is told as the result, and nothing is kept for
		// later.
		c.Flags = append(c.Flags, "-count=1")
	}
	return true, os.Setenv(control.EnvTorture, k)
}

// tellFailed tells which packages have tests that do not build, as the go command does.
func tellFailed(list []load.Failure, c *build.CommandLine) {
	if c.Compiled {
		return
	}
	type event struct {
		Action, Package string
		Output          string `json:",omitempty"`
	}
	out := json.NewEncoder(os.Stdout)
	for _, f := range list {
		line := "FAIL\t" + f.Path + " [build failed]\n"
		if f.Setup {
			line = "FAIL\t" + f.Path + " [setup failed]\n"
		}
		if !c.JSON {
			fmt.Print(line)
			continue
		}
		for _, e := range []event{{"start", f.Path, ""}, {"output", f.Path, line}, {"fail", f.Path, ""}} {
			_ = out.Encode(e) // as with the lines, there is nobody to tell
		}
	}
}

// failed says that tests have failed.
func failed(c *build.CommandLine) error {
	if !c.JSON && !c.Compiled {
		fmt.Println("FAIL")
	}
	return &statusError{exitFailure}
}

// envTally names the file in which tests note that they have gone through a checkpoint.
const envTally = "CKP_TALLY"

// tallied runs tests in torture mode, and tells if they passed without a checkpoint: that proves
// nothing.
func tallied(run func() error, c *build.CommandLine) error {
	dir, err := os.MkdirTemp("", "ckpgen-test-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tally := filepath.Join(dir, "tally")
	if err := os.Setenv(envTally, tally); err != nil {
		return err
	}
	if err := run(); err != nil {
		return err
	}
	for _, flag := range c.Flags {
		switch name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "="); name {
		case "c", "n", "list": // nothing was run
			return nil
		}
	}
	if _, err := os.Stat(tally); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(os.Stderr, "ckpgen: no checkpoint was taken in the tests: there were fewer than %s opportunities in each package, or each was refused; -torture 1 takes all there are, and -v shows what was refused\n", os.Getenv(control.EnvTorture))
	}
	return nil
}

// warnOfVariables tells of variables that users of the programs may have misspelt.
func warnOfVariables() {
	if s := variables.Unknown(os.Environ()); s != "" {
		fmt.Fprintln(os.Stderr, "ckpgen:", s)
	}
}
