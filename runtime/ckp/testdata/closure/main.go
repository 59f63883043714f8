// ../closure-plain, instrumented by hand as the precompiler does it, with an
// opportunity for a checkpoint in the func literal.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

var (
	handlers []func(int) bool
	last     error = io.EOF
	out            = io.Writer(os.Stdout)
	errOdd         = errors.New("odd")
)

type forEach_frame struct {
	At         int
	n, hits, i int
	f          func(int) bool
}

func (fr *forEach_frame) ResumePoint() (*shadow.Function, int) { return forEach_function, fr.At }

func forEach(n int, f func(int) bool) (result int) {
	var hits, i int
	var tmp bool
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(forEach_function).(*forEach_frame); ok {
			n, hits, i, f = fr.n, fr.hits, fr.i, fr.f
			goto resume1
		}
	}
loop:
	if i >= n {
		return hits
	}
resume1:
	tmp = f(i)
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&forEach_frame{At: 1, n: n, hits: hits, i: i, f: f})
		return
	}
	if tmp {
		hits++
	}
	i++
	goto loop
}

type main_closure1 struct {
	total *int
	seen  *[]int
}

func (e *main_closure1) Func() any { return e.call }

type main_closure1_frame struct {
	At int
	e  *main_closure1
	i  int
}

func (fr *main_closure1_frame) ResumePoint() (*shadow.Function, int) {
	return closure1_function, fr.At
}

func (e *main_closure1) call(i int) (result bool) {
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(closure1_function).(*main_closure1_frame); ok {
			e, i = fr.e, fr.i
			goto resume1
		}
	}
	*e.total += i * i
	*e.seen = append(*e.seen, i)
	fmt.Fprintln(out, "seen", i, *e.total)
	if len(os.Args) > 1 {
		time.Sleep(10 * time.Millisecond)
	}
resume1:
	ckp.Checkpoint()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&main_closure1_frame{At: 1, e: e, i: i})
		return
	}
	return *e.total%2 == 0
}

type program_frame struct {
	At         int
	total      *int
	seen       *[]int
	hits, more int
	last2      error
}

func (fr *program_frame) ResumePoint() (*shadow.Function, int) { return program_function, fr.At }

func program() {
	var total *int
	var seen *[]int
	var hits, more int
	var last2 error
	var tmp bool
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(program_function).(*program_frame); ok {
			total, seen, hits, more, last2 = fr.total, fr.seen, fr.hits, fr.more, fr.last2
			switch fr.At {
			case 1:
				goto resume1
			case 2:
				goto resume2
			case 3:
				goto resume3
			}
		}
	}
	total, seen = new(int), new([]int)
	handlers = append(handlers, (&main_closure1{total, seen}).call)
resume1:
	hits = forEach(20, handlers[0])
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&program_frame{At: 1, total: total, seen: seen})
		return
	}
	last2 = errOdd
resume2:
	more = forEach(5, handlers[0])
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&program_frame{At: 2, total: total, seen: seen, hits: hits, last2: last2})
		return
	}
resume3:
	tmp = handlers[0](1)
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&program_frame{At: 3, total: total, seen: seen, hits: hits, more: more, last2: last2})
		return
	}
	fmt.Fprintln(out, hits, more, *total, *seen, last == io.EOF, last2 == errOdd, tmp, *total)
}

func main() { ckp.Main(program) }

var (
	forEach_function  = &shadow.Function{Description: &shadow.Description{Name: "main.forEach", File: "example.org/closure/main.go", Line: 20, Fingerprint: "f", Points: []shadow.Point{{Line: 23, Column: 6, Call: "f"}}}}
	closure1_function = &shadow.Function{Description: &shadow.Description{Name: "main.(*main_closure1).call", File: "example.org/closure/main.go", Line: 33, Fingerprint: "c", Points: []shadow.Point{{Line: 40, Column: 3, Call: "ckp.Checkpoint"}}}}
	program_function  = &shadow.Function{Description: &shadow.Description{Name: "main.program", File: "example.org/closure/main.go", Line: 30, Fingerprint: "p", Points: []shadow.Point{{Line: 42, Column: 10, Call: "forEach"}, {Line: 44, Column: 10, Call: "forEach"}, {Line: 45, Column: 90, Call: "handlers[0]"}}}}
)

func init() {
	shadow.Register(&shadow.Package{
		Path:      "example.org/closure",
		Functions: []*shadow.Function{forEach_function, closure1_function, program_function},
		Globals: []shadow.Global{
			{Name: "main.handlers", Ptr: &handlers},
			{Name: "main.last", Ptr: &last},
			{Name: "main.out", Ptr: &out},
			{Name: "main.errOdd", Ptr: &errOdd},
		},
		Named: []shadow.Global{{Name: "io.EOF", Ptr: &io.EOF}, {Name: "os.Stdout", Ptr: &os.Stdout}},
		Envs:  []any{(*main_closure1)(nil)},
	})
}
