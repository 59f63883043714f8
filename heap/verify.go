package heap

import (
	"fmt"
	"math"
	"reflect"
)

// verify checks every value of the image against its type, so that a rebuild
// can trust all references.
func (im *Image) verify() error {
	if err := im.verifyTables(); err != nil {
		return err
	}
	for i := range im.groups {
		g := &im.groups[i]
		slots := g.typ.wireSlots()
		if err := checkBools(g.typ, g.data); err != nil {
			return damaged(secData, "group %d: %v", i, err)
		}
		if len(slots) == 0 {
			continue
		}
		c := im.newChecker(slots)
		for b := g.data; len(b) > 0; b = b[g.typ.size:] {
			if err := c.check(b); err != nil {
				return damaged(secData, "a %s in group %d: %v", g.typ, i, err)
			}
		}
	}
	return im.verifyMeaning()
}

// verifyMeaning checks what does not follow from the types.
func (im *Image) verifyMeaning() error {
	if err := im.verifyTimers(); err != nil {
		return err
	}
	if err := im.verifyFiles(); err != nil {
		return err
	}
	if err := im.verifyHandles(); err != nil {
		return err
	}
	return im.verifyKeys()
}

func (im *Image) verifyTables() error {
	for i, in := range im.interiors {
		tag, n := split(in.base)
		switch {
		case tag == tagObject && n >= 1 && n <= im.objects:
			if g := im.groupOf(n); !g.box && in.off < g.elements(n-g.first)*g.typ.size {
				continue
			}
		case tag == tagNamed && n < uint64(len(im.names)) && im.names[n].variable && in.off < im.names[n].typ.size:
			continue
		}
		return damaged(secInterior, "entry %d leads nowhere", i)
	}
	used := make(map[uint64]bool)
	array := func(word uint64, t *Type, n uint64) error {
		if n > maxSize {
			return fmt.Errorf("%d elements", n)
		}
		if n == 0 || t.size == 0 {
			if word != reference(tagZero, 0) {
				return fmt.Errorf("an array of size zero has contents")
			}
			return nil
		}
		tag, number := split(word)
		if tag != tagObject || number == 0 || used[number] {
			return fmt.Errorf("an array is not its own")
		}
		used[number] = true
		return im.checkPointer(word, t, n, false)
	}
	for i, m := range im.maps {
		if m.n > 1 && m.typ.Key.size == 0 {
			return damaged(secMaps, "map %d has %d equal keys", i, m.n)
		}
		if err := array(m.keys, m.typ.Key, m.n); err != nil {
			return damaged(secMaps, "keys of map %d: %v", i, err)
		}
		if err := array(m.vals, m.typ.Elem, m.n); err != nil {
			return damaged(secMaps, "values of map %d: %v", i, err)
		}
	}
	for i, c := range im.chans {
		if c.count > c.cap {
			return damaged(secChans, "channel %d has %d values in a buffer of %d", i, c.count, c.cap)
		}
		if c.elem.size >= 1<<16 {
			return damaged(secChans, "channel %d has elements of %d bytes", i, c.elem.size)
		}
		if c.cap == 0 && c.buffer != reference(tagZero, 0) {
			if err := im.checkTimer(c.buffer, i); err != nil || c.closed {
				return damaged(secChans, "channel %d of a timer: %v", i, err)
			}
			continue
		}
		if err := array(c.buffer, c.elem, c.cap); err != nil {
			return damaged(secChans, "channel %d: %v", i, err)
		}
	}
	for i, f := range im.funcs {
		if f.typ == nil {
			continue
		}
		if f.typ.Kind != reflect.Pointer || !f.typ.dynamic || f.env == 0 && !f.isMethodValue() {
			return damaged(secFuncs, "function %d has an environment of type %s", i, f.typ)
		}
		if f.env == 0 {
			continue
		}
		if err := im.checkPointer(f.env, f.typ.Elem, 1, false); err != nil {
			return damaged(secFuncs, "environment of function %d: %v", i, err)
		}
	}
	for _, r := range im.roots {
		err := im.checkPointer(r.at, r.typ, 1, false)
		tag, n := split(r.at)
		if err == nil && (r.at == 0 || tag == tagNamed || tag == tagInterior && im.isNamed(im.interiors[n].base)) {
			err = fmt.Errorf("it has no value")
		}
		if err != nil {
			return damaged(secRoots, "root %q: %v", r.name, err)
		}
	}
	return nil
}

func (im *Image) isNamed(word uint64) bool {
	tag, _ := split(word)
	return tag == tagNamed
}

