package heap

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// A time.Timer is known to the runtime by its address, and is larger than package time tells. It is
// saved as what it does: when it will fire (as the time that remains), its period, and its channel
// or function. Rebuild makes another one, which is set when everything else is done. The channel of
// a timer, as time.After returns it, stands for the timer, which it leads to. So does a
// time.Ticker. One that the program has put together itself, with a channel of its own, as clocks
// for tests do (&time.Ticker{C: ch}), is that channel and nothing else.

var (
	typeOfTimer  = reflect.TypeFor[time.Timer]()
	typeOfTicker = reflect.TypeFor[time.Ticker]()
	typeOfThunk  = reflect.TypeFor[func()]()
)

// isTimer reports whether values of a type are saved as a timerFields.
func isTimer(rt reflect.Type) bool { return isA(rt, typeOfTimer) || isA(rt, typeOfTicker) }

// timerFields are the fields of a timer in the image.
var timerFields = []struct {
	name string
	rt   reflect.Type
}{
	{"C", reflect.TypeFor[<-chan time.Time]()},
	{"f", typeOfThunk},
	{"remaining", reflect.TypeFor[int64]()}, // nanoseconds; negative if it fires at once
	{"period", reflect.TypeFor[int64]()},
	{"armed", reflect.TypeFor[bool]()}, // it has not fired and was not stopped
	{"made", reflect.TypeFor[bool]()},  // by a function of package time; else it has a channel at most
}

// timerPlaces returns their offsets, and the size, with words of a size.
func timerPlaces(word uint64) (at struct{ c, f, remaining, period, armed, made, size uint64 }) {
	at.f, at.remaining, at.period = word, 2*word, 2*word+8
	at.armed, at.made, at.size = 2*word+16, 2*word+17, 2*word+24
	return at
}

// linkTimer fills in the parts of a timer type.
func (pl *planner) linkTimer(p *plan, made *[]*plan) {
	for _, f := range timerFields {
		field := Field{Name: f.name, Type: pl.declare(f.rt, made).Type}
		if f.name != "C" {
			field.pkg = "time"
		}
		p.Type.Fields = append(p.Type.Fields, field)
	}
	p.elem, p.key = pl.plans[timerFields[0].rt], pl.plans[typeOfThunk]
}

// isTimerType reports whether a type of an image is that of timers.
func isTimerType(t *Type) bool {
	if t.Kind != reflect.Struct || len(t.Fields) != len(timerFields) || t.size != timerPlaces(t.word).size {
		return false
	}
	for i, f := range timerFields {
		if g := t.Fields[i]; g.Name != f.name || g.Type.Kind != f.rt.Kind() || i > 0 && g.pkg != "time" {
			return false
		}
	}
	return true
}

// A timer is the runtime's timeTimer, as far as it is looked at here. Whether this is
// what the runtime has is tested before it is relied on.
type timer struct {
	timerHead
	mu     uintptr // here the runtime's timer begins
	_      [4]uint8
	_      [2]uint32
	when   int64 // 0: not armed
	period int64
	f      unsafe.Pointer
	arg    any
}

// A timerHead is all of a time.Timer or time.Ticker that no function of package time has made:
// nothing of the runtime's need be behind it.
type timerHead struct {
	c    unsafe.Pointer
	init bool
}

//go:linkname nanotime runtime.nanotime
func nanotime() int64

//go:linkname resetTimer time.resetTimer
func resetTimer(t *time.Timer, when, period int64) bool

// timersKnown tests the layout on timers in known states. It is not called before the program has a
// timer, and leaves none behind that is far from firing, stopped or not: one hides deadlocks from
// the runtime.
var timersKnown = sync.OnceValue(func() bool {
	const far = 12345 * time.Hour
	ok := channelsKnown()
	// Only what is in the same allocation is looked at.
	known := func(p unsafe.Pointer, c unsafe.Pointer, period int64) bool {
		if !ok || !wholeTimer(p) {
			return false
		}
		t := (*timer)(p)
		now := nanotime()
		return t.init && t.c == c && t.period == period && t.when > now+int64(far-time.Minute) && t.when <= now+int64(far) &&
			(*channel)(c).timer == unsafe.Pointer(&t.mu)
	}
	a, b := time.NewTimer(far), time.NewTicker(far)
	ca, cb := *(*unsafe.Pointer)(unsafe.Pointer(&a.C)), *(*unsafe.Pointer)(unsafe.Pointer(&b.C))
	ok = known(unsafe.Pointer(a), ca, 0) && known(unsafe.Pointer(b), cb, int64(far))
	a.Stop()
	b.Stop()
	return ok && (*timer)(unsafe.Pointer(a)).when == 0 && (*timer)(unsafe.Pointer(b)).when == 0 && thunksKnown()
})

