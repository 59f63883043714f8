package ckp

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/section"
)

// What a program can change of its process, and a new process has as it was started: variables of
// packages that every program has, the working directory, the environment, and how far standard
// input has been read. The rest of the standard library is the precompiler's business, which knows
// what the program links.

// processState is what is saved of the process beside variables.
type processState struct {
	Dir   string            // working directory; empty if it is that of the start
	Env   map[string]string // what the program has set
	Unset map[string]bool   // and what it has removed

	Untracked bool // see StopTracking

	Streams  streams
	Signals  *signals
	Settings *settings
}

// process is nil if there is nothing to tell.
var process *processState

// processRoots are saved with every program. The variables hold something of the process until the
// program gives them another value.
func processRoots() []heap.Root {
	return []heap.Root{
		{Name: section.ProcessRoot, Ptr: &process},
		{Name: "os.Args", Ptr: &os.Args},
		{Name: "os.Stdin", Ptr: &os.Stdin},
		{Name: "os.Stdout", Ptr: &os.Stdout},
		{Name: "os.Stderr", Ptr: &os.Stderr},
		{Name: "time.Local", Ptr: &time.Local},
	}
}

// What the variables held at the start is bound by their names.
var startStdin, startStdout, startLocal = os.Stdin, os.Stdout, time.Local

func processNames() []heap.Root {
	return []heap.Root{
		{Name: "os.Stdin", Ptr: &startStdin},
		{Name: "os.Stdout", Ptr: &startStdout},
		{Name: "os.Stderr", Ptr: &startStderr},
		{Name: "time.Local", Ptr: &startLocal},
	}
}

// noteProcess brings the state up to date. What a process before this one has changed stays
// changed, also where this one was started with it.
func noteProcess() {
	var s processState
	if process != nil {
		s = *process
	}
	if dir, err := os.Getwd(); err == nil && (s.Dir != "" || dir != startDir) {
		s.Dir = dir
	}
	s.noteEnvironment(environ())
	s.Untracked = untracked.Load()
	s.Streams, s.Signals, s.Settings = noteStreams(), s.Signals.note(), s.Settings.note()
	process = &s
	if !s.Untracked && s.Dir == "" && len(s.Env) == 0 && len(s.Unset) == 0 && s.Streams == noStreams && s.Signals == nil && s.Settings == nil {
		process = nil
	}
}

func (s *processState) noteEnvironment(now map[string]string) {
	set, unset := make(map[string]string), make(map[string]bool)
	for name, value := range now {
		_, known := s.Env[name]
		if was, ok := startEnv[name]; known || s.Unset[name] || !ok || was != value {
			set[name] = value
		}
	}
	for _, before := range []map[string]string{startEnv, s.Env} {
		for name := range before {
			if _, ok := now[name]; !ok {
				unset[name] = true
			}
		}
	}
	for name := range s.Unset {
		if _, ok := now[name]; !ok {
			unset[name] = true
		}
	}
	s.Env, s.Unset = set, unset
}

// environ returns the environment, without what tells this package what to do.
func environ() map[string]string {
	env := make(map[string]string)
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		if name != "" && !strings.HasPrefix(name, "CKP_") {
			env[name] = value
		}
	}
	return env
}

// apply makes the process what the state says.
func (s *processState) apply() error {
	track(s == nil || !s.Untracked)
	if s == nil {
		(*signals)(nil).apply()
		return nil
	}
	s.Signals.apply()
	s.Settings.apply()
	if s.Dir != "" {
		if err := os.Chdir(s.Dir); err != nil {
			return fmt.Errorf("the program was in the working directory %s: %w", s.Dir, err)
		}
	}
	for name, value := range s.Env {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	for name := range s.Unset {
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	return s.Streams.apply()
}