// checkPointer makes sure that a reference leads to n values of a type.
func (im *Image) checkPointer(word uint64, t *Type, n uint64, box bool) error {
	if word == 0 {
		return nil
	}
	t, k := t.flat()
	if k == 0 || t.size == 0 {
		if word != reference(tagZero, 0) {
			return fmt.Errorf("a reference to something of size zero is %#x", word)
		}
		return nil
	}
	if n > maxSize/k {
		return fmt.Errorf("a reference to %d values", n)
	}
	n *= k
	tag, index := split(word)
	off := uint64(0)
	if tag == tagInterior && index < uint64(len(im.interiors)) {
		in := im.interiors[index]
		off = in.off
		tag, index = split(in.base)
	}
	switch tag {
	case tagObject:
		if index < 1 || index > im.objects {
			return fmt.Errorf("a reference to object %d", index)
		}
		g := im.groupOf(index)
		count := g.elements(index - g.first)
		switch {
		case g.box == box && g.typ.holds(count, off, t, n):
			return nil
		case g.box != box || !im.hasView(g.typ, count, off, t, n):
			return fmt.Errorf("a reference to %d %s leads to offset %d of %d %s", n, t, off, count, g.typ)
		case t.hasBools():
			return checkBools(t, g.at(index - g.first)[off:off+n*t.size])
		}
		return nil
	case tagNamed:
		if index >= uint64(len(im.names)) {
			return fmt.Errorf("a reference to name %d", index)
		}
		x := &im.names[index]
		if x.variable {
			vt, count := x.typ.flat()
			if vt.holds(count, off, t, n) || im.hasView(vt, count, off, t, n) {
				return nil
			}
		} else if et := x.typ; off == 0 && et.Kind == reflect.Pointer {
			et, count := et.Elem.flat()
			if n <= count && sameMemory(et, t) {
				return nil
			}
		}
		return fmt.Errorf("a reference to %s leads to %s", t, x.name)
	}
	return fmt.Errorf("a reference is %#x", word)
}

// A checker checks the values of a group. It remembers to which groups their references lead:
// mostly always to the same.
type checker struct {
	*Image
	slots []wireSlot
	leads []lead     // by slot
	inner []*checker // by slot, of arrays
}

// A lead is a group to objects of which a slot may refer.
type lead struct {
	first, n uint64
	count    uint64 // elements of each object; 0 if they differ
	group    *group
}

func (im *Image) newChecker(slots []wireSlot) *checker {
	c := &checker{Image: im, slots: slots, leads: make([]lead, len(slots)), inner: make([]*checker, len(slots))}
	for i := range slots {
		if s := &slots[i]; s.op == opArray {
			c.inner[i] = im.newChecker(s.target.wireSlots())
		}
	}
	return c
}

// object reports whether a reference leads to the beginning of an object of n values of a type,
// where that is quickly seen.
func (c *checker) object(i int, word uint64, t *Type, n uint64) bool {
	l := &c.leads[i]
	if k := word - l.first; k >= l.n && !c.lead(l, word, t) { // other tags are far above
		return word == 0
	}
	return n <= l.count || l.count == 0 && n <= l.group.elements(word-l.first)
}

// lead sets a lead to the group that a reference leads to, if that has objects of the type.
func (c *checker) lead(l *lead, word uint64, t *Type) bool {
	tag, k := split(word)
	if tag != tagObject || k == 0 || k > c.objects {
		return false
	}
	g := c.groupOf(k)
	if g.typ != t || g.box {
		return false
	}
	*l = lead{g.first, g.n, g.count, g}
	return true
}

func (c *checker) check(b []byte) error {
	im, size := c.Image, c.Image.word
	for i := range c.slots {
		s := &c.slots[i]
		d := b[s.off:]
		word := im.reference(d)
		switch s.op {
		case opPointer:
			if !c.object(i, word, s.target, 1) {
				if err := im.checkPointer(word, s.target, 1, false); err != nil {
					return err
				}
			}
		case opString:
			n := im.number(d[size:])
			if (n == 0) != (word == 0) || im.bytes == nil && n > 0 {
				return fmt.Errorf("a string of length %d", n)
			}
			if n > 0 && !c.object(i, word, im.bytes, n) {
				if err := im.checkPointer(word, im.bytes, n, false); err != nil {
					return err
				}
			}
		case opSlice:
			n, most := im.number(d[size:]), im.number(d[2*size:])
			if n > most || most > math.MaxInt64 || most > 1<<62 && s.target.size > 0 || most > 0 && word == 0 || (word == reference(tagZero, 0)) != (word != 0 && (most == 0 || s.target.size == 0)) {
				return fmt.Errorf("a slice of length %d and capacity %d", n, most)
			}
			if most > 0 && !c.object(i, word, s.target, most) {
				if err := im.checkPointer(word, s.target, most, false); err != nil {
					return err
				}
			}
		case opArray:
			for k := range s.n {
				if err := c.inner[i].check(d[k*s.target.size:]); err != nil {
					return err
				}
			}
		case opInterface:
			typ, to := im.number(d), im.reference(d[size:])
			if err := im.checkInterface(typ, to); err != nil {
				return err
			}
			if s.n > 0 && typ > 0 && to != 0 && im.types[typ-1].isCounted() {
				if err := im.checkPointer(to, im.types[typ-1].Elem, max(le.Uint64(b[s.off-s.n:]), 1), false); err != nil {
					return err
				}
			}
		case opReflect:
			if err := im.checkReflected(im.reference(b[s.off-size:]), word, le.Uint64(d[size:])); err != nil {
				return err
			}
		default:
			if err := im.checkWord(s, word); err != nil {
				return err
			}
		}
	}
	return nil
}