// thunksKnown tests the layout on a timer that calls a function. It is the same if channels of
// timers are as before Go 1.23, which GODEBUG asks for in modules that are older.
var thunksKnown = sync.OnceValue(func() bool {
	fired := make(chan bool)
	fire := func() { close(fired) }
	f := time.AfterFunc(1, fire)
	<-fired
	if !wholeTimer(unsafe.Pointer(f)) {
		return false
	}
	t := (*timer)(unsafe.Pointer(f))
	g, _ := t.arg.(func())
	return t.init && t.c == nil && t.when == 0 && t.period == 0 && g != nil &&
		*(*unsafe.Pointer)(unsafe.Pointer(&g)) == *(*unsafe.Pointer)(unsafe.Pointer(&fire)) &&
		runtime.FuncForPC(*(*uintptr)(t.f)).Name() == "time.goFunc"
})

// IsSet reports whether a timer of time.AfterFunc is going to fire: it has not yet, and was not
// stopped. It is assumed of all timers if this version of Go keeps them in a way that is not known.
func IsSet(t *time.Timer) bool {
	return !thunksKnown() || !wholeTimer(unsafe.Pointer(t)) || (*timer)(unsafe.Pointer(t)).when != 0
}

// wholeTimer reports whether p is an allocation that has room for a timer.
func wholeTimer(p unsafe.Pointer) bool {
	base, size := extent(uintptr(p))
	return base == uintptr(p) && size >= unsafe.Sizeof(timer{})
}

const unknownTimers = "this version of Go, or GODEBUG=asynctimerchan=1 (the default in modules for Go before 1.23), keeps timers in a way that is not known; " + otherTimers + ", or stop it and drop it before the checkpoint"

const hiddenTimer = "it may be the channel of a timer, as time.After returns it, and GODEBUG=asynctimerchan=1 (the default in modules for Go before 1.23) does not tell of which; " + otherTimers

const otherTimers = "write 'go 1.23', or a later version, or 'godebug asynctimerchan=0' into go.mod"

const copied = "it is a copy of a timer, which the runtime does not know; use the pointer that package time returned"

// hidesTimer reports whether a channel may be that of a timer which only the runtime knows, so that
// nothing would ever come from its copy. That is so with channels of timers as before Go 1.23,
// which are like others, and only by what they are for can be told from most.
func hidesTimer(c *channel, pl *plan) bool {
	if pl.elem.rt != typeOfTime || c.capacity != 1 || c.closed != 0 {
		return false
	}
	t := time.NewTimer(time.Millisecond) // asked each time, as os.Setenv can change it
	t.Stop()
	return (*(**channel)(unsafe.Pointer(&t.C))).timer == nil
}

// handMade reports whether no function of package time has made the timer at q. So far it looks at
// what package time tells.
func handMade(q unsafe.Pointer) bool { return !(*timerHead)(q).init }

// timer visits the timer at q.
func (w *walker) timer(s *slot, q unsafe.Pointer) error {
	if isZero(q, s.target.native) {
		return nil
	}
	if handMade(q) {
		c := (*timerHead)(q).c
		if c == nil {
			return nil
		}
		return w.channel(c, s.target.elem, q)
	}
	if !thunksKnown() {
		w.note(q)
		return &refusal{typeText(s.target.rt), unknownTimers}
	}
	if it := w.item; it.ptr != q || it.count != 1 || it.plan != s.target || !wholeTimer(q) {
		w.note(q)
		return &refusal{typeText(s.target.rt), copied}
	}
	t := (*timer)(q)
	f, ok := t.arg.(func())
	if (t.c != nil || !ok) && !timersKnown() {
		w.note(q)
		return &refusal{typeText(s.target.rt), unknownTimers}
	}
	if t.c != nil {
		if (*channel)(t.c).timer != unsafe.Pointer(&t.mu) {
			w.note(q)
			return &refusal{typeText(s.target.rt), copied}
		}
		return w.channel(t.c, s.target.elem, q)
	}
	if !ok {
		w.note(q)
		return &refusal{typeText(s.target.rt), "what it does is not known"}
	}
	return w.function(*(*unsafe.Pointer)(unsafe.Pointer(&f)), s.target.key, q)
}

// ofTimer visits the timer that a channel belongs to. It returns nil if it is not known.
func (w *walker) ofTimer(c *channel, q unsafe.Pointer) (unsafe.Pointer, *plan) {
	if !timersKnown() {
		return nil, nil
	}
	p := unsafe.Add(c.timer, -int(unsafe.Offsetof(timer{}.mu)))
	t := (*timer)(p)
	if t.c != unsafe.Pointer(c) {
		return nil, nil
	}
	pl := w.of(typeOfTimer)
	if t.period > 0 {
		pl = w.of(typeOfTicker)
	}
	w.visit(p, pl, 1, byPointer, q)
	return p, pl
}

// timer writes what the timer at q will do.
func (e *encoder) timer(dst []byte, s *slot, q unsafe.Pointer) {
	at := timerPlaces(e.planner.word)
	clear(dst[:at.size])
	if isZero(q, s.target.native) {
		return
	}
	if handMade(q) {
		if c := (*timerHead)(q).c; c != nil {
			e.put(dst[at.c:], e.word(&slot{op: opChan, target: s.target.elem}, c))
		}
		return
	}
	t := (*timer)(q)
	when, period := t.when, t.period
	dst[at.made] = 1
	if t.c != nil {
		e.put(dst[at.c:], e.word(&slot{op: opChan, target: s.target.elem}, t.c))
		if (*channel)(t.c).count > 0 {
			// It has fired, and nobody has received yet.
			if when == 0 {
				when = e.now
			} else {
				when -= period
			}
		}
	} else {
		f, _ := t.arg.(func())
		e.put(dst[at.f:], e.word(&slot{op: opFunc}, *(*unsafe.Pointer)(unsafe.Pointer(&f))))
	}
	if when != 0 {
		le.PutUint64(dst[at.remaining:], uint64(when-e.now))
		dst[at.armed] = 1
	}
	le.PutUint64(dst[at.period:], uint64(period))
}

