// ../walk-plain, instrumented by hand as the precompiler does it.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

type node struct {
	key         int
	left, right *node
	parent      *node
	load        load
}

var (
	visits  int
	byDepth = map[int]int{}
	current *node
	pause   = parsePause()
)

func parsePause() time.Duration {
	if len(os.Args) < 2 {
		return 0
	}
	d, err := time.ParseDuration(os.Args[1])
	if err != nil {
		panic(err)
	}
	return d
}

func build(lo, hi int, parent *node) *node {
	if lo > hi {
		return nil
	}
	mid := (lo + hi) / 2
	n := &node{key: mid, parent: parent}
	n.left, n.right = build(lo, mid-1, n), build(mid+1, hi, n)
	return n
}

type walk_frame struct {
	At            int
	t             *node
	depth, sum, i int
}

func (fr *walk_frame) ResumePoint() (*shadow.Function, int) { return &walk_function, fr.At }

func walk(t *node, depth int) (sum int) {
	var i, result int
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(&walk_function).(*walk_frame); ok {
			t, depth, sum, i = fr.t, fr.depth, fr.sum, fr.i
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
	if t == nil {
		return 0
	}
	current = t
	i = 0
loop:
	if i >= 3 {
		goto done
	}
	sum += i * t.key
resume1:
	step(depth, sum)
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&walk_frame{At: 1, t: t, depth: depth, sum: sum, i: i})
		return
	}
	i++
	goto loop
done:
resume2:
	result = walk(t.left, depth+1)
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&walk_frame{At: 2, t: t, depth: depth, sum: sum})
		return
	}
	sum += result
	if current != t && current.parent != t {
		current = t
	}
resume3:
	result = walk(t.right, depth+1)
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&walk_frame{At: 3, t: t, depth: depth, sum: sum})
		return
	}
	sum += result
	return sum
}

type step_frame struct{ At int }

func (fr *step_frame) ResumePoint() (*shadow.Function, int) { return &step_function, fr.At }

func step(depth, sum int) {
	if shadow.Busy != 0 {
		if _, ok := shadow.Enter(&step_function).(*step_frame); ok {
			goto resume1
		}
	}
	visits++
	byDepth[depth]++
	fmt.Println(visits, depth, sum, current.key, byDepth[depth])
	time.Sleep(pause)
resume1:
	ckp.Checkpoint()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&step_frame{At: 1})
		return
	}
}

type program_frame struct {
	At int
	t  *node
}

func (fr *program_frame) ResumePoint() (*shadow.Function, int) { return &program_function, fr.At }

func program() {
	var t *node
	var sum int
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(&program_function).(*program_frame); ok {
			t = fr.t
			goto resume1
		}
	}
	t = build(1, 15, nil)
resume1:
	sum = walk(t, 0)
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&program_frame{At: 1, t: t})
		return
	}
	fmt.Println("sum", sum, "visits", visits, byDepth, current == t)
	if len(os.Args) > 2 {
		os.Exit(7)
	}
}

func main() { ckp.Main(program) }

// Set by the linker to make it another program.
var walkFingerprint = "w1"

var (
	walk_function    = shadow.Function{Description: &shadow.Description{Name: "main.walk", File: "example.org/walk/main.go", Line: 43}}
	step_function    = shadow.Function{Description: &shadow.Description{Name: "main.step", File: "example.org/walk/main.go", Line: 60}}
	program_function = shadow.Function{Description: &shadow.Description{Name: "main.program", File: "example.org/walk/main.go", Line: 67}}
)

func init() {
	walk_function.Description.Fingerprint = walkFingerprint
	walk_function.Description.Points = []shadow.Point{{Line: 50, Column: 3, Call: "step"}, {Line: 52, Column: 9, Call: "walk"}, {Line: 56, Column: 9, Call: "walk"}}
	step_function.Description.Fingerprint = "s1"
	step_function.Description.Points = []shadow.Point{{Line: 64, Column: 2, Call: "ckp.Checkpoint"}}
	program_function.Description.Fingerprint = "p1"
	program_function.Description.Points = []shadow.Point{{Line: 69, Column: 9, Call: "walk"}}
	shadow.Register(&shadow.Package{
		Path:      "example.org/walk",
		Functions: []*shadow.Function{&walk_function, &step_function, &program_function},
		Globals: []shadow.Global{
			{Name: "main.visits", Ptr: &visits},
			{Name: "main.byDepth", Ptr: &byDepth},
			{Name: "main.current", Ptr: &current},
		},
	})
}
