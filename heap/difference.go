package heap

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
)

// What changed between two images of a program. An image has no addresses, so what an object was is
// found by the way that leads to it: from the same variable by the same fields, indexes and keys of
// maps, in both images. The shortest way counts, and an object corresponds to one object at most,
// at the same place or shifted as a whole. What the values of an object are compared with is thus
// what the program found there before: after an insertion at the head of a list, each node is
// compared with the one that was in its place.
//
// A value that is not the same counts with all its bytes: a number, and a reference that leads to
// something which does not correspond, or whose length or capacity is not the same. Strings, and
// values behind interfaces, are the same if their contents are. An entry of a map whose key was not
// there counts as changed; so does one whose key is, or has, a pointer or channel to which nothing
// leads but keys, as it can't be recognized. An object to which nothing corresponds is new.

// A Difference tells what is not the same in an image as in an older one.
type Difference struct {
	im, old *Image

	partner []partner // of the objects of im
	taken   []uint64  // of the objects of old: what they correspond to
	differ  map[uint64][]span64
	equal   map[[2]*Type]bool
	boxes   map[[2]uint64]bool // boxes that were compared
	chans   map[uint64]uint64  // channels that correspond
	reached [2][]bool          // which objects of im and of old variables lead to
	todo    []pairing
	late    []pairing // maps whose keys have references
}

// A partner is the object that one corresponds to, and how far it lies behind.
type partner struct {
	number uint64
	shift  int64
	entry  bool // keys and values of maps correspond one by one
}

type pairing struct{ number, old uint64 } // objects, or maps

type span64 struct{ off, len uint64 }

// Compare finds the differences to an older image of the same program, seen from variables: pairs
// of the same variable, of which the second is invalid if it was not there.
func (im *Image) Compare(old *Image, variables [][2]Value) *Difference {
	d := &Difference{im: im, old: old, partner: make([]partner, im.objects+1), taken: make([]uint64, old.objects+1),
		differ: make(map[uint64][]span64), equal: make(map[[2]*Type]bool), boxes: make(map[[2]uint64]bool), chans: make(map[uint64]uint64)}
	var now, then []Value
	for _, v := range variables {
		now, then = append(now, v[0]), append(then, v[1])
	}
	d.reached = [2][]bool{im.reached(now), old.reached(then)}
	for _, whole := range []bool{true, false} { // those that are objects first, which nothing else may correspond to
		for _, v := range variables {
			if v[0].b == nil || v[0].typ.size == 0 {
				continue
			}
			number, off := v[0].position()
			known := v[1].b != nil && d.sameType(v[0].typ, v[1].typ)
			switch was, oldOff := v[1].position(); {
			case whole != v[0].isObject():
			case whole && known:
				d.correspond(number, was, -int64(oldOff))
			case known:
				d.values(number, off, was, oldOff, v[0].typ, 1)
			case !whole:
				d.note(number, off, v[0].typ.size)
			}
		}
	}
	for len(d.todo) > 0 || len(d.late) > 0 {
		if len(d.todo) == 0 {
			p := d.late[0]
			d.late = d.late[1:]
			d.entries(p)
			continue
		}
		p := d.todo[0]
		d.todo = d.todo[1:]
		d.object(p)
	}
	return d
}

// Gone returns the bytes of the objects of the older image to which nothing corresponds any more,
// of those that variables led to.
func (d *Difference) Gone() int {
	gone := 0
	for i := range d.old.groups {
		g := &d.old.groups[i]
		for n := g.first; n < g.first+g.n; n++ {
			if d.taken[n] == 0 && d.reached[1][n] {
				gone += int(g.bytes(n))
			}
		}
	}
	return gone
}

// ByType returns, by the ID of the type, how many bytes of its objects are changed and how many are
// new.
func (d *Difference) ByType() map[int][2]int {
	sizes := make(map[int][2]int)
	for i := range d.im.groups {
		g := &d.im.groups[i]
		for n := g.first; n < g.first+g.n; n++ {
			if c, a := d.changed(n), d.added(n); c+a > 0 {
				s := sizes[g.typ.ID]
				sizes[g.typ.ID] = [2]int{s[0] + c, s[1] + a}
			}
		}
	}
	return sizes
}

// added returns the bytes of an object that is new.
func (d *Difference) added(number uint64) int {
	if d.partner[number].number != 0 || len(d.differ[number]) > 0 || !d.reached[0][number] {
		return 0
	}
	return int(d.im.groupOf(number).bytes(number))
}

