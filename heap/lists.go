package heap

import (
	"unsafe"

	"github.com/ckpgen/ckpgen/hugepages"
)

// Regions of one type that have allocations for themselves, or share one without touching each
// other, are kept in lists: the list is at once the work that remains to be done for them, and the
// order that they have in the image. The number of a region in all lists stands in the cell of its
// allocation.

const batchBits = 12 // of the number of a region, within a batch of its list

// What a cell holds: 0 if nothing of the allocation is known, or the number of a region + 1.
const (
	cellTable  = 1 << 31 // it is not in a list: see the table
	cellInside = 1 << 30 // of more than one region, or it does not begin where the allocation does
	cellNumber = cellInside - 1
)

// A regionList holds the regions of one type.
type regionList struct {
	plan    *plan
	many    bool     // regions of several values, or text
	box     bool     // values behind interfaces
	blocky  bool     // blocks
	batches []*batch // all but the last are full
	tail    *batch   // the last
	n       int
	done    int // that have been scanned; those of text are when they are found
	queued  bool

	drafts []slab
	slab   int            // bytes of the last one that was not for one region only
	others map[uint32]int // how many values the drafts of regions have, where that differs from the regions
}

// A slab holds drafts of regions that follow each other in a list.
type slab struct {
	data  []byte
	first int // region, in the list
}

// A batch is a part of a list.
type batch struct {
	list   *regionList
	index  uint32    // in lists.batches
	ptrs   []uintptr // of the regions; 0 if it has moved to the table
	counts []int     // of a list of many
	small  []uint8   // counts of text; manyBytes: see large
	large  map[int]int
	next   []uint32 // region in the same allocation; its number + 1. nil: none
	traces []int    // when tracing
	moved  int      // regions that have moved to the table

	first  uint64   // number of the first object in the image
	before []uint16 // regions that have moved before each; nil: none has
}

type lists struct {
	batches []*batch
	order   []*regionList

	// Contents of maps and channels are visited: copies, somewhere else each time, and so no
	// blocks.
	copying bool
}

const listsLimit = cellNumber>>batchBits - 1

// list returns the list for regions of a plan.
func (l *lists) list(p *plan, count int, box bool) *regionList {
	i := 0
	if count != 1 || p.text {
		i = 1
	}
	if box {
		i += 2
	}
	blocky := !box && !l.copying && p.isBlock(count)
	if blocky {
		i = 4
	}
	if p.lists[i] == nil {
		p.lists[i] = &regionList{plan: p, many: i&1 != 0 || blocky, box: box, blocky: blocky}
		l.order = append(l.order, p.lists[i])
	}
	return p.lists[i]
}

// add puts a region into a list and returns its number.
func (l *lists) add(k *regionList, ptr uintptr, count int) uint32 {
	b := k.tail
	if b == nil || len(b.ptrs) == 1<<batchBits {
		b = l.batch(k)
	}
	i := uint32(len(b.ptrs))
	b.ptrs = append(b.ptrs, ptr)
	if k.many {
		b.setCount(int(i), count)
	}
	k.n++
	return b.index<<batchBits | i
}

// Drafts of less than sharing bytes share slabs, which become as large as mostSlab.
const (
	sharing  = 1 << 16
	mostSlab = 1 << 22
)

// space returns room for the draft of the next region of a list.
func (l *lists) space(k *regionList, region, n int) []byte {
	if last := len(k.drafts) - 1; last >= 0 {
		s := &k.drafts[last]
		if from := len(s.data); cap(s.data)-from >= n {
			s.data = s.data[:from+n]
			return s.data[from : from+n : from+n]
		}
	}
	size := n
	if n < sharing {
		size = max(n, min(2*k.slab, mostSlab), 512)
		k.slab = size
	}
	k.drafts = append(k.drafts, slab{hugepages.Bytes(make([]byte, n, size)), region})
	return k.drafts[len(k.drafts)-1].data[:n:n]
}

// batch adds a batch to a list.
func (l *lists) batch(k *regionList) *batch {
	b := &batch{list: k, index: uint32(len(l.batches))}
	size := 1 << batchBits
	if k.n == 0 {
		size = 16 // most graphs are small
	}
	b.ptrs = make([]uintptr, 0, size)
	switch {
	case k.plan.text:
		b.small = make([]uint8, 0, size)
	case k.many:
		b.counts = make([]int, 0, size)
	}
	k.tail = b
	k.batches = append(k.batches, b)
	l.batches = append(l.batches, b)
	return b
}

