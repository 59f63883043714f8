package heap

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow/goroutine"
)

type hidingNode struct {
	name  string
	next  *hidingNode
	bytes [24]byte
	count [4]int64
}

func (n *hidingNode) all() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(n)), unsafe.Sizeof(*n))
}

// TestHiding captures slices of numbers that are memory with references.
func TestHiding(t *testing.T) {
	type kept struct {
		bytes  []byte
		text   string
		counts []int64
		array  *[24]byte
		all    *[unsafe.Sizeof(hidingNode{})]byte
	}
	node := func() *hidingNode { return &hidingNode{name: strings.Repeat("n", 3), next: &hidingNode{name: "next"}} }
	address := make([]uintptr, 8)
	address[3] = uintptr(unsafe.Pointer(&address[0]))
	big := make([]*hidingNode, 10000)
	big[9000] = node()
	for _, test := range []struct {
		what string
		v    kept
		want string
	}{
		{"a node", kept{bytes: node().all()}, "v.bytes"},
		{"a string", kept{text: unsafe.String(&node().all()[0], 8)}, "v.text"},
		{"an array", kept{all: (*[unsafe.Sizeof(hidingNode{})]byte)(unsafe.Pointer(node()))}, "v.all"},
		{"the end of one", kept{bytes: node().all()[3:]}, "v.bytes"},
		{"many", kept{bytes: unsafe.Slice((*byte)(unsafe.Pointer(&big[0])), len(big)*strconv.IntSize/8)}, "v.bytes"},
		{"without references", kept{bytes: (&hidingNode{}).all()}, ""},
		{"its numbers", kept{bytes: node().bytes[:], counts: node().count[:], array: &node().bytes}, ""},
		{"an address as a number", kept{bytes: unsafe.Slice((*byte)(unsafe.Pointer(&address[0])), len(address)*strconv.IntSize/8)}, ""},
	} {
		opt := Options{Hiding: map[string]bool{"uint8": true}}
		_, err := Capture([]Root{{"v", &test.v}}, opt)
		var unsupported *UnsupportedError
		switch {
		case test.want == "":
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
			}
		case err == nil && strconv.IntSize == 32: // see inHeap
		case !errors.As(err, &unsupported) || unsupported.Path != test.want || !strings.Contains(unsupported.Why, hidden):
			t.Errorf("%s: %v", test.what, err)
		}
		_, err = Capture([]Root{{"v", &test.v}}, Options{})
		check(t, err == nil, test.what, err)
	}
}

// TestLiftedHiding lifts slices of the bytes of variables on the stack.
func TestLiftedHiding(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("small numbers are addresses where words have 32 bits, so they are not looked for")
	}
	hiding := map[string]bool{"uint8": true}
	type frame struct{ bytes, part []byte }
	collected := false
	lift := func(whole bool) *lifter {
		l := &lifter{Lift: NewLift(goroutine.Stack, nil, hiding), t: t}
		next := &hidingNode{name: "next"}
		runtime.SetFinalizer(next, func(*hidingNode) { collected = true })
		v := hidingNode{name: "name", next: next}
		l.on(unsafe.Pointer(&v))
		f := frame{part: v.all()[5:]}
		if whole {
			f.bytes = v.all()
		}
		l.push(&f)
		return l
	}
	l := lift(false)
	collect()
	l.finish()
	collect()
	check(t, !collected, "what the end of a slice of bytes on the stack leads to is collected")
	part := l.frames[0].(*frame).part
	next := (**hidingNode)(unsafe.Pointer(&part[unsafe.Offsetof(hidingNode{}.next)-5]))
	check(t, (*next).name == "next", *next)
	runtime.SetFinalizer(*next, nil)
	l = lift(true)
	collect()
	l.finish()
	collect()
	check(t, !collected, "what a slice of bytes on the stack leads to is collected")
	f := l.frames[0].(*frame)
	l.off(unsafe.Pointer(&f.bytes[0]))
	v := (*hidingNode)(unsafe.Pointer(&f.bytes[0]))
	check(t, v.name == "name" && v.next.name == "next", v)
	check(t, &f.bytes[5] == &f.part[0])
	_, err := Capture([]Root{{"f", f}}, Options{Hiding: hiding})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && strings.Contains(unsupported.Why, hidden), err)

	l = &lifter{Lift: NewLift(goroutine.Stack, nil, hiding), t: t}
	var of hidingNode
	of.next = &of
	l.on(unsafe.Pointer(&of))
	l.push(&frame{bytes: of.all()})
	err = l.Finish()
	check(t, err != nil && strings.Contains(err.Error(), "it has an address of the stack"), err)
}

// collect collects what nothing leads to, and runs the finalizers of that.
func collect() {
	for range 3 {
		runtime.GC()
		done := make(chan bool)
		runtime.SetFinalizer(&hidingNode{}, func(*hidingNode) { close(done) })
		runtime.GC()
		<-done
	}
}
