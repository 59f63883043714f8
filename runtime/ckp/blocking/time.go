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
	if shadow.IsOff() {
		time.Sleep(d)
		return
	}
	shadow.Pause(int64(d), now, start)
}

var began = time.Now()

func now() int64 { return int64(time.Since(began)) }

func start(d int64) (<-chan time.Time, func()) {
	t := time.NewTimer(time.Duration(d))
	return t.C, func() { t.Stop() }
}
