package launch

import "runtime"

// spawner starts processes from one thread that lives as long as the launcher
// needs them. Linux ties a process that is to die with its parent to the thread that
// started it, not to the parent's whole process.
type spawner struct{ work chan func() }

func newSpawner() *spawner {
	s := &spawner{work: make(chan func())}
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		for f := range s.work {
			f()
		}
	}()
	return s
}

// do runs f on the thread and waits for its end.
func (s *spawner) do(f func()) {
	done := make(chan struct{})
	s.work <- func() {
		defer close(done)
		f()
	}
	<-done
}

// close ends the thread, and with it, on Linux, all processes it started.
func (s *spawner) close() { close(s.work) }
