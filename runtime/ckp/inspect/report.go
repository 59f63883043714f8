package inspect

import (
	"time"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/section"
)

// A Report is what is known of a job or an image.
type Report struct {
	Path         string        `json:"path"`
	Checkpoints  []Checkpoint  `json:"checkpoints,omitempty"`  // newest first; none for a single image
	Incarnations []Incarnation `json:"incarnations,omitempty"` // newest first
	Damage       []string      `json:"damage,omitempty"`       // what was passed over to find Shown
	Shown        uint64        `json:"shown,omitempty"`        // number of the checkpoint that Processes are of; 0: none
	Processes    []Process     `json:"processes"`
}

// NoneIntact reports whether something is damaged, and nothing is left to show.
func (r *Report) NoneIntact() bool {
	for _, p := range r.Processes {
		if p.Problem == "" {
			return false
		}
	}
	return len(r.Damage) > 0 || len(r.Processes) > 0
}

// A Checkpoint is one in the history of a job.
type Checkpoint struct {
	Seq       uint64    `json:"seq"`
	Epoch     uint64    `json:"epoch"`
	State     string    `json:"state"`
	Fault     string    `json:"fault,omitempty"` // if damaged
	Time      time.Time `json:"time,omitzero"`
	Processes int       `json:"processes,omitempty"`
	Bytes     int64     `json:"bytes,omitempty"` // of all images together
	Superstep uint64    `json:"superstep,omitempty"`
	Program   string    `json:"program,omitempty"` // hash of the fingerprint
	Note      string    `json:"note,omitempty"`
}

// An Incarnation is one start of the job.
type Incarnation struct {
	Epoch   uint64    `json:"epoch"`
	Owner   string    `json:"owner,omitempty"`
	Time    time.Time `json:"time,omitzero"`
	Started bool      `json:"started"`
	Base    uint64    `json:"base"` // checkpoint that it went on from; 0: from the beginning
}

// A Process is the contents of one image.
type Process struct {
	File    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	Problem string `json:"problem,omitempty"` // why the rest is missing
	section.Process

	Program    string      `json:"program,omitempty"`    // hash of the fingerprint
	Functions  int         `json:"functions"`            // that were instrumented
	Stack      []Frame     `json:"stack"`                // of the main goroutine, innermost call first
	Goroutines []Goroutine `json:"goroutines,omitempty"` // if there are others, or it waits: all, the main one first
	Variables  []Variable  `json:"variables"`            // of packages
	Libraries  []Variable  `json:"libraries,omitempty"`
	Objects    int         `json:"objects"`
	HeapBytes  int         `json:"heapBytes"`
	Types      []TypeSize  `json:"types"` // largest first

	// Sizes are those of the variables, largest first.
	Sizes []VariableSize `json:"sizes"`
	// Shared are the objects that several variables reach, by the variables, largest first.
	Shared []Shared `json:"shared,omitempty"`
	// Rest are the bytes that no variable reaches: what the runtime keeps of the stacks.
	Rest int `json:"rest"`

	// Since is the checkpoint that Changed, New and Gone are since; 0 if there is none before.
	Since   uint64 `json:"since,omitempty"`
	Changed int    `json:"changed,omitempty"`
	New     int    `json:"new,omitempty"`
	Gone    int    `json:"gone,omitempty"` // bytes of objects to which nothing corresponds any more

	image *heap.Image // while the report is made
}

// Shared is what a set of variables reaches, and no other variable.
type Shared struct {
	Variables []string `json:"variables"`
	Objects   int      `json:"objects"`
	Bytes     int      `json:"bytes"`
	Changed   int      `json:"changed,omitempty"`
	New       int      `json:"new,omitempty"`
}

// A Goroutine is one of several.
type Goroutine struct {
	section.Goroutine
	Stack []Frame `json:"stack,omitempty"` // innermost call first
}

// A Frame is one activation with its live variables.
type Frame struct {
	section.Frame
	Variables []Variable `json:"variables,omitempty"`
}

// A Variable is a name, a type, and a value as text.
type Variable struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value string `json:"value"`
	// Generated is set for a variable that is not in the source, such as the operand of a call that
	// is being made.
	Generated bool `json:"generated,omitempty"`

	value heap.Value // while the report is made
	key   string     // the same for the same variable of another checkpoint
}

// A VariableSize tells what a variable reaches.
type VariableSize struct {
	Name string `json:"name"`
	// Bytes are those of the variable and of all objects that it reaches; Alone are those of them
	// that no other variable reaches.
	Bytes int `json:"bytes"`
	Alone int `json:"alone"`
	// Changed are the bytes of values that are not what they were at the checkpoint before, and New
	// those of objects that were not there (see heap.Difference).
	Changed int `json:"changed,omitempty"`
	New     int `json:"new,omitempty"`
}

// A TypeSize tells how much of the heap is of one type.
type TypeSize struct {
	Type    string `json:"type"`
	Objects int    `json:"objects"`
	Bytes   int    `json:"bytes"`
	Changed int    `json:"changed,omitempty"`
	New     int    `json:"new,omitempty"`

	id int // of the type in the image, while the report is made
}
