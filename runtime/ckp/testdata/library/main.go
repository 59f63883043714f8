// A program with a library that has state, a checkpoint function and a
// committer of its own, as bsp has.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
	"github.com/ckpgen/ckpgen/store"
)

type state struct {
	Queue []int
	Steps int
}

type library struct {
	st        state
	connected bool // not saved: made again by Restored
}

var lib = &library{connected: true}

func (l *library) Name() string { return "counting" }
func (l *library) State() any   { return &l.st }
func (l *library) Restored() error {
	run, ok := ckp.Current()
	if !ok || run.Base == 0 {
		return fmt.Errorf("restored without a run: %+v", run)
	}
	if l.st.Steps == 0 || len(l.st.Queue) != l.st.Steps {
		return fmt.Errorf("state was not rebuilt: %+v", l.st)
	}
	l.connected = true
	if os.Getenv("LIBRARY_TEST_REQUEST") != "" {
		ckp.Request(ckp.SaveAndStop)
	}
	return nil
}

func (l *library) Begin(d ckp.Decision) ckp.Commit {
	run, _ := ckp.Current()
	seq, steps := run.Next-1, l.st.Steps
	return func(write func(io.Writer) error) error {
		part, err := run.Store.WritePart(run.Epoch, seq, 0, write)
		if err != nil {
			return err
		}
		return run.Store.Commit(store.Manifest{Seq: seq, Epoch: run.Epoch, Superstep: uint64(steps), Size: 1, Program: run.Program, Note: d.String(), Parts: []store.Part{part}})
	}
}

// sync is the library's checkpoint function.
//
//ckp:point
func sync() {
	if ckp.Arrived() {
		return
	}
	if !lib.connected {
		panic("the library was not restored")
	}
	lib.st.Steps++
	lib.st.Queue = append(lib.st.Queue, lib.st.Steps)
	if lib.st.Steps == 3 && len(os.Args) > 1 {
		ckp.Request(ckp.SaveAndStop)
	}
	if d := ckp.Due(); d != ckp.None {
		_ = ckp.Begin(d)
		return
	}
}

type program_frame struct{ At, i int }

func (fr *program_frame) ResumePoint() (*shadow.Function, int) { return program_function, fr.At }

func program() {
	var i int
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(program_function).(*program_frame); ok {
			i = fr.i
			goto resume1
		}
	}
loop:
	if i >= 10 {
		fmt.Println("end", lib.st)
		return
	}
	fmt.Println(i, lib.st.Steps)
resume1:
	sync()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&program_frame{At: 1, i: i})
		return
	}
	i++
	goto loop
}

func main() { ckp.Main(program) }

var program_function = &shadow.Function{Description: &shadow.Description{Name: "main.program", File: "example.org/library/main.go", Line: 80, Fingerprint: "p", Points: []shadow.Point{{Line: 97, Call: "sync"}}}}

func init() {
	ckp.Use(lib)
	ckp.SetCommitter(lib)
	shadow.Register(&shadow.Package{Path: "main", Functions: []*shadow.Function{program_function}})
}
