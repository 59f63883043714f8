package main

import (
	. "unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A digit is kept by a file that calls the functions of package unsafe without its name.
type digit int16

func digits() []digit {
	p := SliceData([]digit{3, 1, 4, 1, 5})
	ckp.Checkpoint()
	return Slice(p, 5)
}
