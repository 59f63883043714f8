package main

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/firsts/parts"
)

// The compiler has these on the stack of what calls the functions that make them, as it does not see that their beginnings are kept.

// A shelf is a part of a cupboard, and begins with a width.
type (
	width int
	shelf struct {
		width
		next *shelf
	}
	cupboard struct {
		shelf
		name string
		in   [70]*string
	}
	plank struct {
		width
		from string
		rest [70]*string
	}
)

func newCupboard(name string) *shelf {
	c := &cupboard{name: name}
	c.width = width(len(name))
	c.in[69] = &c.name
	return &c.shelf
}

func newPart(name string) *shelf {
	return (*shelf)(unsafe.Pointer(&cupboard{name: name}))
}

func newPlank(from string) *width {
	p := plank{from: from}
	p.rest[1] = &from
	return &p.width
}

func (s *shelf) cupboard() *cupboard { return (*cupboard)(unsafe.Pointer(s)) }

func (w *width) plank() *plank { return (*plank)(unsafe.Pointer(w)) }

// title is a method of the part, of which the whole is known after the checkpoint only.
func (s *shelf) title() string {
	twice()
	return s.cupboard().name + " " + *s.cupboard().in[69]
}

func (w *width) wood() string {
	twice()
	return w.plank().from
}

// A missive begins with what another package has.
type missive struct {
	parts.Part
	text string
	rest [70]*string
}

func newLetter(text string) *parts.Part {
	l := missive{text: text}
	l.Letters = len(text)
	l.rest[2] = &l.text
	return &l.Part
}

func read(p *parts.Part) string {
	return (*missive)(unsafe.Pointer(p)).text + *(*missive)(unsafe.Pointer(p)).rest[2]
}

// A pile is kept as the first of its sheets, and so are names.
type (
	sheet struct {
		text string
		n    int
	}
	pile struct {
		first *sheet
		names *string
	}
)

func (p pile) sheets() []sheet { return unsafe.Slice(p.first, 40) }

func (p pile) all() []string { return unsafe.Slice(p.names, 40) }

func newPile() pile {
	var sheets [40]sheet
	names := make([]string, 40)
	for i := range sheets {
		sheets[i] = sheet{fmt.Sprint("sheet ", i), i}
		names[i] = fmt.Sprint(i)
	}
	return pile{&sheets[0], &names[0]}
}

func beginnings() {
	s, t, w, l := newCupboard(fmt.Sprint("large ", 1)), newPart(fmt.Sprint("part ", 2)), newPlank(fmt.Sprint("oak ", 3)), newLetter(fmt.Sprint("dear ", 4))
	twice()
	fmt.Println(*s.cupboard().in[69], s.cupboard().name, s.width, t.cupboard().name, w.plank().from, *w.plank().rest[1], read(l))
	p := newPile()
	twice()
	fmt.Println(p.sheets(), p.all())
	c := cupboard{name: strings.Repeat("c", 3)}
	c.in[69] = &c.name
	fmt.Println(c.title())
	var hall struct {
		plank
		more string
	}
	hall.from = strings.Repeat("hall ", 2)
	fmt.Println(hall.wood())
	var both struct{ a, b missive }
	both.b.text = strings.Repeat("b", 3)
	both.b.rest[2] = &both.b.text
	defer func(p *parts.Part) { fmt.Println(read(p)) }(both.b.Same())
	d := &cupboard{name: strings.Repeat("d", 3), in: [70]*string{69: new(string)}}
	f := d.title
	fmt.Println(f())
	defer d.close()
	twice()
}

// twice takes a checkpoint here and there.
func twice() {
	ckp.Checkpoint()
	ckp.Checkpoint()
}

func (s *shelf) close() {
	twice()
	fmt.Println("closed", s.cupboard().name)
}
