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

// The roots of an image are, in this order: FramesRoot, the frames
// ([]shadow.Frame, innermost activation first); package variables, by name;
// the state of each library, by LibraryRoot and the library's name.
const (
	FramesRoot  = "frames"
	LibraryRoot = "library "
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

// A Stack is the call stack, innermost activation first: in the order of the
// frames in the image.
type Stack struct {
	Frames []Frame `json:"frames"`
}

// A Frame is one activation.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file"`   // of the user
	Line     int    `json:"line"`   // of the call that the activation is in
	Column   int    `json:"column"` // of the call
	Call     string `json:"call"`   // the callee as the user wrote it
	At       int    `json:"at"`     // number of the resume point in the function
}
