package ckp

import (
	"fmt"
	"os"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// testBinary is what the runtime does for a test binary, nil in other programs.
var testBinary *tests

type tests struct{ note, resume func() }

// Tests makes the program a test binary: note is called before each checkpoint, and resume in a
// process that goes on from one. It is called during initialisation, and returns what runs the
// tests, as [Start], what is told that there is a bubble of testing/synctest more or less, and what
// is told that a measurement of allocations begins or ends.
func Tests(note, resume func()) (start func(program func()) bool, bubble, measuring func(delta int)) {
	testBinary = &tests{note, resume}
	return Start, shadow.ForBubbles(), setMeasuring
}

// setMeasuring keeps checkpoints out of what is counted between a call with 1 and one with -1: the
// process allocates when it takes one, or is refused it, and while one is written.
func setMeasuring(delta int) {
	r := current.Load()
	if r == nil {
		return
	}
	r.schedule.measure(delta)
	if delta > 0 {
		r.behind.wait()
	}
}

// ofOneProcess are flags of test binaries that ask for what a process tells of itself at its end,
// or for other processes that work together with this one.
var ofOneProcess = map[string]string{
	"blockprofile": "a profile is one of a single process",
	"cpuprofile":   "a profile is one of a single process",
	"fuzz":         "fuzzing starts processes that can't be saved",
	"fuzzworker":   "fuzzing starts processes that can't be saved",
	"memprofile":   "a profile is one of a single process",
	"mutexprofile": "a profile is one of a single process",
	"testlogfile":  "the log is one of a single process; the go command does not ask for it with -count=1",
	"trace":        "a trace is one of a single process",
}

// allowed returns an error if the arguments of a test binary ask for what does not go together with
// checkpoints.
func (t *tests) allowed(args []string) error {
	if t == nil {
		return nil
	}
	for _, arg := range args[min(1, len(args)):] {
		if arg == "--" {
			break
		}
		name, value, given := strings.Cut(arg, "=")
		name, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "-"), "-"), "test.")
		if why := ofOneProcess[name]; ok && why != "" && strings.HasPrefix(arg, "-") && !(given && (value == "" || value == "false")) {
			return fmt.Errorf("-test.%s can't be used with %s or %s: %s", name, envDir, envTorture, why)
		}
	}
	return nil
}

// envTally names a file that 'ckpgen test' looks at when all tests have ended: whether any of them
// went through a checkpoint.
const envTally = "CKP_TALLY"

// tally notes that the tests have gone through a checkpoint.
func (t *tests) tally() {
	if t != nil && tallyFile != "" {
		_ = os.WriteFile(tallyFile, []byte{'1'}, 0o666) // it is for a message only
	}
}

var tallyFile = os.Getenv(envTally)

// noteTests lets a test binary bring up to date what it saves of the process.
func noteTests() {
	if testBinary != nil {
		testBinary.note()
	}
}

// resumeTests makes the process of a test binary what the one before was.
func resumeTests() {
	if testBinary != nil {
		testBinary.resume()
	}
}
