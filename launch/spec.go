package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Spec is a job to run.
type Spec struct {
	Binary    string   // executable file
	Program   string   // how the user names it, for messages; "" is Binary
	Args      []string // of the program
	Processes int      // at least 1
	Plain     bool     // nothing in it was instrumented, which the user was told

	Dir         string        // of the job; "" is a temporary one
	Interval    time.Duration // least time between checkpoints
	ExitAfter   int           // checkpoints after which the job stops with status 75; 0: never
	Torture     int           // every Kth opportunity goes through a checkpoint and new processes; 0: none
	Keep        int           // checkpoints that are kept; 0: the store's default
	Early       string        // CKP_EARLY; "": as it is by default
	Compress    string        // CKP_COMPRESS; "": not
	Increments  int           // after each whole image, at most; 0: each image is whole
	Fresh       bool          // start from the beginning
	MaxRestarts int           // in total; negative: not bounded

	LogDir   string // where each process's output goes as well; "" is nowhere
	NoPrefix bool

	Stdin  *os.File // nil is empty
	Stdout io.Writer
	Stderr io.Writer

	// Patience is how long after a death the processes may take to send a
	// restart before the launcher does it. 0 is 5 seconds.
	Patience time.Duration
}

const (
	defaultPatience = 5 * time.Second
	stopPatience    = 30 * time.Second      // from the first process that stopped to the last
	dyingPatience   = 50 * time.Millisecond // from the end of its connection to that of a process
	reapPatience    = 10 * time.Second      // from SIGKILL to the end of a process
)

func (s *Spec) complete() error {
	switch {
	case s.Binary == "":
		return errors.New("no program to run")
	case s.Processes < 1:
		return fmt.Errorf("%d processes: a job has at least one", s.Processes)
	case s.Processes > 1<<16:
		return fmt.Errorf("%d processes are too many", s.Processes)
	case s.Interval < 0:
		return fmt.Errorf("the interval %v is negative", s.Interval)
	case s.ExitAfter < 0:
		return fmt.Errorf("exit after %d checkpoints: the number is negative", s.ExitAfter)
	case s.Torture < 0:
		return fmt.Errorf("torture at every %dth opportunity: the number is negative", s.Torture)
	case s.Increments < 0:
		return fmt.Errorf("%d increments: the number is negative", s.Increments)
	case s.Keep < 0:
		return fmt.Errorf("keep %d checkpoints: the number is negative", s.Keep)
	}
	if s.Program == "" {
		s.Program = s.Binary
	}
	if s.Stdout == nil {
		s.Stdout = io.Discard
	}
	if s.Stderr == nil {
		s.Stderr = io.Discard
	}
	if s.Patience == 0 {
		s.Patience = defaultPatience
	}
	return nil
}

// UsageError is an error in what was asked for; the command exits with status 2.
type UsageError struct{ Err error }

// Error returns the text of the error inside.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the error inside.
func (e *UsageError) Unwrap() error { return e.Err }

func usage(format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...)}
}
