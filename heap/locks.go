package heap

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Locks of package sync are saved without those that wait for them: a new process has other
// goroutines, and each that was waiting asks for the lock again. Nobody is half-way in or out of
// one when the program stands still.
//
//	Mutex      locked or not
//	RWMutex    readers that hold it, or the writer. A writer that only waits for
//	           readers is taken back.
//	WaitGroup  the counter

var (
	typeOfMutex     = reflect.TypeFor[sync.Mutex]()
	typeOfRWMutex   = reflect.TypeFor[sync.RWMutex]()
	typeOfWaitGroup = reflect.TypeFor[sync.WaitGroup]()
)

// maxReaders is what a writer takes from the number of readers.
const maxReaders = 1 << 30

// The layout of the locks, which is the same in memory and image. Whether this is
// what package sync has is tested before it is relied on.
type (
	mutex struct {
		state int32
		_     uint32 // semaphore
	}
	rwMutex struct {
		w           mutex
		_           [2]uint32 // semaphores
		readerCount int32
		readerWait  int32
	}
	waitGroup struct {
		state uint64 // counter << 32 + waiters
		_     uint64 // semaphore
	}
)

// locksKnown tests the layout on locks in known states.
var locksKnown = sync.OnceValue(func() bool {
	var m sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	if unsafe.Sizeof(m) != unsafe.Sizeof(mutex{}) || unsafe.Sizeof(rw) != unsafe.Sizeof(rwMutex{}) || unsafe.Sizeof(wg) != unsafe.Sizeof(waitGroup{}) {
		return false
	}
	m.Lock()
	ok := *(*mutex)(unsafe.Pointer(&m)) == mutex{state: 1}
	rw.RLock()
	ok = ok && *(*rwMutex)(unsafe.Pointer(&rw)) == rwMutex{readerCount: 1}
	rw.RUnlock()
	rw.Lock()
	ok = ok && *(*rwMutex)(unsafe.Pointer(&rw)) == rwMutex{w: mutex{state: 1}, readerCount: -maxReaders}
	wg.Add(3)
	return ok && *(*waitGroup)(unsafe.Pointer(&wg)) == waitGroup{state: 3 << 32}
})

// isLock reports whether values of a type are saved by encodeLock.
func isLock(rt reflect.Type) bool { return lockOf(rt) != nil }

// lockOf returns the type of package sync that a type is, or is declared as: the method RLocker of
// an RWMutex returns the lock itself under such a name. nil: it is none.
func lockOf(rt reflect.Type) reflect.Type {
	for _, lock := range [...]reflect.Type{typeOfMutex, typeOfRWMutex, typeOfWaitGroup} {
		if rt == lock || rt.Kind() == reflect.Struct && rt.ConvertibleTo(lock) {
			return lock
		}
	}
	return nil
}

// encodeLock writes the lock at p. Those that wait have left their marks in it,
// and nothing synchronises them with the walk: it reads as they write.
func encodeLock(dst []byte, rt reflect.Type, p unsafe.Pointer) {
	clear(dst[:rt.Size()])
	switch lockOf(rt) {
	case typeOfMutex:
		le.PutUint32(dst, uint32(atomic.LoadInt32(&(*mutex)(p).state)&1))
	case typeOfWaitGroup:
		le.PutUint64(dst, atomic.LoadUint64(&(*waitGroup)(p).state)>>32<<32)
	case typeOfRWMutex:
		rw := (*rwMutex)(p)
		count, wait := atomic.LoadInt32(&rw.readerCount), atomic.LoadInt32(&rw.readerWait)
		switch {
		case count < 0 && wait == 0: // a writer has it
			le.PutUint32(dst, 1)
			held := int32(-maxReaders)
			le.PutUint32(dst[unsafe.Offsetof(rw.readerCount):], uint32(held))
		case count < 0: // one waits for as many readers
			le.PutUint32(dst[unsafe.Offsetof(rw.readerCount):], uint32(wait))
		default:
			le.PutUint32(dst[unsafe.Offsetof(rw.readerCount):], uint32(count))
		}
	}
}

// copyUnseen copies what is patched afterwards. A goroutine that waits for a lock in it has left
// its marks unsynchronised with the walk, so this is not for the race detector to see, which looks
// into the copy of slices even here.
//
//go:norace
func copyUnseen(dst []byte, p unsafe.Pointer) {
	for i := range dst {
		dst[i] = *(*byte)(unsafe.Add(p, i))
	}
}
