package ckp

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// A Decision is what a checkpoint function is to do.
type Decision uint8

// The decisions, in the order of their weight.
const (
	None           Decision = iota // nothing is due
	SaveAndGoOn                    // take a checkpoint and go on
	SaveAndRestart                 // take a checkpoint and go on in a fresh process (torture mode)
	SaveAndStop                    // take a checkpoint and exit with status 75
)

// String returns the name of the decision.
func (d Decision) String() string {
	switch d {
	case None:
		return "none"
	case SaveAndGoOn:
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

	wanted        atomic.Uint32 // reasons for a checkpoint
	opportunities atomic.Uint64 // counted in torture mode
	next          atomic.Uint64 // no opportunity before this one is a Kth
	asks          chan struct{} // has something when a checkpoint is wanted; nil: nobody looks
	quiet         atomic.Int64  // until when torture mode does not try, in Unix nanoseconds
	holding       atomic.Bool   // only a stop is a reason
	measuring     atomic.Int64  // not 0: nothing is
	ended         atomic.Bool   // nothing is

	arming sync.Mutex

	mu      sync.Mutex
	timer   *time.Timer
	pending uint32 // reasons that come with the timer
}

// Reasons for a checkpoint, as bits.
const (
	elapsed uint32 = 1 << iota // the interval
	asked                      // by a signal or a library
	stop                       // it is to be the last
)

// start begins an interval, after a checkpoint or at the start of the process. In
// torture mode there is none. A stop that waits for the timer waits no longer: no
// checkpoint that was taken was the last.
func (s *schedule) start() {
	shadow.SetPoll(poll)
	s.want(s.cancel() & stop)
	if s.torture == 0 {
		s.after(s.interval, elapsed)
	}
}

// taken forgets the reasons for the checkpoint that is being taken, and reports whether somebody
// has asked for it. One after which the program goes on is not what a stop asks for, which may have
// come after the decision.
func (s *schedule) taken(d Decision) (onRequest bool) {
	keep := stop
	if d == SaveAndStop {
		keep = 0
	}
	onRequest = s.wanted.And(keep)&asked != 0
	s.arm()
	return onRequest
}

// asked reports whether somebody has asked for a checkpoint that is not taken yet.
func (s *schedule) asked() bool { return s.wanted.Load()&asked != 0 }

// want gives reasons for a checkpoint.
func (s *schedule) want(reasons uint32) {
	s.wanted.Or(reasons)
	s.arm()
}

// arm tells the polls of instrumented code whether to ask. Whoever changes wanted
// calls it afterwards, so that the last to call it has seen all.
func (s *schedule) arm() {
	s.arming.Lock()
	defer s.arming.Unlock()
	wanted := s.reasons() != 0
	shadow.Want(s.torture > 0 && s.measuring.Load() == 0 || wanted)
	if wanted {
		select {
		case s.asks <- struct{}{}:
		default:
		}
	}
}

// reasons returns those for a checkpoint now.
func (s *schedule) reasons() uint32 {
	w := s.wanted.Load()
	if s.holding.Load() {
		w &= stop
	}
	if s.ended.Load() || s.measuring.Load() != 0 {
		return 0
	}
	return w
}

// hold begins, or ends, a time in which nothing but a stop is a reason for a checkpoint. What comes
// meanwhile is one after it.
func (s *schedule) hold(on bool) {
	if s.holding.Swap(on) != on {
		s.arm()
	}
}

// measure begins, or ends, as delta is 1 or -1, a time in which no checkpoint is taken, as the
// program measures what one would change. What comes meanwhile is a reason for one after it.
func (s *schedule) measure(delta int) {
	s.measuring.Add(int64(delta))
	s.arm()
}

// end has no more checkpoints taken.
func (s *schedule) end() {
	s.ended.Store(true)
	s.arm()
}

// stopping reports whether the next checkpoint is to be the last.
func (s *schedule) stopping() bool { return s.wanted.Load()&stop != 0 && !s.ended.Load() }

// refused begins the time until the next try after a refusal, which took so long to find: the tries
// shall not cost more than a hundredth of all time, except if somebody waits for the last
// checkpoint. In torture mode long ones do not cost more than a tenth.
func (s *schedule) refused(took time.Duration) {
	reasons := s.wanted.Swap(0)
	s.arm()
	pause := perRefusal * took
	if reasons&stop != 0 {
		pause = took
	}
	s.after(max(pause, time.Millisecond), reasons)
	if took >= patience {
		s.quiet.Store(time.Now().Add(10 * took).UnixNano())
	}
}

// quietly reports whether a refusal was so recent that torture mode does not try.
func (s *schedule) quietly() bool {
	until := s.quiet.Load()
	return until != 0 && time.Now().UnixNano() < until
}

// failed begins the time until the next try after the checkpoint that had been
// decided could not be written.
func (s *schedule) failed(d Decision) {
	const least = time.Second
	switch {
	case d == SaveAndStop:
		s.after(least, stop)
	case s.torture == 0:
		// With an interval of no time it has elapsed while the checkpoint was written.
		s.wanted.And(^elapsed)
		s.arm()
		s.after(max(s.interval, least), elapsed)
	}
}

// released is told how long it has taken to let the goroutines go after a checkpoint. If that is
// more than half of the interval, which has begun before, the interval begins anew and is as long
// at the least. Otherwise a program with so many goroutines that all of it passes meanwhile would
// be stopped again as soon as it runs, and hardly come any further.
func (s *schedule) released(took time.Duration) {
	if s.torture > 0 || s.interval == 0 || took <= s.interval/2 {
		return
	}
	s.wanted.And(^elapsed)
	s.arm()
	s.after(max(s.interval, took), elapsed)
}

// cancel stops the timer and returns the reasons that would have come with it.
func (s *schedule) cancel() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cancelled()
}

