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

// AfterFunc is time.AfterFunc; f is called in a goroutine that is part of checkpoints.
// f must be savable, as for [shadow.Go].
func AfterFunc(d time.Duration, f func()) *time.Timer {
	if shadow.IsOff() {
		return time.AfterFunc(d, f)
	}
	shadow.Fires()
	t := time.AfterFunc(d, (&launch{f}).call)
	shadow.BeforeMain(func() { t.Stop() })
	return t
}

// A launch is the function of a timer, in a form that can be saved.
type launch struct{ f func() }

// Func makes a launch the environment of a func value.
func (l *launch) Func() any {
	shadow.Fires() // it is rebuilt
	return l.call
}

func (l *launch) call() { shadow.Fire(l.f) }

func init() {
	shadow.Register(&shadow.Package{Path: "github.com/ckpgen/ckpgen/runtime/ckp/blocking", Envs: []any{(*launch)(nil)}})
}
