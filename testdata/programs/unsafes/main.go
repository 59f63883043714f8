// Unsafes keeps what it has behind unsafe pointers: in fields that are read and written atomically or not, in a type that is
// one, of a number or a struct, in package variables, and in the words of interfaces and strings.
package main

import (
	"fmt"
	"math/big"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/unsafes/shelf"
)

type tree struct {
	key         int
	left, right *tree
}

func (t *tree) with(key int) *tree {
	ckp.Checkpoint()
	if t == nil {
		return &tree{key: key}
	}
	n := *t
	if key < t.key {
		n.left = t.left.with(key)
	} else {
		n.right = t.right.with(key)
	}
	return &n
}

func (t *tree) sum() int {
	if t == nil {
		return 0
	}
	return t.key + t.left.sum() + t.right.sum()
}

// A database is read while its next version is made.
type database struct {
	root unsafe.Pointer // *tree
	next unsafe.Pointer // *database
	last unsafe.Pointer // *tree
}

func (d *database) add(key int) {
	for {
		t := (*tree)(atomic.LoadPointer(&d.root)).with(key)
		if atomic.CompareAndSwapPointer(&d.root, unsafe.Pointer(d.tree()), unsafe.Pointer(t)) {
			d.last = unsafe.Pointer(&tree{key: key})
			return
		}
	}
}

func (d *database) tree() *tree { return (*tree)(atomic.LoadPointer(&d.root)) }

type list struct {
	first unsafe.Pointer // *node
	n     int
}

type node struct {
	v    int
	next unsafe.Pointer // *node
}

func (l *list) push(v int) {
	n := &node{v: v, next: nil}
	if l.first != nil {
		n = &node{v, unsafe.Pointer((*node)(l.first))}
	}
	l.first = unsafe.Pointer(n)
	l.n++
	ckp.Checkpoint()
}

func (l *list) sum() (s int) {
	for n := (*node)(l.first); n != nil; n = (*node)(n.next) {
		s += n.v
	}
	return s
}

// A number is a big.Int.
type number unsafe.Pointer

type value struct{ n number }

func big1(x *big.Int) any { return value{number(x)} }

func (v value) big() *big.Int { return (*big.Int)(v.n) }

// A union is a number, a string or anything else.
type union struct {
	typ unsafe.Pointer
	ptr unsafe.Pointer
	num uint64
}

type words struct{ typ, data unsafe.Pointer }

func typeOf(x any) unsafe.Pointer { return (*words)(unsafe.Pointer(&x)).typ }

var textType, numberType = typeOf(""), typeOf(uint64(0))

func ofNumber(n uint64) union { return union{typ: numberType, num: n} }

func ofText(s string) union {
	return union{typ: textType, ptr: unsafe.Pointer(unsafe.StringData(s)), num: uint64(len(s))}
}

func ofAny(x any) union {
	w := (*words)(unsafe.Pointer(&x))
	return union{typ: w.typ, ptr: w.data}
}

func (u union) get() (x any) {
	switch u.typ {
	case numberType:
		return u.num
	case textType:
		return unsafe.String((*byte)(u.ptr), u.num)
	}
	*(*words)(unsafe.Pointer(&x)) = words{u.typ, u.ptr}
	return x
}

// counted has what a func value is as an unsafe pointer, besides the func value.
func counted() {
	n := 0
	count := func() int { n++; return n }
	itself := *(*unsafe.Pointer)(unsafe.Pointer(&count))
	ckp.Checkpoint()
	again := *(*func() int)(unsafe.Pointer(&itself))
	fmt.Println(count(), again(), n, *(*unsafe.Pointer)(unsafe.Pointer(&count)) == itself)
}