func (d *Difference) changed(number uint64) int {
	return d.changedIn(number, 0, d.im.groupOf(number).bytes(number))
}

// changedIn returns how many bytes of a part of an object have changed.
func (d *Difference) changedIn(number, off, size uint64) int {
	n := uint64(0)
	for _, s := range d.differ[number] {
		if from, to := max(s.off, off), min(s.off+s.len, off+size); from < to {
			n += to - from
		}
	}
	return int(min(n, size))
}

func (d *Difference) note(number, off, size uint64) {
	list := d.differ[number]
	if last := len(list) - 1; last >= 0 && list[last].off+list[last].len == off {
		list[last].len += size
		return
	}
	d.differ[number] = append(list, span64{off, size})
}

func (d *Difference) sameType(t, u *Type) bool {
	key := [2]*Type{t, u}
	same, ok := d.equal[key]
	if !ok {
		same = t.Kind == u.Kind && t.size == u.size && t.String() == u.String()
		d.equal[key] = same
	}
	return same
}

// correspond makes an object correspond to an older one, shift bytes behind it, and reports whether
// it does.
func (d *Difference) correspond(number, was uint64, shift int64) bool {
	if p := d.partner[number]; p.number != 0 {
		return p.number == was && p.shift == shift
	}
	if d.taken[was] != 0 {
		return false
	}
	g, o := d.im.groupOf(number), d.old.groupOf(was)
	if g.box != o.box || !d.sameType(g.typ, o.typ) || shift%int64(g.typ.size) != 0 {
		return false
	}
	d.partner[number] = partner{number: was, shift: shift}
	d.taken[was] = number
	d.todo = append(d.todo, pairing{number, was})
	return true
}

// object compares two objects that correspond.
func (d *Difference) object(p pairing) {
	g, o := d.im.groupOf(p.number), d.old.groupOf(p.old)
	shift := d.partner[p.number].shift
	from, to := max(0, shift), min(int64(g.bytes(p.number)), int64(o.bytes(p.old))+shift)
	if from >= to {
		d.note(p.number, 0, g.bytes(p.number))
		return
	}
	if from > 0 {
		d.note(p.number, 0, uint64(from))
	}
	if to < int64(g.bytes(p.number)) {
		d.note(p.number, uint64(to), g.bytes(p.number)-uint64(to))
	}
	d.values(p.number, uint64(from), p.old, uint64(from-shift), g.typ, uint64(to-from)/g.typ.size)
}

// values compares n values of a type.
func (d *Difference) values(number, off, was, oldOff uint64, t *Type, n uint64) {
	_, b := d.im.content(number)
	_, o := d.old.content(was)
	b, o = b[off:], o[oldOff:]
	if !t.refs && bytes.Equal(b[:n*t.size], o[:n*t.size]) {
		return
	}
	for i := range n {
		d.value(number, off+i*t.size, b[i*t.size:], o[i*t.size:], t)
	}
}

// value compares one value, b at off of an object with o.
func (d *Difference) value(number, off uint64, b, o []byte, t *Type) {
	switch t.Kind {
	case reflect.Struct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Type.size > 0 {
				d.value(number, off+f.off, b[f.off:], o[f.off:], f.Type)
			}
		}
	case reflect.Array:
		if e := t.Elem; !t.refs && bytes.Equal(b[:t.size], o[:t.size]) {
			return
		} else {
			for i := range uint64(t.Len) {
				d.value(number, off+i*e.size, b[i*e.size:], o[i*e.size:], e)
			}
		}
	case reflect.String:
		if x, y := d.im.textOf(b), d.old.textOf(o); !bytes.Equal(x, y) {
			d.note(number, off, t.size)
			d.noteText(b)
		} else {
			d.keepText(b, o)
		}
	case reflect.Interface:
		d.dynamic(number, off, b, o)
	case reflect.Slice:
		if !d.reference(d.im.reference(b), d.old.reference(o)) || !d.sameLengths(b, o) {
			d.note(number, off, t.size)
		}
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if !d.reference(d.im.reference(b), d.old.reference(o)) {
			d.note(number, off, t.size)
		}
	default:
		if !bytes.Equal(b[:t.size], o[:t.size]) {
			d.note(number, off, t.size)
		}
	}
}

// sameLengths reports whether two slices have the same length and capacity.
func (d *Difference) sameLengths(b, o []byte) bool {
	for i := uint64(1); i < 3; i++ {
		if d.im.number(b[i*d.im.word:]) != d.old.number(o[i*d.old.word:]) {
			return false
		}
	}
	return true
}

