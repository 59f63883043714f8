package ckp

import (
	"sync"
	"sync/atomic"
	"time"
)

// A Decision is what a checkpoint function is to do.
type Decision uint8

// The decisions, in the order of their weight.
const (
	None           Decision = iota // nothing is due
	Save                           // take a checkpoint and go on
	SaveAndRestart                 // take a checkpoint and go on in a fresh process (torture mode)
	SaveAndStop                    // take a checkpoint and exit with status 75
)

// String returns the name of the decision.
func (d Decision) String() string {
	switch d {
	case None:
		return "none"
	case Save:
		return "save"
	case SaveAndRestart:
		return "save and restart"
	case SaveAndStop:
		return "save and stop"
	}
	return "unknown decision"
}

// A schedule knows when a checkpoint is due. Requests come from signals, the
// timer and libraries; the program asks from any goroutine.
type schedule struct {
	interval time.Duration
	torture  uint64

	wanted        atomic.Bool   // a look at the rest is worth it
	stop          atomic.Bool   // the checkpoint is the last
	opportunities atomic.Uint64 // counted in torture mode

	mu    sync.Mutex
	timer *time.Timer
}

// start begins an interval.
func (s *schedule) start() {
	s.wanted.Store(false)
	if s.torture == 0 {
		s.after(s.interval)
	}
}

// refused begins the time until the next try after a refusal, which took so
// long to find: the tries shall not cost more than a hundredth of all time.
func (s *schedule) refused(took time.Duration) {
	s.again(max(100*took, time.Millisecond))
}

// failed begins the time until the next try after a checkpoint could not be
// written.
func (s *schedule) failed() {
	const least = time.Second
	if s.stop.Load() {
		s.again(least)
		return
	}
	s.again(max(s.interval, least))
}

func (s *schedule) again(d time.Duration) {
	s.wanted.Store(false)
	if s.torture == 0 || s.stop.Load() {
		s.after(d)
	}
}

func (s *schedule) after(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if d == 0 {
		s.wanted.Store(true)
		return
	}
	s.timer = time.AfterFunc(d, func() { s.wanted.Store(true) })
}

// request asks for a checkpoint at the next opportunity.
func (s *schedule) request(d Decision) {
	if d == SaveAndStop {
		s.stop.Store(true)
	}
	s.wanted.Store(true)
}

// due counts an opportunity and decides.
func (s *schedule) due() Decision {
	var d Decision
	if s.torture > 0 && s.opportunities.Add(1)%s.torture == 0 {
		d = SaveAndRestart
	}
	if s.wanted.Load() {
		d = max(d, Save)
		if s.stop.Load() {
			d = SaveAndStop
		}
	}
	return d
}

// Due tells what a checkpoint function is to do now. It counts as an
// opportunity for CKP_TORTURE: a checkpoint function calls it once, in the
// process that decides. It costs a few nanoseconds while nothing is due.
func Due() Decision {
	r := current.Load()
	if r == nil {
		return None
	}
	d := r.schedule.due()
	if d != None && r.config.exitAfter > 0 && r.committed.Load()+1 >= r.config.exitAfter {
		return SaveAndStop
	}
	return d
}

// Request asks for a checkpoint at the next opportunity, as a signal would do:
// Save for one after which the program goes on, SaveAndStop for its last.
// Without a CKP_ variable that turns checkpoints on it does nothing. It may be
// called by any goroutine.
func Request(d Decision) {
	if r := current.Load(); r != nil && d != None {
		r.schedule.request(d)
	}
}
