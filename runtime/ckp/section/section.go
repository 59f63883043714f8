// Package section defines what ckp writes into an image beside the heap: which
// program it belongs to, which process wrote it, and the call stack in the
// user's terms. The sections are JSON, so that an image can be looked at
// without the program's binary.
package section

import "time"

// Names of the sections in an image.
const (
	ProgramName = "program"
	ProcessName = "process"
	StackName   = "stack"
)

// The roots of an image are, in this order: GoroutinesRoot, the goroutines with their frames
// ([]shadow.Saved, main first); package variables, by name; what the program has changed of its
// process: ProcessRoot, a pointer that may be nil, and variables of packages os and time; the
// timers of time.AfterFunc that are set, TimersRoot; if the program makes numbers of addresses,
// which number stands for which: NumbersRoot, a list of heap.Location; if it makes pointers of
// numbers, which numbers are addresses: AddressesRoot, a list of heap.Address; the state of each
// library, by StateRoot and the library's name.
const (
	GoroutinesRoot = "goroutines"
	ProcessRoot    = "process"
	TimersRoot     = "timers"
	NumbersRoot    = "numbers of addresses"
	AddressesRoot  = "addresses as numbers"
	StateRoot      = "library "
)

// A Process tells who wrote an image.
type Process struct {
	Rank     int       `json:"rank"`
	Size     int       `json:"processes"`
	Seq      uint64    `json:"seq"` // of the checkpoint
	Epoch    uint64    `json:"epoch"`
	Time     time.Time `json:"time"`  // of the capture
	Pause    int64     `json:"pause"` // nanoseconds that the capture took
	Host     string    `json:"host,omitempty"`
	PID      int       `json:"pid"`
	Args     []string  `json:"args,omitempty"`
	System   string    `json:"system"`   // GOOS/GOARCH
	Compiler string    `json:"compiler"` // Go version
}

// A Stack describes the goroutines: in the order of those in the image, the main one first.
type Stack struct {
	Goroutines []Goroutine `json:"goroutines"`
	// Places are where activations are, each once: a recursion is at the same ones again and again.
	Places []Frame `json:"places,omitempty"`
	// Renamed are, by function, the variables in frames whose names are not those in the source,
	// and those; an empty one for a variable that is not in the source, and one with a star in
	// front for what that points to.
	Renamed map[string]map[string]string `json:"renamed,omitempty"`
}

// A Goroutine is a call stack, innermost activation first.
type Goroutine struct {
	Number    uint64 `json:"number"`              // in the order of the go statements; main is 0
	Frames    []int  `json:"frames,omitempty"`    // the activations, as indices into the places
	Waiting   string `json:"waiting,omitempty"`   // the operation that it is blocked in, in the words of Go's own traces
	Remaining int64  `json:"remaining,omitempty"` // nanoseconds that it will sleep
	Begins    string `json:"begins,omitempty"`    // the function that it will call, if it has not begun
	Ended     bool   `json:"ended,omitempty"`     // main has called runtime.Goexit
}

// FrameOf returns a frame of a goroutine. It returns false if the section does not tell of it.
func (s *Stack) FrameOf(g Goroutine, frame int) (Frame, bool) {
	if at := g.Frames[frame]; at >= 0 && at < len(s.Places) {
		return s.Places[at], true
	}
	return Frame{}, false
}

// A Frame is one activation, and those of the same function that are in the same call.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file"`   // of the user
	Line     int    `json:"line"`   // of the call that the activation is in
	Column   int    `json:"column"` // of the call
	Call     string `json:"call"`   // the callee as the user wrote it
	At       int    `json:"at"`     // number of the resume point in the function
}
