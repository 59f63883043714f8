package main

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A caches has two maps of the same type, which begin as empty ones of another.
type caches struct{ filled, empty unsafe.Pointer }

type shower interface{ show(any) string }

func newCaches() *caches {
	c := new(caches)
	atomic.StorePointer(&c.filled, unsafe.Pointer(&map[string]shower{}))
	atomic.StorePointer(&c.empty, unsafe.Pointer(&map[string]shower{}))
	return c
}

type quoted struct{ n int }

func (q *quoted) show(x any) string {
	q.n++
	return fmt.Sprintf("%q", x)
}

func (c *caches) add(t reflect.Type, s shower) { adds(&c.filled, t, s) }

func adds(cache *unsafe.Pointer, t reflect.Type, s shower) {
	for done := false; !done; {
		p := atomic.LoadPointer(cache)
		copied := map[reflect.Type]shower{}
		for k, v := range *(*map[reflect.Type]shower)(p) {
			copied[k] = v
			ckp.Checkpoint()
		}
		copied[t] = s
		done = atomic.CompareAndSwapPointer(cache, p, unsafe.Pointer(&copied))
	}
}

func (c *caches) get(t reflect.Type) shower {
	if s := (*(*map[reflect.Type]shower)(atomic.LoadPointer(&c.filled)))[t]; s != nil {
		return s
	}
	p := atomic.LoadPointer(&c.empty)
	empty := *(*map[reflect.Type]shower)(p)
	ckp.Checkpoint()
	return empty[t]
}

func cached() (n int) {
	c := newCaches()
	q := new(quoted)
	for _, x := range []any{1, "a", 2.5, 'b', nil, 3, "c"} {
		ckp.Checkpoint()
		s := c.get(reflect.TypeOf(x))
		if s == nil {
			c.add(reflect.TypeOf(x), q)
			s = q
		}
		n += len(s.show(x))
	}
	adds(&c.empty, nil, q)
	ckp.Checkpoint()
	return n*100 + q.n*10 + len(*(*map[reflect.Type]shower)(c.empty))
}
