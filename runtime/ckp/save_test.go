package ckp

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ckpgen/ckpgen/heap"
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

// A variable that can't be saved is told with its function.
func TestLocated(t *testing.T) {
	frames := []shadow.Frame{&frameOf{&shadow.Function{Name: "main.f"}}, &frameOf{&shadow.Function{Name: "main.g"}}}
	goroutines := []shadow.Saved{{}, {Frames: frames}}
	err := located(&heap.UnsupportedError{Path: "goroutines[1].Frames[1].conns[0]", Type: "net.TCPConn", Why: "it is open"}, goroutines)
	assert.EqualError(t, err, "heap: main.g: conns[0] (net.TCPConn) can't be saved: it is open")
	other := &heap.UnsupportedError{Path: "main.conn"}
	assert.Same(t, other, located(other, goroutines))
	assert.NoError(t, located(nil, goroutines))
}
