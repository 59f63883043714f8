package shadow

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLockWhileSaving waits for a lock as the runtime's own code does, by way of rewritten
// functions of the standard library, in a goroutine that is saving: what the goroutine waits for as
// a part of the program must remain.
func TestLockWhileSaving(t *testing.T) {
	phase.Store(stopping)
	defer phase.Store(off)
	var lock sync.Mutex
	lock.Lock()
	waits := Waiting{Kind: Selecting, Order: 7}
	r := &record{waiting: waits, state: unwinding}
	done := make(chan bool)
	go func() {
		defer close(done)
		all.lock.Lock()
		if all.of == nil {
			all.of = make(map[goroutine]*record)
		}
		all.of[current()] = r
		all.lock.Unlock()
		install(&stack{mode: lifting})
		Lock(&lock)
		remove()
		all.lock.Lock()
		delete(all.of, current())
		all.lock.Unlock()
	}()
	select {
	case <-done:
		t.Fatal("the lock was not waited for")
	case <-time.After(100 * time.Millisecond):
	}
	lock.Unlock()
	<-done
	require.False(t, lock.TryLock())
	require.Equal(t, waits, r.waiting)
	require.Nil(t, r.companion)
}
