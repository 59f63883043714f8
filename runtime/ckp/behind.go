package ckp

import "sync"

// A checkpoint is written behind the program: it stands still for the capture, and what was
// captured is encoded, written, put on stable storage and committed while it goes on.
//
// One checkpoint is written at a time, so that memory holds one snapshot at most: a second one that
// is due too early waits for the first, with the program, or the program goes on without it until
// the first is written (CKP_EARLY). The last checkpoint of a process is always waited for, by
// SIGTERM, by the count of CKP_EXIT_AFTER, or in torture mode: the process ends, or is replaced,
// when it is committed.
//
// What can happen while one is written:
//
//   - The program returns from main: Main waits for the commit. So does bsp.End, as the processes of a job commit
//     together.
//   - It ends otherwise (os.Exit, a panic that nobody recovers, log.Fatal, a signal, SIGKILL): this checkpoint is
//     lost, and the one before is the newest. Its files have no manifest, so they are nothing to any reader, and the
//     next commit deletes them.
//   - A file that the program writes to grows. The size that it is cut back to was taken by the capture, and what was written
//     up to then is on stable storage before the commit (durable.go), together with more.
//   - The disk is full, or anything else fails: that is told once, the program goes on, and after the interval, at the least
//     a second, there is another attempt with the next number.
//   - Another incarnation claims the job: the commit finds itself fenced off, and ends this process wherever
//     the program is.
//   - All goroutines of the program wait for each other: that is found out when the writing is over,
//     which itself is a goroutine at work (deadlock.go).

// behind runs one function at a time beside the program.
type behind struct {
	mu   sync.Mutex
	done chan struct{} // closed at its end; nil: none was ever run
}

// run calls f in a goroutine. The one before must be over.
func (b *behind) run(f func()) {
	done := make(chan struct{})
	b.mu.Lock()
	b.done = done
	b.mu.Unlock()
	go func() {
		defer close(done)
		f()
	}()
}

// wait returns when nothing is run.
func (b *behind) wait() {
	b.mu.Lock()
	done := b.done
	b.mu.Unlock()
	if done != nil {
		<-done
	}
}

// busy reports whether something is run.
func (b *behind) busy() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-b.done:
		return false
	default:
		return b.done != nil
	}
}

// early says what becomes of a checkpoint that is due while the one before is being written.
type early uint8

const (
	waitEarly early = iota // the program stands still until that is written
	skipEarly              // the program goes on; if there is still a reason when that is written, it is taken
)
