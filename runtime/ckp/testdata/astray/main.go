// A program that goes astray: what calls the function with the checkpoint in it calls another one when
// it is to be there again, if it is told to, and recovers from whatever panic comes of that.
package main

import (
	"fmt"
	"os"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

type frame struct{ At, i int }

func (fr *frame) ResumePoint() (*shadow.Function, int) { return programFunction, fr.At }

type firstFrame struct{ At int }

func (fr *firstFrame) ResumePoint() (*shadow.Function, int) { return firstFunction, fr.At }

var turned bool

func program() {
	var i int
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(programFunction).(*frame); ok {
			i = fr.i
			goto resume1
		}
	}
again:
	fmt.Println("step", i)
resume1:
	if turned {
		other()
	} else {
		first(i)
	}
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&frame{At: 1, i: i})
		return
	}
	if i++; i < 4 {
		goto again
	}
	fmt.Println("done")
}

func other() {
	defer func() {
		if x := recover(); x != nil {
			fmt.Println("recovered:", x)
		}
	}()
	second()
}

func first(i int) {
	if shadow.Busy != 0 && shadow.Enter(firstFunction) != nil {
		goto resume1
	}
	turned = i == 2 && os.Getenv("ASTRAY") != ""
resume1:
	ckp.Checkpoint()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&firstFrame{At: 1})
	}
}

func second() {
	if shadow.Busy != 0 {
		shadow.Enter(secondFunction)
	}
	fmt.Println("computed with what is not there")
}

func main() { ckp.Main(program) }

var (
	programFunction = function("program", 38)
	firstFunction   = function("first", 66)
	secondFunction  = function("second", 0)
)

func function(name string, line int) *shadow.Function {
	return &shadow.Function{Description: &shadow.Description{
		Name: "main." + name, File: "example.org/astray/main.go", Line: 1, Fingerprint: name, Points: []shadow.Point{{Line: line, Call: "the call"}},
	}}
}

func init() {
	shadow.Register(&shadow.Package{
		Path:      "main",
		Functions: []*shadow.Function{programFunction, firstFunction, secondFunction},
		Globals:   []shadow.Global{{Name: "main.turned", Ptr: &turned}},
	})
}
