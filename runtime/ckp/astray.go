package ckp

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/ckpgen/ckpgen/store"
)

// astray ends the process where a goroutine does not come to where a checkpoint has it: the functions
// on its stack have called others than they did. That is found before anything is computed with what
// is not there, and is a fault of the precompiler, or of unsafe code. It must not cost the whole job,
// in which each start would come to the same: from now on the checkpoint is passed over, if there is
// another one. Goroutines go on from a checkpoint also in the process that has just taken it, which
// may not have been committed yet.
func (r *run) astray(fault string) {
	if !r.lost.CompareAndSwap(false, true) {
		select {} // another goroutine ends the process
	}
	stack := debug.Stack()
	text := fmt.Sprintf("checkpoint %d can't be continued: %s; this is a fault of ckpgen", r.seq, fault)
	if r.config.dir != "" {
		r.behind.wait()
		text += r.withdraw(fault)
	}
	say(text)
	_, _ = startStderr.Write(stack)
	os.Exit(1)
}

// withdraw has the job go on from the checkpoint before the last one, and returns what is to be said
// of that.
func (r *run) withdraw(fault string) string {
	c, _, err := r.store.Newest()
	if err == nil && c.Manifest.Seq == r.seq {
		c, _, err = c.PassOver(r.config.rank, fault)
	}
	var none *store.NoIntactError
	switch {
	case errors.As(err, &none), errors.Is(err, store.ErrNoCheckpoint):
		return "; there is no other one: start from the beginning, in an empty directory"
	case err != nil:
		return fmt.Sprintf("; delete it in %s, and the same command goes on from the one before (%v)", r.store.Dir(), err)
	}
	return fmt.Sprintf("; the next start goes on from checkpoint %d of %s", c.Manifest.Seq, c.Manifest.Time.Local().Format(time.DateTime))
}