func (s *schedule) cancelled() (reasons uint32) {
	if s.timer != nil && s.timer.Stop() {
		reasons = s.pending
	}
	s.timer, s.pending = nil, 0
	return reasons
}

// after gives reasons for a checkpoint after a time, together with those that
// wait already.
func (s *schedule) after(d time.Duration, reasons uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	reasons |= s.cancelled()
	if d == 0 {
		s.want(reasons)
		return
	}
	if reasons != 0 {
		s.pending = reasons
		s.timer = time.AfterFunc(d, func() { s.want(reasons) })
	}
}

// request asks for a checkpoint at the next opportunity.
func (s *schedule) request(d Decision) {
	if d == SaveAndStop {
		s.want(stop)
	} else {
		s.want(asked)
	}
}

// due counts an opportunity and decides.
func (s *schedule) due() Decision {
	var d Decision
	if s.torture > 0 && s.measuring.Load() == 0 && s.opportunity() && !s.quietly() {
		d = SaveAndRestart
	}
	wish, _ := s.wish()
	return max(d, wish)
}

// opportunity counts one and reports whether it is a Kth. Most are told by a comparison, as a
// division would cost more than all else here.
func (s *schedule) opportunity() bool {
	n := s.opportunities.Add(1)
	if n < s.next.Load() {
		return false
	}
	s.next.Store((n/s.torture + 1) * s.torture)
	return n%s.torture == 0
}

// wish decides without an opportunity. interval says that there is no other reason than
// that one has elapsed.
func (s *schedule) wish() (d Decision, interval bool) {
	w := s.reasons()
	switch {
	case w == 0:
		return None, false
	case w&stop != 0:
		return SaveAndStop, false
	}
	return SaveAndGoOn, w == elapsed
}

// Due tells what a checkpoint function is to do now. It counts as an
// opportunity for CKP_TORTURE: a checkpoint function calls it once, in the
// process that decides. It costs a few nanoseconds while nothing is due.
func Due() Decision {
	r := current.Load()
	if r == nil {
		return None
	}
	return r.last(r.schedule.due())
}

// last makes a decision that for the last checkpoint, if the number that was asked for is reached.
func (r *run) last(d Decision) Decision {
	if d != None && r.config.exitAfter > 0 && r.committed.Load()+1 >= r.config.exitAfter {
		return SaveAndStop
	}
	return d
}

// Request asks for a checkpoint at the next opportunity, as a signal would do:
// SaveAndGoOn for one after which the program goes on, SaveAndStop for its last.
// Without a CKP_ variable that turns checkpoints on it does nothing. It may be
// called by any goroutine.
func Request(d Decision) {
	r := current.Load()
	if r == nil || d == None {
		return
	}
	if d != SaveAndStop { // else whoever asks waits for the end of the process
		r.expect(request{name: "the request", at: time.Now(), committed: r.committed.Load()})
	}
	r.schedule.request(d)
}
