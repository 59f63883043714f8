package ckp

import (
	"reflect"
	"sync/atomic"
	_ "unsafe" // for go:linkname
)

// A swapper swaps the elements of a slice.
type swapper struct {
	slice any
	made  atomic.Pointer[func(i, j int)] // what package reflect has made for it, which is not saved
}

// sliceSwapper returns what a program gets that calls reflect.Swapper: a func value that does the
// same and can be saved. It is called by packages that may be initialised before this one.
//
//go:linkname sliceSwapper
func sliceSwapper(slice any) func(i, j int) {
	s := &swapper{slice: slice}
	s.make()
	return s.swap
}

func (s *swapper) make() *func(i, j int) {
	made := reflect.Swapper(s.slice)
	s.made.Store(&made)
	return &made
}

func (s *swapper) swap(i, j int) {
	made := s.made.Load()
	if made == nil {
		made = s.make()
	}
	(*made)(i, j)
}

// madeSwap is the field of a swapper that is left out of checkpoints.
func madeSwap() string { return reflect.TypeFor[swapper]().PkgPath() + ".swapper.made" }
