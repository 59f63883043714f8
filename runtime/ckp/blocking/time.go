package blocking

import (
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// Sleep is time.Sleep. It is a checkpoint function: the goroutine can be stopped while
// it sleeps, and sleeps for the time that remains when the call is made again,
// whatever d is then.
//
//ckp:point
func Sleep(d time.Duration) {
	time.Sleep(d)
}

// AfterFunc is time.AfterFunc; f is called in a goroutine that is part of checkpoints.
// f must be savable, as for [shadow.Go].
func AfterFunc(d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() { shadow.Go(f) })
}