// region returns a region by its place in the list.
func (k *regionList) region(at int) (b *batch, i int) {
	return k.batches[at>>batchBits], at & (1<<batchBits - 1)
}

// at returns a region.
func (l *lists) at(number uint32) (b *batch, i int) {
	return l.batches[number>>batchBits&(cellNumber>>batchBits)], int(number & (1<<batchBits - 1))
}

// manyBytes stands for counts of text that are not smaller.
const manyBytes = 1<<8 - 1

func (b *batch) count(i int) int {
	switch {
	case b.small != nil:
		if n := b.small[i]; n != manyBytes {
			return int(n)
		}
		return b.large[i]
	case b.counts != nil:
		return b.counts[i]
	}
	return 1
}

// setCount sets the count of a region, or of the next one.
func (b *batch) setCount(i, n int) {
	if b.small == nil {
		if i == len(b.counts) {
			b.counts = append(b.counts, 0)
		}
		b.counts[i] = n
		return
	}
	if i == len(b.small) {
		b.small = append(b.small, 0)
	}
	b.small[i] = uint8(min(n, manyBytes))
	if n >= manyBytes {
		if b.large == nil {
			b.large = make(map[int]int)
		}
		b.large[i] = n
	}
}

func (b *batch) end(i int) uintptr { return b.ptrs[i] + b.list.plan.native*uintptr(b.count(i)) }

// after returns the next region of the same allocation; both are numbers + 1.
func (l *lists) after(cell uint32) uint32 {
	b, i := l.at(cell&cellNumber - 1)
	if i >= len(b.next) {
		return 0
	}
	return b.next[i]
}

func (l *lists) link(number, next uint32) {
	b, i := l.at(number)
	for len(b.next) <= i {
		b.next = append(b.next, 0)
	}
	b.next[i] = next
}

// find returns the region of a cell that contains x.
func (l *lists) find(cell uint32, x uintptr) (b *batch, i int, ok bool) {
	for v := cell & cellNumber; v != 0; v = l.after(v) {
		if b, i := l.at(v - 1); x >= b.ptrs[i] && x < b.end(i) {
			return b, i, true
		}
	}
	return nil, 0, false
}

// each calls f for all regions but those that have moved to the table.
func (l *lists) each(k *regionList, f func(b *batch, i int)) {
	for _, b := range k.batches {
		for i, ptr := range b.ptrs {
			if ptr != 0 {
				f(b, i)
			}
		}
	}
}

// number counts the regions of a list, from a first number of the image on, and returns how many
// there are.
func (l *lists) number(k *regionList, first uint64) (n uint64) {
	for _, b := range k.batches {
		b.first = first + n
		if b.moved > 0 {
			b.before = make([]uint16, len(b.ptrs))
			moved := uint16(0)
			for i, ptr := range b.ptrs {
				b.before[i] = moved
				if ptr == 0 {
					moved++
				}
			}
		}
		n += uint64(len(b.ptrs) - b.moved)
	}
	return n
}

// numberOf returns the number of a region in the image.
func (b *batch) numberOf(i int) uint64 {
	n := b.first + uint64(i)
	if b.before != nil {
		n -= uint64(b.before[i])
	}
	return n
}

// numberAt returns the number of a region in all lists.
func (b *batch) number(i int) uint32 {
	return b.index<<batchBits | uint32(i)
}

// pointer returns the address of a region.
func (b *batch) pointer(i int) unsafe.Pointer { return address(b.ptrs[i]) }

// total returns how many values the regions of a list of many have, and how many each has, or 0 if
// these differ.
func (k *regionList) total() (all, each uint64) {
	same := true
	for _, b := range k.batches {
		for i, ptr := range b.ptrs {
			if ptr == 0 {
				continue
			}
			n := uint64(b.count(i))
			if all == 0 {
				each = n
			}
			same = same && n == each
			all += n
		}
	}
	if !same {
		each = 0
	}
	return all, each
}
