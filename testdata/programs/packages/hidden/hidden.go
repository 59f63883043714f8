// Package hidden promotes methods of fields that other packages can't name.
package hidden

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type counter struct{ n int }

func (c *counter) Inc() int            { ckp.Checkpoint(); c.n++; return c.n }
func (c counter) Show(s string) string { ckp.Checkpoint(); return fmt.Sprint(s, c.n) }

func (c *counter) Send(to chan int) { ckp.Checkpoint(); to <- c.n }

type closer interface{ Close() error }

type file struct{ name string }

func (f *file) Close() error { ckp.Checkpoint(); fmt.Println("close", f.name); return nil }

// A Base has methods of a pointer and of an interface.
type Base struct {
	*counter
	closer
}

// New returns a Base.
func New(n int) *Base { return &Base{&counter{n}, &file{fmt.Sprint("file", n)}} }

// Replace has it count from another number.
func (b *Base) Replace(n int) { b.counter, b.closer = &counter{n}, &file{fmt.Sprint("file", n)} }
