// Package instructions counts what a process executes.
package instructions

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// Look returns an error if the tool that counts is not there.
func Look() error {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return fmt.Errorf("instructions are counted by valgrind: %w", err)
	}
	return nil
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// Count runs a binary in dir with one processor, without collections of garbage and without
// preemption, and returns how many instructions it executed and what it printed.
func Count(dir, binary string, args ...string) (instructions int, output string, err error) {
	c := exec.Command("valgrind", append([]string{"--tool=callgrind", "--callgrind-out-file=/dev/null", binary}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off") // valgrind does not know every instruction
	var out, told bytes.Buffer
	c.Stdout, c.Stderr = &out, &told
	if err := c.Run(); err != nil {
		return 0, "", fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, told.Bytes())
	}
	m := collected.FindSubmatch(told.Bytes())
	if m == nil {
		return 0, "", fmt.Errorf("%s: valgrind tells no number of instructions\n%s", strings.Join(c.Args, " "), told.Bytes())
	}
	instructions, err = strconv.Atoi(string(m[1]))
	return instructions, out.String(), err
}
