package ckp

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// A failure that comes back with the next checkpoint is the same, in the process that
// had it and in those that were told of it.
func TestCause(t *testing.T) {
	full := errors.New("no space left on device")
	assert.Equal(t, cause(fmt.Errorf("ckpt-00000001: %w", full)), cause(fmt.Errorf("ckpt-00000002: %w", full)))
	assert.Equal(t, cause(errors.New("process 1: ckpt-00000003: full")), cause(errors.New("process 1: ckpt-00000014: full")))
	assert.NotEqual(t, cause(errors.New("full")), cause(errors.New("read-only")))
}

type frameOf struct{ f *shadow.Function }

func (fr *frameOf) ResumePoint() (*shadow.Function, int) { return fr.f, 1 }

// A variable that stops a checkpoint is told with its function, as the source calls it.
func TestSourcePath(t *testing.T) {
	frames := []shadow.Frame{&frameOf{&shadow.Function{Description: &shadow.Description{Name: "main.f"}}}, &frameOf{&shadow.Function{Description: &shadow.Description{Name: "main.g",
		Renamed: []shadow.Field{{Name: "x_2", Variable: "x"}, {Name: "n_cell", Variable: "*n"}, {Name: "range1"}}}}}}
	stack := describe([]shadow.Saved{{}, {Frames: frames}})
	for path, want := range map[string]string{
		"goroutines[1].Frames[1].conns[0]": "main.g: conns[0]",
		"goroutines[1].Frames[1].x_2.y":    "main.g: x.y",
		"goroutines[1].Frames[1].x_22":     "main.g: x_22",
		"goroutines[1].Frames[1].n_cell":   "main.g: n",
		"goroutines[1].Frames[1].range1":   "main.g: range1",
		"goroutines[1].Frames[0].x_2":      "main.f: x_2",
		"goroutines[2].Frames[0].x":        "goroutines[2].Frames[0].x",
		"main.conn":                        "main.conn",
	} {
		assert.Equal(t, want, sourcePath(path, stack))
	}
}
