package main

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A failure leads to its number by a pointer that does not tell it, so that what is made of one where it is inlined has to be on the heap.
type failure struct {
	what string
	at   unsafe.Pointer
}

func (f *failure) Error() string { return fmt.Sprint(f.what, *(*int)(f.at)) }

func fail(what string, n *int) error { return &failure{what, unsafe.Pointer(n)} }

var failures int

// attempt is long, and returns an error that a literal assigns, too. The variable is declared behind a checkpoint, and no longer needed at another.
func attempt(fails bool) (string, error) {
	begun := pt(strings.Count("The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. The rest of a short function is written twice. ", "twice"))
	var err error
	again := func() { err = fmt.Errorf("%w again", err) }
	err = fail("failure ", &failures)
	failures += begun
	if fails {
		ckp.Checkpoint()
		again()
		return "", err
	}
	text := fmt.Sprint(pt("ended "), begun)
	ckp.Checkpoint()
	return text, nil
}

func assigned() {
	for _, fails := range []bool{false, true} {
		text, err := attempt(fails)
		fmt.Println(text, err)
	}
}