// verifyTimers makes sure that timers and their channels lead to each other.
func (im *Image) verifyTimers() error {
	at := timerPlaces(im.word)
	for i := range im.groups {
		g := &im.groups[i]
		if !isTimerType(g.typ) {
			continue
		}
		for k := range g.n {
			b := g.at(k)
			made, alone := b[at.made] == 1, g.elements(k) == 1 && !g.box
			tag, n := split(im.reference(b[at.c:]))
			switch {
			case b[at.made] == 0 && isZeroBytes(b[at.c+im.word:]) && (isZeroBytes(b) || tag == tagChan && n < uint64(len(im.chans))):
			case made && alone && tag == tagChan && n < uint64(len(im.chans)) && im.chans[n].buffer == reference(tagObject, g.first+k):
			case made && alone && im.reference(b[at.c:]) == 0 && im.reference(b[at.f:]) != 0:
			default:
				return damaged(secData, "object %d is not a timer", g.first+k)
			}
		}
	}
	return nil
}

func isZeroBytes(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

// checkTimer makes sure that the channel with a number is that of the timer word leads to.
func (im *Image) checkTimer(word uint64, number int) error {
	tag, n := split(word)
	if tag != tagObject || n < 1 || n > im.objects {
		return fmt.Errorf("its timer is %#x", word)
	}
	g, b := im.content(n)
	if !isTimerType(g.typ) || im.reference(b) != reference(tagChan, uint64(number)) {
		return fmt.Errorf("its timer is object %d, of type %s", n, g.typ)
	}
	return nil
}

// newTimer makes the timer that the bytes describe, not armed, or returns nil for a zero one.
func (im *Image) newTimer(b []byte, rt reflect.Type) unsafe.Pointer {
	at := timerPlaces(im.word)
	switch {
	case b[at.made] == 0:
		return nil
	case im.reference(b[at.c:]) == 0:
		t := time.AfterFunc(time.Millisecond, func() {}) // not for long, as above
		t.Stop()
		return unsafe.Pointer(t)
	}
	if period := int64(le.Uint64(b[at.period:])); isA(rt, typeOfTicker) && period > 0 {
		t := time.NewTicker(time.Duration(period))
		t.Stop()
		return unsafe.Pointer(t)
	}
	t := time.NewTimer(time.Hour)
	t.Stop()
	return unsafe.Pointer(t)
}

// canMake reports whether the layout of the timer that the bytes describe is known.
func (im *Image) canMake(b []byte) bool {
	return thunksKnown() && (im.reference(b) == 0 || timersKnown())
}

// makeTimer makes the kth object of a group if it is more than a zero timer.
func (b *builder) makeTimer(g *group, k uint64) bool {
	d := g.at(k)
	if !b.canMake(d) {
		return false // and refused when it is filled in
	}
	p := b.newTimer(d, b.plans[g.typ.ID].rt)
	if p == nil {
		return false
	}
	b.ptrs[g.first+k] = p
	b.timers[p] = true
	return true
}

// timer remembers what a timer is to do.
func (b *builder) timer(q unsafe.Pointer, s *slot, d []byte) error {
	at := timerPlaces(b.Image.word)
	if d[at.made] == 0 {
		clear(unsafe.Slice((*byte)(q), s.target.native))
		word := b.reference(d[at.c:])
		if word == 0 {
			return nil
		}
		x, err := b.word(&slot{op: opChan, target: s.target.elem}, word)
		*(*unsafe.Pointer)(q) = x
		return err
	}
	if !b.timers[q] {
		if !b.canMake(d) {
			return &UnsupportedError{Path: "a value", Type: typeText(s.target.rt), Why: unknownTimers}
		}
		return &UnsupportedError{Path: "a value", Type: typeText(s.target.rt), Why: copied}
	}
	if word := b.reference(d[at.f:]); word != 0 {
		x, err := b.word(&slot{op: opFunc, target: b.of(typeOfThunk)}, word)
		if err != nil {
			return err
		}
		(*timer)(q).arg = *(*func())(unsafe.Pointer(&x))
	}
	remaining, period := int64(le.Uint64(d[at.remaining:])), int64(le.Uint64(d[at.period:]))
	if period < 0 {
		return damaged(secData, "a timer has the period %d", period)
	}
	if d[at.armed] == 0 {
		return nil // it was made so
	}
	b.arm = append(b.arm, func() {
		when := nanotime()
		if remaining < 0 || when+remaining > when {
			when += remaining
		}
		resetTimer((*time.Timer)(q), max(when, 1), period)
	})
	return nil
}