// target returns the object that a reference leads to, and where in it.
func (im *Image) target(word uint64) (number, at uint64) {
	tag, n := split(word)
	if tag == tagInterior {
		at = im.interiors[n].off
		tag, n = split(im.interiors[n].base)
	}
	if tag != tagObject {
		return 0, 0
	}
	return n, at
}

// reference reports whether two references lead to the same, and has that compared.
func (d *Difference) reference(word, was uint64) bool {
	if word == 0 || was == 0 {
		return word == was
	}
	tag, n := split(word)
	oldTag, k := split(was)
	if number, at := d.im.target(word); number != 0 {
		old, oldAt := d.old.target(was)
		return old != 0 && d.correspond(number, old, int64(at)-int64(oldAt))
	}
	if tag != oldTag {
		return false
	}
	switch tag {
	case tagNamed:
		return d.im.names[n].name == d.old.names[k].name
	case tagType:
		return d.sameType(d.im.types[n], d.old.types[k])
	case tagMap:
		m, o := &d.im.maps[n], &d.old.maps[k]
		if !d.sameType(m.typ, o.typ) {
			return false
		}
		keys, _ := d.im.target(m.keys)
		oldKeys, _ := d.old.target(o.keys)
		if m.typ.Key.size == 0 { // there is one entry at most
			return d.reference(m.vals, o.vals) || m.n == 0 || o.n == 0
		}
		if keys == 0 || oldKeys == 0 { // empty, before or now
			return true
		}
		if p := d.partner[keys]; p.number != 0 {
			return p.number == oldKeys
		}
		if d.taken[oldKeys] != 0 {
			return false
		}
		d.entry(m.keys, o.keys)
		d.entry(m.vals, o.vals)
		d.late = append(d.late, pairing{n, k})
		return true
	case tagChan:
		c, o := &d.im.chans[n], &d.old.chans[k]
		if c.cap != o.cap || c.count != o.count || c.closed != o.closed || !d.sameType(c.elem, o.elem) {
			return false
		}
		if was, ok := d.chans[n]; ok {
			return was == k
		}
		d.chans[n] = k
		return d.reference(c.buffer, o.buffer)
	case tagFunc:
		f, o := &d.im.funcs[n], &d.old.funcs[k]
		return f.code == o.code && (f.typ == nil) == (o.typ == nil) && (f.typ == nil || d.reference(f.env, o.env))
	}
	return tag == tagZero
}

// entry makes arrays of keys or values correspond, not element by element.
func (d *Difference) entry(word, was uint64) {
	number, _ := d.im.target(word)
	old, _ := d.old.target(was)
	if number != 0 && old != 0 {
		d.partner[number] = partner{number: old, entry: true}
		d.taken[old] = number
	}
}

// dynamic compares what interfaces hold.
func (d *Difference) dynamic(number, off uint64, b, o []byte) {
	typ, oldTyp := d.im.number(b), d.old.number(o)
	if typ == 0 || oldTyp == 0 {
		if typ != oldTyp {
			d.note(number, off, 2*d.im.word)
		}
		return
	}
	t := d.im.types[typ-1]
	if !d.sameType(t, d.old.types[oldTyp-1]) {
		d.note(number, off, 2*d.im.word)
		return
	}
	if t.inWord() {
		if !d.reference(d.im.reference(b[d.im.word:]), d.old.reference(o[d.old.word:])) {
			d.note(number, off, 2*d.im.word)
		}
		return
	}
	// Boxes are not changed, and it can't be seen which interfaces share one.
	box, _ := d.im.target(d.im.reference(b[d.im.word:]))
	was, _ := d.old.target(d.old.reference(o[d.old.word:]))
	if box == 0 || was == 0 || d.boxes[[2]uint64{box, was}] {
		return
	}
	d.boxes[[2]uint64{box, was}] = true
	if d.partner[box].number != 0 {
		return
	}
	d.partner[box] = partner{number: was}
	d.taken[was] = box
	d.values(box, 0, was, 0, d.im.groupOf(box).typ, min(d.im.groupOf(box).elements(box-d.im.groupOf(box).first), d.old.groupOf(was).elements(was-d.old.groupOf(was).first)))
}

