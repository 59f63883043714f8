package heap

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/hugepages"
)

// An object that is scanned is at hand, and so is the region that each of its references leads to.
// So objects are written at once, as far as that can be done: in the place of a reference stands
// the number + 1 of a region in the lists. When all is known, these numbers are replaced by those
// of the image, which needs a look at the batch of the region, but not at the object again or at
// the cell. What can't be written so is late: it is written from the object afterwards. The bytes
// of strings are written when a string that leads to them is met.
//
// The drafts of a list follow each other in slabs, in the order of its regions. A region that has
// moved to the table after it was written is left out when the drafts are completed, and one that
// has grown is written again.

const lateReference = 1<<32 - 1

// drafts reports whether the objects of a list are written as they are scanned.
func (w *walker) drafts(k *regionList) bool {
	p := k.plan
	return !w.tracing && !w.restated(p.rt) && !k.box && w.planner.word == shortWord && len(p.leaves) == 0 && len(p.locks) == 0 && len(p.times) == 0
}

// draft scans and writes the next region of a list.
func (w *walker) draft(k *regionList, b *batch, i int) error {
	if b.ptrs[i] == 0 {
		return nil
	}
	p := k.plan
	size, count := int(p.size), b.count(i)
	dst := w.lists.space(k, k.done-1, count*size)
	src := b.pointer(i)
	w.base, w.item = src, item{ptr: src, plan: p, count: count}
	for at := range count {
		if at%window == 0 && count > 1 {
			for next := at; next < min(at+window, count); next++ {
				w.looked += w.lookAt(unsafe.Add(src, uintptr(next)*p.native), p.slots)
			}
		}
		if err := w.draftValue(dst[at*size:(at+1)*size:(at+1)*size], unsafe.Add(src, uintptr(at)*p.native), p); err != nil {
			return err
		}
	}
	return nil
}

