package shadow

import (
	"sync/atomic"
	"unsafe"
)

// The frames of rewritten functions are larger than those of the originals, so that a
// goroutine outgrows its first stack of 2 KiB earlier. Each time a stack is outgrown,
// the runtime makes one twice as large and finds and adjusts the pointers of all
// frames; in programs of many short goroutines that can take a tenth of the time.
// So a goroutine whose like outgrew their stacks grows its own at once, as long
// as it is empty.
//
// Goroutines are alike if they start with the same code. They vote: one that was moved although it
// had grown to the present size raises the score of its like. Each probe-th starts one size smaller
// and lowers the score if that was enough, so that the size is one that about a quarter of them
// would outgrow without. One that outgrows the smaller size does so where its stack is deep, which
// can take five times as long as to grow an empty one: the more of them did in a row, the fewer
// try.

// sizes are the stacks that a goroutine may begin with, each four times as large as the
// one before.
var sizes = [...]func(){nil, grow8, grow32, grow128}

const (
	step    = 8 // votes from one size to the next
	probe   = 8
	doubled = 3 // how often the distance of probes is doubled at most
)

// depths are the votes of goroutines, by a hash of their code.
var depths [256]struct {
	score  atomic.Int32  // of step for each of the sizes
	runs   atomic.Uint32 // since the last probe
	failed atomic.Uint32 // probes in a row that were moved
}

// Run returns the first function of a goroutine that is to call f: go Run(f)(). It grows the stack
// itself, as each frame that is there makes growing a stack a fifth more expensive. It is not
// written into other functions, so that the first function has a name of its own in stack traces
// (isOwn).
//
//go:noinline
func Run(f func()) func() {
	return func() {
		g := growthOf(f)
		if g.grow != nil {
			g.grow()
		}
		at := here()
		f()
		g.vote(here() != at)
	}
}

// A growth is what a goroutine will vote on.
type growth struct {
	grow    func() // grows the stack; nil: it is as large as it is to be
	score   *atomic.Int32
	failed  *atomic.Uint32
	seen    int32 // the score when it began
	probing bool  // one size smaller than the score says
}

// growthOf tells how the stack of a goroutine that is to call f is to be grown.
func growthOf(f func()) growth {
	if f == nil {
		return growth{score: new(atomic.Int32)} // the call panics
	}
	code := **(**uintptr)(unsafe.Pointer(&f)) // a func value points to a word with its code
	d := &depths[(code>>4^code>>12)%uintptr(len(depths))]
	g := growth{score: &d.score, failed: &d.failed, seen: d.score.Load()}
	size := g.seen / step
	if size > 0 && d.runs.Add(1) >= probe<<min(d.failed.Load(), doubled) {
		d.runs.Store(0)
		g.probing = true
		size--
	}
	g.grow = sizes[size]
	return g
}

// vote is called when the goroutine has nothing more to do. moved tells that its stack was, since
// it was grown.
func (g growth) vote(moved bool) {
	switch {
	case moved && g.probing:
		g.failed.Add(1)
	case moved && g.seen < step*int32(len(sizes))-1:
		g.score.CompareAndSwap(g.seen, g.seen+1)
	case g.probing && !moved:
		g.failed.Store(0)
		g.score.CompareAndSwap(g.seen, max(0, g.seen-step/2))
	}
}

// here returns an address in the stack: for one and the same function that calls it, another one
// after the stack has been moved.
//
//go:noinline
func here() uintptr {
	var b byte
	return uintptr(unsafe.Pointer(&b))
}

// Functions whose frames have room for large arguments, which are never passed, so
// that nothing is written to them. The frames are twice as large: values are copied twice.

//go:noinline
func grow8() {
	if Busy < 0 {
		take3(*none3)
	}
}

//go:noinline
func grow32() {
	if Busy < 0 {
		take12(*none12)
	}
}

//go:noinline
func grow128() {
	if Busy < 0 {
		take48(*none48)
	}
}

var (
	none3  *[3 << 10]byte
	none12 *[12 << 10]byte
	none48 *[93 << 10]byte
)

//go:noinline
func take3([3 << 10]byte) {}

//go:noinline
func take12([12 << 10]byte) {}

//go:noinline
func take48([93 << 10]byte) {}
