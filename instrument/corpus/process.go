package corpus

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A process is how a command ended and what it printed.
type process struct {
	Stdout, Stderr string
	Status         int
	Took           time.Duration
	Computed       time.Duration // processor time
	TimedOut       bool
}

// mostOutput is what is kept of the output of a program that does not end.
const mostOutput = 4 << 20

// A limited buffer keeps the first part of what is written.
type limited struct{ bytes.Buffer }

func (l *limited) Write(b []byte) (int, error) {
	if room := mostOutput - l.Len(); room < len(b) {
		l.Buffer.Write(b[:max(room, 0)])
		return len(b), nil
	}
	return l.Buffer.Write(b)
}

// run runs a command to its end, or kills it and all that it has started when the
// limit has passed. It leaves others on the machine the precedence.
func run(ctx context.Context, limit time.Duration, dir string, env []string, name string, args ...string) (process, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if nice, err := exec.LookPath("nice"); err == nil {
		name, args = nice, append([]string{"-n", "5", name}, args...)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOENV=off", "GOFLAGS=", "PWD="+dir)
	cmd.Env = append(cmd.Env, env...)
	var stdout, stderr limited
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	asGroup(cmd)
	began := time.Now()
	err := cmd.Run()
	p := process{Stdout: stdout.String(), Stderr: stderr.String(), Took: time.Since(began)}
	p.TimedOut = ctx.Err() != nil
	if cmd.ProcessState != nil {
		p.Computed = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		p.Status = exit.ExitCode()
		err = nil
	case errors.Is(err, exec.ErrWaitDelay): // something that it started lives on
		err = nil
	case p.TimedOut:
		err = nil
	}
	return p, err
}

// told takes the lines that ckpgen's runtime wrote out of the standard error of a
// program, and returns both.
func told(stderr string) (theirs string, ours []string) {
	var b strings.Builder
	for line := range strings.Lines(stderr) {
		// Something that the program printed without a newline may come before.
		if i := strings.Index(line, "ckpgen: "); i >= 0 {
			b.WriteString(line[:i])
			ours = append(ours, strings.TrimSuffix(line[i+len("ckpgen: "):], "\n"))
			continue
		}
		b.WriteString(line)
	}
	return b.String(), ours
}