// draftText writes the bytes of a string that is about to be the next region of a list.
func (w *walker) draftText(k *regionList, p unsafe.Pointer, n int) {
	if src := unsafe.Slice((*byte)(p), n); n < sharing {
		copy(w.lists.space(k, k.n, n), src)
	} else {
		k.drafts = append(k.drafts, slab{clone(src), k.n})
	}
	k.done++
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
		case opSlice:
			x := (*sliceHeader)(q)
			if x.data == nil || x.cap <= 0 || x.len < 0 || x.len > x.cap || uint64(x.cap)>>32 != 0 {
				if err := w.scan(src, p.slots[i:i+1]); err != nil {
					return err
				}
				continue // the encoder looks whether that is one
			}
			le.PutUint32(dst[s.wire:], draftOf(w.visit(x.data, s.target, x.cap, bySlice, q)))
			w.looseIn(x.data, x.cap, s.pointee, q)
			le.PutUint32(dst[s.wire+shortWord:], uint32(x.len))
			le.PutUint32(dst[s.wire+2*shortWord:], uint32(x.cap))
		case opInterface:
			x := (*words)(q)
			if x.typ == nil {
				continue
			}
			dyn, v, err := w.held(x, s, q)
			if err != nil {
				return err
			}
			le.PutUint32(dst[s.wire:], uint32(dyn.ID)+1)
			le.PutUint32(dst[s.wire+shortWord:], draftOf(v))
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

// drafted notes how many values the draft of a region has, before the region changes.
func (k *regionList) drafted(number uint32, n int) {
	if k.others == nil {
		k.others = make(map[uint32]int)
	}
	if _, ok := k.others[number]; !ok {
		k.others[number] = n
	}
}

// finish completes the drafts of a list, and writes the objects that have come from the table.
func (e *encoder) finish(k *regionList, g *group) error {
	objects := uint64(0)
	part := func(b []byte, n uint64) {
		if n > 0 {
			g.parts, g.before = append(g.parts, b), append(g.before, objects)
			objects += n
		}
	}
	for i := range k.drafts {
		end := k.done
		if i+1 < len(k.drafts) {
			end = k.drafts[i+1].first
		}
		if err := e.finishSlab(k, &k.drafts[i], end, part); err != nil {
			return fmt.Errorf("a %s: %w", k.plan.Type, err)
		}
	}
	n, size := uint64(0), 0
	for at := k.done; at < k.n; at++ {
		if b, i := k.region(at); b.ptrs[i] != 0 {
			n, size = n+1, size+b.count(i)*int(k.plan.size)
		}
	}
	rest := hugepages.Bytes(make([]byte, size))
	part(rest, n)
	for at := k.done; at < k.n; at++ {
		b, i := k.region(at)
		if b.ptrs[i] == 0 {
			continue
		}
		own := b.count(i) * int(k.plan.size)
		if err := e.written(rest[:own:own], b.pointer(i), k.plan); err != nil {
			return e.wrong(b, i, err)
		}
		rest = rest[own:]
	}
	return nil
}

// finishSlab completes the drafts up to a region.
func (e *encoder) finishSlab(k *regionList, s *slab, end int, part func([]byte, uint64)) error {
	p := k.plan
	size := int(p.size)
	text := p.text
	if text && len(k.others) == 0 && k.complete(s.first, end) {
		part(s.data, uint64(end-s.first))
		return nil
	}
	begin, from, to := 0, 0, 0 // of the part, the next draft, and what has been completed
	n := uint64(0)             // objects of the part
	for at := s.first; at < end; at++ {
		b, i := k.region(at)
		ptr, is := b.ptrs[i], b.count(i)
		was := is
		if k.others != nil {
			if x, ok := k.others[b.number(i)]; ok {
				was = x
			}
		}
		draft := s.data[from : from+was*size]
		from += was * size
		if ptr == 0 {
			continue
		}
		if was != is {
			part(s.data[begin:to], n)
			begin, to, n = from, from, 0
			data := make([]byte, is*size)
			if err := e.written(data, address(ptr), p); err != nil {
				return err
			}
			part(data, 1)
			continue
		}
		dst := s.data[to : to+len(draft)]
		if len(draft) > 0 && &dst[0] != &draft[0] {
			copy(dst, draft)
		}
		to += len(dst)
		n++
		if text {
			continue
		}
		for off := 0; off < len(dst); off += size {
			if err := e.finished(dst[off:off+size:off+size], unsafe.Add(address(ptr), uintptr(off/size)*p.native), p); err != nil {
				return err
			}
		}
		if err := checkBools(p.Type, dst); err != nil {
			return e.wrong(b, i, err)
		}
	}
	part(s.data[begin:to], n)
	return nil
}

// complete reports whether none of the regions between two has moved to the table.
func (k *regionList) complete(first, end int) bool {
	for _, b := range k.batches[first>>batchBits : (end-1)>>batchBits+1] {
		if b.moved > 0 {
			return false
		}
	}
	return true
}

// written writes an object, of which there is no draft.
func (e *encoder) written(dst []byte, src unsafe.Pointer, p *plan) error {
	if p.text {
		copy(dst, unsafe.Slice((*byte)(src), len(dst)))
		return nil
	}
	return e.object(dst, src, p)
}

// finished completes the draft of a value.
func (e *encoder) finished(dst []byte, src unsafe.Pointer, p *plan) error {
	for k := range p.slots {
		s := &p.slots[k]
		at := dst[s.wire:]
		late := true
		switch s.op {
		case opObject, opString:
			late = le.Uint32(at) != 0 && !e.resolve(at)
		case opSlice:
			late = le.Uint32(at) == 0 || !e.resolve(at)
		case opInterface:
			late = le.Uint32(at) != 0 && !e.resolve(at[shortWord:])
		}
		if late {
			if err := e.slots(dst, src, p.slots[k:k+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolve replaces the number of a region by that of the object, if it is one.
func (e *encoder) resolve(d []byte) bool {
	v := le.Uint32(d)
	if v == lateReference {
		return false
	}
	b, i := e.lists.at(v - 1)
	n := b.first + uint64(i)
	if b.moved > 0 {
		if b.ptrs[i] == 0 {
			return false
		}
		n = b.numberOf(i)
	}
	le.PutUint32(d, uint32(n)) // the tag of an object is 0
	return true
}
