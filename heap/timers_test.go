package heap

import (
	"errors"
	"fmt"
	"go/version"
	"runtime"
	"testing"
	"time"
)

var timerFired = make(chan bool, 10)

func fireTimer() { timerFired <- true }

// TestTimers takes timers along in every state, and waits for what original and copy do. Where the
// machine has so much else to do that something comes at another time than it should, it has more
// time.
func TestTimers(t *testing.T) {
	for unit := 100 * time.Millisecond; ; unit *= 4 {
		untimely := takeTimers(t, unit)
		if untimely == "" {
			return
		}
		if unit > time.Second {
			t.Fatal(untimely)
		}
	}
}

// takeTimers tells what comes at another time than it should.
func takeTimers(t *testing.T, unit time.Duration) (untimely string) {
	type vars struct {
		timer, stopped, fired, zero, done *time.Timer
		same, after, afterFired           <-chan time.Time
		ticker, late, quiet               *time.Ticker
		tick                              <-chan time.Time
		f, fStopped                       *time.Timer
	}
	v := &vars{
		timer: time.NewTimer(2 * unit), stopped: time.NewTimer(unit), fired: time.NewTimer(1), zero: new(time.Timer), done: time.NewTimer(1),
		after: time.After(2 * unit), afterFired: time.After(1),
		ticker: time.NewTicker(3 * unit), late: time.NewTicker(3 * unit / 4), quiet: time.NewTicker(unit),
		f: time.AfterFunc(2*unit, fireTimer), fStopped: time.AfterFunc(unit, fireTimer),
	}
	v.same, v.tick = v.timer.C, v.ticker.C
	v.stopped.Stop()
	v.quiet.Stop()
	v.fStopped.Stop()
	<-v.done.C
	time.Sleep(unit)
	began := time.Now()
	w := again(t, v)
	// From now on it is unit for timer, after and f, 2*unit for ticker; late has ticked, and will
	// after unit/2.
	check(t, w.timer != v.timer && w.same == w.timer.C && w.tick == w.ticker.C && *w.zero == time.Timer{}, "identity")
	check(t, cap(w.after) == cap(v.after), "channel of After")
	expect := func(name string, c <-chan time.Time, after time.Duration) {
		t.Helper()
		select {
		case <-c:
			if d := time.Since(began); d < after-unit/5 || d >= after+unit {
				untimely += fmt.Sprintf("%s after %v, not %v\n", name, d, after)
			}
		case <-time.After(10 * unit):
			t.Fatal(name, "did not fire")
		}
	}
	for _, x := range []*vars{v, w} {
		expect("fired", x.fired.C, 0)
		expect("afterFired", x.afterFired, 0)
		expect("late", x.late.C, 0)
		select {
		case <-x.stopped.C:
			t.Fatal("a stopped timer fires")
		case <-x.quiet.C:
			t.Fatal("a stopped ticker ticks")
		case <-x.fired.C:
			t.Fatal("a timer fires twice")
		case <-x.done.C:
			t.Fatal("a timer that was received from fires again")
		default:
		}
	}
	expect("late again", v.late.C, unit/2)
	expect("late again", w.late.C, unit/2)
	for range 2 {
		<-timerFired
	}
	if d := time.Since(began); d >= 2*unit {
		untimely += fmt.Sprintf("functions after %v\n", d)
	}
	for _, x := range []*vars{v, w} {
		expect("timer", x.same, unit)
		expect("after", x.after, unit)
		check(t, !x.timer.Stop() && !x.fStopped.Stop() && !x.f.Stop(), "stop of one that has fired")
	}
	expect("ticker", v.tick, 2*unit)
	expect("ticker", w.tick, 2*unit)
	for range 100 {
		again(t, &v.fStopped)
	}
	time.Sleep(unit / 5)
	check(t, len(timerFired) == 0, "a stopped timer fires when it is rebuilt")
	w.ticker.Stop()
	check(t, !w.stopped.Reset(unit/10), "reset")
	<-w.stopped.C
	w.fStopped.Reset(1)
	<-timerFired
	w.quiet.Reset(unit / 10)
	<-w.quiet.C
	<-w.quiet.C
	select {
	case <-w.tick:
		t.Fatal("a stopped ticker ticks")
	case <-time.After(4 * unit):
	}
	return untimely
}

