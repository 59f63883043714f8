package heap

import (
	"reflect"
	"sync"
	"unsafe"
)

// A channel is the runtime's hchan, as far as it is looked at here. Whether
// this is what the runtime has is tested before it is relied on.
type channel struct {
	count    uint
	capacity uint
	buffer   unsafe.Pointer
	elemSize uint16
	closed   uint32
	timer    unsafe.Pointer
	elemType unsafe.Pointer
	sendx    uint
	recvx    uint
	receiver [2]unsafe.Pointer
	sender   [2]unsafe.Pointer
}

// Awaited reports whether a goroutine waits to receive from a channel. While a program stands still
// it is none of the program's. It is false if this version of Go keeps channels in a way that is
// not known.
func Awaited(ch any) bool {
	v := reflect.ValueOf(ch)
	return channelsKnown() && !v.IsNil() && (*channel)(v.UnsafePointer()).receiver[0] != nil
}

// channelsKnown tests the layout on channels in known states.
var channelsKnown = sync.OnceValue(func() bool {
	c := make(chan uint16, 5)
	for i := range uint16(5) {
		c <- i + 100
	}
	<-c
	<-c
	c <- 105
	h := *(**channel)(unsafe.Pointer(&c))
	ok := h.count == 4 && h.capacity == 5 && h.elemSize == 2 && h.closed == 0 && h.timer == nil &&
		h.elemType == descriptor(reflect.TypeFor[uint16]()) && h.sendx == 1 && h.recvx == 2 &&
		h.receiver[0] == nil && h.sender[0] == nil &&
		*(*[5]uint16)(h.buffer) == [5]uint16{105, 0, 102, 103, 104}
	close(c)
	return ok && h.closed == 1
})

// at returns the address of the ith buffered value, oldest first.
func (c *channel) at(i int) unsafe.Pointer {
	i += int(c.recvx)
	if i >= int(c.capacity) {
		i -= int(c.capacity)
	}
	return unsafe.Add(c.buffer, i*int(c.elemSize))
}
