package corpus

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"
)

// A Verdict is how a trial ended.
type Verdict string

// The verdicts. Wrong is never tolerated.
const (
	Passed   Verdict = "passed"
	Missed   Verdict = "missed"
	Wrong    Verdict = "wrong"
	Excluded Verdict = "excluded" // the plain program does not do what its authors expect
)

// A Result is the outcome of the trial of one program.
type Result struct {
	Program string
	Dense   bool // with polls everywhere
	Verdict Verdict
	// Why tells what went wrong, in a line; for a program that passed, what is to be known
	// about its checkpoints.
	Why string
	// Checkpoints were restored, in all runs.
	Checkpoints int
	// None is set if the program offers no opportunity for a checkpoint.
	None bool
	// Partly is set if some checkpoints were refused.
	Partly bool
	Runs   []Run
	// Output is the end of what there is to see, unless the program passed.
	Output string
	Build  time.Duration // by ckpgen
	Took   time.Duration // altogether
}

// A Run is one under CKP_TORTURE=K that came to its end.
type Run struct {
	K           int64
	Checkpoints int
	Took        time.Duration
}

// Results is a file of results, a line each, that grows as programs are tried. A
// later result of a program replaces an earlier one.
type Results struct {
	mu   sync.Mutex
	file *os.File
	of   map[trialKey]Result
}

// A trialKey tells trials of a program apart.
type trialKey struct {
	program string
	dense   bool
}

// OpenResults opens the file with that name, which need not exist; none if the name is empty.
func OpenResults(name string) (*Results, error) {
	r := &Results{of: make(map[trialKey]Result)}
	if name == "" {
		return r, nil
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	r.file = file
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var result Result
		if err := json.Unmarshal(lines.Bytes(), &result); err != nil {
			return nil, fmt.Errorf("results: %s: %w", name, err)
		}
		r.of[trialKey{result.Program, result.Dense}] = result
	}
	return r, lines.Err()
}

// Add adds a result.
func (r *Results) Add(result Result) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of[trialKey{result.Program, result.Dense}] = result
	if r.file == nil {
		return nil
	}
	line, err := json.Marshal(result)
	if err != nil {
		return err
	}
	_, err = r.file.Write(append(line, '\n'))
	return err
}

// Get returns the result of a program, with or without polls everywhere, if there is one.
func (r *Results) Get(program string, dense bool) (Result, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	result, ok := r.of[trialKey{program, dense}]
	return result, ok
}