func main() {
	variables()
	unions := map[int]union{0: ofText(""), 1: ofAny(nil)}
	d := new(database)
	l := new(list)
	product := big1(big.NewInt(1))
	for i := 1; i < 30; i++ {
		d.add(i * 7919 % 101)
		l.push(i)
		unions[len(unions)] = ofNumber(uint64(i))
		unions[len(unions)] = ofText(fmt.Sprint("text ", i))
		unions[len(unions)] = ofAny(float64(i) / 4)
		unions[len(unions)] = ofAny(map[string]*node{"last": (*node)(l.first)})
		unions[len(unions)] = ofAny((*node)(l.first))
		product = big1(new(big.Int).Mul(product.(value).big(), big.NewInt(int64(i))))
		ckp.Checkpoint()
	}
	for i := range len(unions) {
		switch x := unions[i].get().(type) {
		case map[string]*node:
			if p := unions[i+1].get().(*node); p != x["last"] {
				fmt.Println("another node:", p.v, x["last"].v)
			}
		case *node:
			fmt.Print(x.v, " ")
		}
	}
	for i := range len(unions) {
		switch x := unions[i].get().(type) {
		case nil, uint64, float64, string:
			fmt.Print(x, ",")
		}
	}
	fmt.Println()
	fmt.Println(d.tree().sum(), (*tree)(d.last).key, d.next == nil, l.sum(), l.n, product.(value).big())
	s := shelf.New()
	for i := range 20 {
		s.Put(fmt.Sprint("key ", i*7%20), i)
	}
	fmt.Println(s)
	counted()
	generic()
	among()
	several()
	results()
	fmt.Println(viewedWords(1), viewedWords(2))
	fmt.Println(tabled())
	fmt.Println(marked())
	fmt.Println(exchanged())
	fmt.Println(borne())
	fmt.Println(listed())
	fmt.Println(cached())
	fmt.Println(numbered(reflect.ValueOf(counter)), numbered(nowhere{}))
	recast()
}

// A number that becomes a pointer does so before the next checkpoint.
func numbered(x interface{ Pointer() uintptr }) int {
	return plus(unsafe.Pointer(x.Pointer()), saved(3))
}

var counter = new(int)

type nowhere struct{}

func (nowhere) Pointer() uintptr {
	ckp.Checkpoint()
	return 0
}

func saved(n int) int {
	*counter++
	ckp.Checkpoint()
	return n
}

func plus(p unsafe.Pointer, n int) int {
	if p == nil {
		return n
	}
	return *(*int)(p) + n
}

// The declaration tells what this leads to, and a table that is written is saved.
var table = address(&[...]uint8{3, 1, 4, 1, 5, 9})

type address = unsafe.Pointer

func tabled() (list []uint8) {
	for i := range 6 {
		at := (*uint8)(unsafe.Add(table, i))
		*at += 10
		ckp.Checkpoint()
		list = append(list, *(*uint8)(unsafe.Pointer(uintptr(table) + uintptr(i))))
	}
	return append(list, *(*uint8)(table))
}

type header struct {
	data     unsafe.Pointer
	len, cap int
}

// So does it of a struct, and of what new makes, or a function of its parameter, which nothing else leads to.
var (
	none     = unsafe.Pointer(&header{cap: 2})
	expunged = unsafe.Pointer(new(any))
	seven    = unsafe.Pointer(variable(7))
	yes      = unsafe.Pointer(variable(true))
)

func variable[T any](x T) *T { return &x }

func marked() (list []bool) {
	marks := []unsafe.Pointer{none, expunged, none}
	for i := range 3 {
		(*header)(none).len++
		*(*any)(expunged) = i
		*(*int)(seven) += i
		ckp.Checkpoint()
		list = append(list, marks[0] == none, marks[1] == expunged, marks[2] == marks[0], marks[0] == marks[1])
		list = append(list, (*header)(marks[2]).len == i+1, (*header)(none).cap == 2, *(*any)(marks[1]) == i, *(*int)(seven) == 7+i*(i+1)/2, *(*bool)(yes))
	}
	none, expunged = expunged, none // what they lead to has its names nevertheless
	ckp.Checkpoint()
	return append(list, marks[0] == expunged, marks[1] == none)
}

type follower struct {
	n    int
	next *follower
}

// The address of a pointer, also of one on the stack, is that of an unsafe pointer to functions of sync/atomic.
func exchanged() (list []int) {
	c := &follower{n: 1}
	var first *follower
	next, start := (*unsafe.Pointer)(unsafe.Pointer(&c.next)), (*unsafe.Pointer)(unsafe.Pointer(&first))
	for i := range 4 {
		old := atomic.LoadPointer(next)
		ckp.Checkpoint()
		if atomic.CompareAndSwapPointer(next, old, unsafe.Pointer(&follower{n: 10 * i, next: (*follower)(old)})) {
			*start = *next
		}
		ckp.Checkpoint()
		for x := first; x != nil; x = x.next {
			list = append(list, x.n)
		}
		list = append(list, c.next.n)
	}
	return list
}
