package heap

import "unsafe"

// An object that is scanned is at hand, and so is the region that each of its references leads to. So objects are
// written at once, as far as that can be done: in the place of a reference stands the number + 1 of a region in the lists. When
// all is known, these numbers are replaced by those of the image, which needs a look at the batch of the region, but not
// at the object again or at the cell. What can't be written so is late: it is written from the object afterwards.

const lateReference = 1<<32 - 1

// drafts reports whether the objects of a list are written as they are scanned.
func (w *walker) drafts(k *regionList) bool {
	p := k.plan
	return !w.tracing && !k.many && !translated(p.rt) && !k.box && w.planner.word == shortWord && len(p.leaves) == 0 && len(p.locks) == 0 && len(p.times) == 0
}

// draft scans and writes a region. The drafts of a batch follow each other; one that has moved to the table has a place, too.
func (w *walker) draft(b *batch, i int) error {
	p := b.list.plan
	size, count := int(p.size), b.count(i)
	at := len(b.data)
	if need := at + count*size; need > cap(b.data) {
		room := cap(b.ptrs) * size
		if b.counts != nil {
			room = 2 * at
		}
		data := make([]byte, at, max(need, room))
		copy(data, b.data)
		b.data = data
	}
	b.data = b.data[:at+count*size]
	if b.ptrs[i] == 0 {
		return nil
	}
	src := b.pointer(i)
	w.base, w.item = src, item{ptr: src, plan: p, count: count}
	for k := range count {
		if err := w.draftValue(b.data[at:at+size:at+size], unsafe.Add(src, uintptr(k)*p.native), p); err != nil {
			return err
		}
		at += size
	}
	return nil
}

func (w *walker) draftValue(dst []byte, src unsafe.Pointer, p *plan) error {
	for i := range p.moves {
		p.moves[i].encode(dst, src)
	}
	for i := range p.slots {
		s := &p.slots[i]
		q := unsafe.Add(src, s.off)
		switch s.op {
		case opObject:
			x := *(*unsafe.Pointer)(q)
			if x == nil {
				continue
			}
			v := w.noted(x, s.target, s.target.lists[0], 1)
			if v == 0 {
				v = w.visit(x, s.target, 1, byPointer, q)
			}
			le.PutUint32(dst[s.wire:], draftOf(v))
		case opString:
			x := *(*string)(q)
			if len(x) == 0 {
				continue
			}
			at, pl := unsafe.Pointer(unsafe.StringData(x)), w.bytes()
			v := w.noted(at, pl, pl.lists[1], len(x))
			if v == 0 {
				v = w.visit(at, pl, len(x), byString, q)
			}
			if uint64(len(x))>>32 != 0 {
				v = 0
			}
			le.PutUint32(dst[s.wire:], draftOf(v))
			le.PutUint32(dst[s.wire+shortWord:], uint32(len(x)))
		default:
			if err := w.scan(src, p.slots[i:i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

func draftOf(v uint32) uint32 {
	if v == 0 {
		return lateReference
	}
	return v
}

// finished completes the draft of a value.
func (e *encoder) finished(dst []byte, src unsafe.Pointer, p *plan) error {
	for k := range p.slots {
		s := &p.slots[k]
		if s.op != opObject && s.op != opString {
			if err := e.slots(dst, src, p.slots[k:k+1]); err != nil {
				return err
			}
			continue
		}
		v := le.Uint32(dst[s.wire:])
		if v == 0 {
			continue
		}
		if v != lateReference {
			if to, i := e.lists.at(v - 1); to.ptrs[i] != 0 {
				n := to.first + uint64(i)
				if to.before != nil {
					n -= uint64(to.before[i])
				}
				le.PutUint32(dst[s.wire:], uint32(n)) // the tag of an object is 0
				continue
			}
		}
		if err := e.slots(dst, src, p.slots[k:k+1]); err != nil {
			return err
		}
	}
	return nil
}
