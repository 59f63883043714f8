package blocking

import (
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// AfterFunc is time.AfterFunc; f is called in a goroutine that is part of checkpoints.
// f must be savable, as for [shadow.Go].
func AfterFunc(d time.Duration, f func()) *time.Timer {
	if shadow.IsOff() {
		return time.AfterFunc(d, f)
	}
	shadow.Fires()
	l := &launch{f: f}
	l.start(d)
	l.note()
	return l.timer
}

// A launch is the function of a timer, in a form that can be saved.
type launch struct {
	f     func()
	timer *time.Timer
}

// Func makes a launch the environment of a func value.
func (l *launch) Func() any {
	shadow.Fires() // it is rebuilt
	l.note()
	return l.call
}

// RemadeByCkpgen has package heap call Func.
func (l *launch) RemadeByCkpgen() {}

func (l *launch) call() {
	launches.mu.Lock()
	early := launches.early[weak.Make(l)]
	launches.mu.Unlock()
	shadow.Fire(l.f, early)
}

// launches are those of timers that may still fire. A timer that is set fires also if the program
// has dropped it, as most do with what time.AfterFunc returns. It is kept by the runtime then, and
// one that was stopped is not.
var launches struct {
	mu    sync.Mutex
	list  []weak.Pointer[launch]
	limit int                           // of the list, before those that are gone are looked for
	early map[weak.Pointer[launch]]bool // those of package initialisation, in this process
}

// start sets the timer. It can't fire before it is noted that package initialisation has made it.
func (l *launch) start(d time.Duration) {
	launches.mu.Lock()
	defer launches.mu.Unlock()
	t := time.AfterFunc(d, l.call)
	l.timer = t
	if shadow.BeforeMain(func() { t.Stop() }) {
		if launches.early == nil {
			launches.early = make(map[weak.Pointer[launch]]bool)
		}
		launches.early[weak.Make(l)] = true
	}
}

func (l *launch) note() {
	launches.mu.Lock()
	defer launches.mu.Unlock()
	if len(launches.list) >= launches.limit {
		launches.list = slices.DeleteFunc(launches.list, func(w weak.Pointer[launch]) bool { return w.Value() == nil })
		launches.limit = max(64, 2*len(launches.list))
	}
	launches.list = append(launches.list, weak.Make(l))
}

// Timers returns the timers of AfterFunc that are not gone: all those that are set, and some
// others.
func Timers() []*time.Timer {
	launches.mu.Lock()
	defer launches.mu.Unlock()
	var list []*time.Timer
	for _, w := range launches.list {
		if l := w.Value(); l != nil && l.timer != nil {
			list = append(list, l.timer)
		}
	}
	return list
}

func init() {
	shadow.Register(&shadow.Package{Path: "github.com/ckpgen/ckpgen/runtime/ckp/blocking", Envs: []any{(*launch)(nil)}})
}