// inWord reports whether an interface keeps values of the type in its data
// word: they are one reference, and a machine with words of any size needs one
// word for them. The size in an image does not tell that: with references of
// four bytes, struct{_ [0]int; p *T} has eight.
func (t *Type) inWord() bool { return t.single }

func (im *Image) checkInterface(typ, word uint64) error {
	if typ == 0 {
		if word != 0 {
			return fmt.Errorf("a nil interface has a value")
		}
		return nil
	}
	if typ > uint64(len(im.types)) {
		return fmt.Errorf("an interface holds type %d", typ-1)
	}
	t := im.types[typ-1]
	if !t.dynamic || t.Kind == reflect.Interface {
		return fmt.Errorf("an interface holds a %s", t)
	}
	if t.inWord() {
		return im.checkWord(&t.wireSlots()[0], word)
	}
	if word == 0 {
		return fmt.Errorf("an interface holds no %s", t)
	}
	return im.checkPointer(word, t, 1, true)
}

func (im *Image) checkWord(s *wireSlot, word uint64) error {
	if word == 0 {
		return nil
	}
	tag, n := split(word)
	switch s.op {
	case opPointer:
		return im.checkPointer(word, s.target, 1, false)
	case opHandle:
		return im.checkHandle(word, s.target)
	case opWeak:
		return im.checkWeak(word, s.target)
	case opArray:
		return im.checkWord(&s.target.wireSlots()[0], word)
	case opMap:
		if tag == tagMap && n < uint64(len(im.maps)) && sameMemory(im.maps[n].typ, s.target) ||
			tag == tagNamed && n < uint64(len(im.names)) && !im.names[n].variable && sameMemory(im.names[n].typ, s.target) {
			return nil
		}
	case opChan:
		if tag == tagChan && n < uint64(len(im.chans)) && sameUnnamed(im.chans[n].elem, s.target.Elem, 0) ||
			tag == tagNamed && n < uint64(len(im.names)) && !im.names[n].variable && sameMemory(im.names[n].typ, s.target) {
			return nil
		}
	case opFunc:
		if tag == tagFunc && n < uint64(len(im.funcs)) {
			return nil
		}
	case opCode:
		if tag == tagFunc && n < uint64(len(im.funcs)) && im.funcs[n].typ == nil {
			return nil
		}
	case opType:
		if im.checkDescriptor(tag, n) {
			return nil
		}
	case opBlank:
		if im.checkDescriptor(tag, n) {
			return nil
		}
		return im.checkPointer(word, s.target, 1, false)
	case opUnsafe:
		if im.checkLoose(word) || im.checkDescriptor(tag, n) || im.checkTold(word) {
			return nil
		}
	}
	return fmt.Errorf("a reference is %#x", word)
}

// checkDescriptor checks a reference to the description of a type.
func (im *Image) checkDescriptor(tag int, n uint64) bool {
	return tag == tagType && n < uint64(len(im.types)) && im.types[n].dynamic
}

// hasBools reports whether values of the type contain a bool. Types are
// nested to a bounded depth.
func (t *Type) hasBools() bool {
	if t.bools == 0 {
		t.bools = 1
		switch t.Kind {
		case reflect.Bool:
			t.bools = 2
		case reflect.Array:
			if t.Len > 0 && t.Elem.hasBools() {
				t.bools = 2
			}
		case reflect.Struct:
			for _, f := range t.Fields {
				if f.Type.hasBools() {
					t.bools = 2
				}
			}
		}
	}
	return t.bools == 2
}

// A notBool is a value that is not one of a bool, which only package unsafe can make.
type notBool struct{ value byte }

func (e *notBool) Error() string { return fmt.Sprintf("a bool is %d", e.value) }