// entries compares two maps.
func (d *Difference) entries(p pairing) {
	m, o := &d.im.maps[p.number], &d.old.maps[p.old]
	keys, _ := d.im.target(m.keys)
	vals, _ := d.im.target(m.vals)
	oldKeys, _ := d.old.target(o.keys)
	oldVals, _ := d.old.target(o.vals)
	key, elem := m.typ.Key, m.typ.Elem
	_, b := d.im.content(keys)
	_, ob := d.old.content(oldKeys)
	where := make(map[string][]uint64)
	for i := range o.n {
		k := d.keyText(d.old, ob[i*key.size:], o.typ.Key, false)
		where[k] = append(where[k], i)
	}
	for i := range m.n {
		k := d.keyText(d.im, b[i*key.size:], key, true)
		list := where[k]
		if len(list) == 0 {
			d.note(keys, i*key.size, key.size)
			if vals != 0 {
				d.note(vals, i*elem.size, elem.size)
			}
			continue
		}
		where[k] = list[1:]
		d.keepKey(b[i*key.size:], ob[list[0]*key.size:], key)
		if vals != 0 && oldVals != 0 {
			d.values(vals, i*elem.size, oldVals, list[0]*elem.size, elem, 1)
		}
	}
}

// keyText returns what tells a key from others, in the same words for both images: references by
// the older object that they correspond to.
func (d *Difference) keyText(im *Image, b []byte, t *Type, current bool) string {
	var s strings.Builder
	var write func(b []byte, t *Type)
	write = func(b []byte, t *Type) {
		switch t.Kind {
		case reflect.Struct:
			for i := range t.Fields {
				write(b[t.Fields[i].off:], t.Fields[i].Type)
			}
		case reflect.Array:
			for i := range uint64(t.Len) {
				write(b[i*t.Elem.size:], t.Elem)
			}
		case reflect.String:
			s.Write(le.AppendUint64(nil, im.number(b[im.word:])))
			s.Write(im.textOf(b))
		case reflect.Interface:
			typ := im.number(b)
			if typ == 0 {
				s.WriteByte(0)
				return
			}
			t := im.types[typ-1]
			s.WriteString("\x01" + t.String())
			if t.inWord() {
				write(b[im.word:], t)
			} else if n, _ := im.target(im.reference(b[im.word:])); n != 0 {
				_, box := im.content(n)
				write(box, t)
			}
		case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
			s.WriteString(d.identity(im, im.reference(b), current))
		default:
			s.Write(b[:t.size])
		}
	}
	write(b, t)
	return s.String()
}

// identity returns what tells the target of a reference from others.
func (d *Difference) identity(im *Image, word uint64, current bool) string {
	tag, n := split(word)
	switch number, at := im.target(word); {
	case number != 0 && current:
		p := d.partner[number]
		if p.number == 0 {
			return fmt.Sprint("new object ", number)
		}
		return fmt.Sprint("object ", p.number, " ", int64(at)-p.shift)
	case number != 0:
		return fmt.Sprint("object ", number, " ", at)
	case tag == tagNamed:
		return im.names[n].name
	case tag == tagType:
		return im.types[n].String()
	case tag == tagChan && current:
		if k, ok := d.chans[n]; ok {
			return fmt.Sprint("channel ", k)
		}
		return fmt.Sprint("new channel ", n)
	case tag == tagChan:
		return fmt.Sprint("channel ", n)
	}
	return fmt.Sprint(tag)
}

// keepKey notes that what a key refers to is what it was.
func (d *Difference) keepKey(b, o []byte, t *Type) {
	switch t.Kind {
	case reflect.Struct:
		for i := range t.Fields {
			d.keepKey(b[t.Fields[i].off:], o[t.Fields[i].off:], t.Fields[i].Type)
		}
	case reflect.Array:
		for i := range uint64(t.Len) {
			d.keepKey(b[i*t.Elem.size:], o[i*t.Elem.size:], t.Elem)
		}
	case reflect.String:
		d.keepText(b, o)
	case reflect.Interface:
		d.dynamic(0, 0, b, o)
	}
}

// textOf returns the bytes of a string.
func (im *Image) textOf(b []byte) []byte {
	n, at := im.target(im.reference(b))
	if n == 0 {
		return nil
	}
	_, text := im.content(n)
	return text[at : at+im.number(b[im.word:])]
}

// keepText notes that the bytes of a string were there.
func (d *Difference) keepText(b, o []byte) {
	n, _ := d.im.target(d.im.reference(b))
	was, _ := d.old.target(d.old.reference(o))
	if n != 0 && d.partner[n].number == 0 {
		d.partner[n] = partner{number: was}
		d.taken[was] = n
	}
}

// noteText notes that the bytes of a string were not there.
func (d *Difference) noteText(b []byte) {
	if n, at := d.im.target(d.im.reference(b)); n != 0 && d.partner[n].number == 0 {
		d.note(n, at, d.im.number(b[d.im.word:]))
	}
}
