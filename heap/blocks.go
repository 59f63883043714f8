package heap

import "unsafe"

// A block is a large object without references, all bytes of which go into the image as they are.
// In a series of captures ([Increments]) blocks are what is compared with the capture before: they
// are kept apart from the other objects, and lie at the end of the section heap.data.

// blockSize is the least size of a block. What is smaller is written anew faster than it is
// compared.
const blockSize = 64 << 10

// A found block is one that a capture has come across.
type found struct {
	ptr  unsafe.Pointer
	size int
	at   uint64 // in heap.data
}

// isBlock reports whether objects of a plan with so many elements are blocks.
func (p *plan) isBlock(count int) bool {
	return p.bulk && !p.text && uintptr(count) >= (blockSize+p.native-1)/p.native && !p.Type.hasBools()
}

// blocksLast puts the lists of blocks after all others.
func (l *lists) blocksLast() []*regionList {
	var order, last []*regionList
	for _, k := range l.order {
		if k.blocky {
			last = append(last, k)
		} else {
			order = append(order, k)
		}
	}
	return append(order, last...)
}

// found notes the blocks of a list.
func (e *encoder) found(k *regionList) {
	e.lists.each(k, func(b *batch, i int) {
		size := int(k.plan.size) * b.count(i)
		e.blocks = append(e.blocks, found{b.pointer(i), size, e.total})
		e.total += uint64(size)
	})
	e.total = roundUp(e.total, 8)
}