// Before Go 1.23 the channel of a timer did not lead to it.
func TestHiddenTimer(t *testing.T) {
	check(t, timersKnown(), "layout")
	if version.Compare(runtime.Version(), "go1.27") < 0 { // which has no such setting
		t.Setenv("GODEBUG", "asynctimerchan=1")
		after := time.After(time.Hour)
		_, err := Capture([]Root{{"after", &after}}, Options{})
		var u *UnsupportedError
		check(t, errors.As(err, &u) && u.Why == hiddenTimer, err)
	}

	// These are of the program itself.
	closed, two, times := make(chan time.Time, 1), make(chan time.Time, 2), make(chan struct{ time.Time }, 1)
	close(closed)
	two <- time.Unix(1, 0)
	again(t, &closed)
	check(t, (<-*again(t, &two)).Equal(time.Unix(1, 0)), "value in a channel")
	again(t, &times)
	t.Setenv("GODEBUG", "asynctimerchan=0")
	one := make(chan time.Time, 1)
	one <- time.Unix(1, 0)
	check(t, (<-*again(t, &one)).Equal(time.Unix(1, 0)), "value in a channel")
}

// Timers that no function of package time has made have the channels that the program has given
// them.
func TestHandMadeTimer(t *testing.T) {
	type clock struct {
		ticks, of chan time.Time
		ticker    *time.Ticker
		two       [2]time.Timer
		real      *time.Timer
		shown     *time.Ticker
	}
	c := &clock{ticks: make(chan time.Time, 1), of: make(chan time.Time), real: time.NewTimer(time.Hour)}
	c.ticker = &time.Ticker{C: c.ticks}
	c.two[1].C = c.of
	c.shown = &time.Ticker{C: c.real.C}
	t.Setenv("GODEBUG", "asynctimerchan=0")
	d := again(t, c)
	defer c.real.Stop()
	defer d.real.Stop()
	check(t, d.ticker.C == (<-chan time.Time)(d.ticks) && d.ticks != c.ticks && cap(d.ticks) == 1, "channel of its own")
	check(t, d.two[0] == (time.Timer{}) && d.two[1].C == (<-chan time.Time)(d.of) && d.of != c.of, "timers in an array")
	check(t, d.shown.C == d.real.C && d.real != c.real && d.real.Stop(), "channel of another timer")
	d.ticks <- time.Unix(1, 0)
	check(t, (<-d.ticker.C).Equal(time.Unix(1, 0)), "tick")
	d.ticker.Stop()
}

// A copy of a timer is not one.
func TestCopiedTimer(t *testing.T) {
	type holder struct{ t time.Timer }
	x := time.NewTimer(time.Hour)
	defer x.Stop()
	h := &holder{*x}
	other := new(time.Timer)
	*other = *x
	for _, root := range []any{&h, &other} {
		_, err := Capture([]Root{{"x", root}}, Options{})
		var u *UnsupportedError
		check(t, errors.As(err, &u) && u.Why == copied, err)
	}
	h = &holder{}
	_ = again(t, &h)
	f := time.AfterFunc(time.Hour, func() { _ = h.t })
	defer f.Stop()
	_, err := Capture([]Root{{"f", &f}}, Options{})
	var u *UnsupportedError
	check(t, errors.As(err, &u), err)
}

// TestManyCopies refuses copies at the end of runs of pages, too.
func TestManyCopies(t *testing.T) {
	original := time.AfterFunc(time.Hour, func() {})
	defer original.Stop()
	for range 1100 {
		v := &struct{ t *time.Timer }{new(time.Timer)}
		*v.t = *original
		_, err := Capture([]Root{{"v", &v}}, Options{})
		var u *UnsupportedError
		check(t, errors.As(err, &u) && u.Why == copied, err)
		kept = append(kept, v.t)
	}
	kept = nil
}

var kept []*time.Timer