// checkBools checks the bools in values of a type, one after the other.
func checkBools(t *Type, b []byte) error {
	if !t.hasBools() {
		return nil
	}
	switch t.Kind {
	case reflect.Bool:
		for len(b) >= 8 {
			if le.Uint64(b)&^0x0101010101010101 != 0 {
				break
			}
			b = b[8:]
		}
		for _, x := range b {
			if x > 1 {
				return &notBool{x}
			}
		}
	case reflect.Array:
		for ; uint64(len(b)) >= t.size && t.size > 0; b = b[t.size:] {
			if err := checkBools(t.Elem, b[:t.size]); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for ; uint64(len(b)) >= t.size && t.size > 0; b = b[t.size:] {
			for i := range t.Fields {
				if f := &t.Fields[i]; f.Type.bools == 2 {
					if err := checkBools(f.Type, b[f.off:f.off+f.Type.size]); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// What hashing the keys of maps may cost: an interface can hold values in which
// others are nested so that a small image takes forever.
const (
	maxKeyCost   = 1 << 20
	maxKeysCost  = 1 << 28
	bytesPerCost = 1 << 8
)

// verifyKeys bounds the work of hashing map keys.
func (im *Image) verifyKeys() error {
	cost := make(map[uint64]uint64) // of boxes; 0 while under way
	total := uint64(0)
	for i, m := range im.maps {
		if m.n == 0 || !m.typ.Key.refs {
			continue
		}
		_, n := split(m.keys)
		_, b := im.content(n)
		slots, nested := m.typ.Key.wireSlots(), m.typ.Key.hasInterfaces()
		for range m.n {
			var c uint64
			if !nested {
				_, c = im.keyBoxes(nil, 1, b, slots)
			} else {
				var err error
				if c, err = im.keyCost(b[:m.typ.Key.size], m.typ.Key, cost); err != nil {
					return damaged(secMaps, "map %d: %v", i, err)
				}
			}
			total += c
			if total > maxKeysCost+im.size {
				return damaged(secMaps, "keys are nested too much")
			}
			b = b[m.typ.Key.size:]
		}
	}
	return nil
}

// hasInterfaces reports whether values of a type of keys can have others nested in them.
func (t *Type) hasInterfaces() bool {
	switch t.Kind {
	case reflect.Interface:
		return true
	case reflect.Array:
		return t.Elem.hasInterfaces()
	case reflect.Struct:
		for i := range t.Fields {
			if t.Fields[i].Type.hasInterfaces() {
				return true
			}
		}
	}
	return false
}

// keyCost returns the work of hashing one value.
func (im *Image) keyCost(b []byte, t *Type, cost map[uint64]uint64) (uint64, error) {
	type frame struct {
		number uint64 // of the box; 0 for the key itself
		boxes  []uint64
		cost   uint64
	}
	open := func(number uint64, b []byte, slots []wireSlot, size, count uint64) frame {
		f := frame{number: number, cost: 1}
		for i := range count {
			f.boxes, f.cost = im.keyBoxes(f.boxes, f.cost, b[i*size:], slots)
		}
		return f
	}
	stack := []frame{open(0, b, t.wireSlots(), 0, 1)}
	for {
		f := &stack[len(stack)-1]
		if len(f.boxes) == 0 {
			if f.number == 0 {
				return f.cost, nil
			}
			cost[f.number] = f.cost
			up := &stack[len(stack)-2]
			up.cost += f.cost
			if up.cost > maxKeyCost {
				return 0, fmt.Errorf("a key is nested too much")
			}
			stack = stack[:len(stack)-1]
			continue
		}
		n := f.boxes[len(f.boxes)-1]
		f.boxes = f.boxes[:len(f.boxes)-1]
		if c, ok := cost[n]; ok {
			if c == 0 {
				return 0, fmt.Errorf("a key contains itself")
			}
			f.cost += c
			if f.cost > maxKeyCost {
				return 0, fmt.Errorf("a key is nested too much")
			}
			continue
		}
		cost[n] = 0
		g, b := im.content(n)
		stack = append(stack, open(n, b, g.typ.wireSlots(), g.typ.size, g.elements(n-g.first)))
	}
}

// keyBoxes appends the boxes that the interfaces in a value lead to.
func (im *Image) keyBoxes(boxes []uint64, cost uint64, b []byte, slots []wireSlot) ([]uint64, uint64) {
	for i := range slots {
		s := &slots[i]
		d := b[s.off:]
		switch s.op {
		case opString:
			cost += 1 + im.number(d[im.word:])/bytesPerCost
		case opArray:
			for i := range s.n {
				boxes, cost = im.keyBoxes(boxes, cost, d[i*s.target.size:], s.target.wireSlots())
			}
		case opInterface:
			cost++
			if typ := im.number(d); typ != 0 && !im.types[typ-1].inWord() {
				if tag, n := split(im.reference(d[im.word:])); tag == tagObject {
					boxes = append(boxes, n)
				}
			}
		}
	}
	return boxes, cost
}
