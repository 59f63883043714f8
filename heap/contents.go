package heap

import (
	"reflect"
	"time"
	"unsafe"
)

// The contents of maps, channels and functions, which the walk copies or finds behind their words.

// mapped visits a map: its keys and values are copied out, in step.
func (w *walker) mapped(x unsafe.Pointer, pl *plan, q unsafe.Pointer) error {
	if w.maps[x] != nil {
		return nil
	}
	m := reflect.NewAt(pl.rt, unsafe.Pointer(&x)).Elem()
	n := m.Len()
	if isCache(pl.rt) {
		n = 0
	}
	keys, vals := ownArray(pl.key, n), ownArray(pl.elem, n)
	if n > 0 {
		complete, changed := entries(m, pl.key, pl.elem, keys, vals)
		if !complete {
			return &refusal{typeText(pl.rt), "the map is being written by another goroutine"}
		}
		if changed {
			w.note(q)
			return &refusal{typeText(pl.rt), changedKey}
		}
	}
	if key := pl.key.flatElem; len(key.times) > 0 {
		plain := reflect.MakeMapWithSize(reflect.MapOf(pl.key.rt, reflect.TypeFor[bool]()), n)
		for i := range n {
			for k := range pl.key.flatCount {
				for _, t := range key.times {
					at := (*time.Time)(unsafe.Add(keys.Index(i).Addr().UnsafePointer(), uintptr(k)*key.native+t.off))
					*at = at.Round(0)
				}
			}
			plain.SetMapIndex(keys.Index(i), reflect.ValueOf(true))
		}
		if plain.Len() != n {
			w.note(q)
			return &refusal{typeText(pl.rt), "it has keys that differ in the reading of the monotonic clock only; use the times without it, t.Round(0), as keys"}
		}
	}
	c := &mapCapture{plan: pl, n: n, keys: keys.UnsafePointer(), vals: vals.UnsafePointer(), keep: [2]reflect.Value{keys, vals}, number: len(w.mapSeq)}
	w.maps[x] = c
	w.mapSeq = append(w.mapSeq, c)
	if n > 0 {
		w.lists.copying = true
		w.visit(c.keys, pl.key, n, byMapKey, q)
		from := len(w.traces)
		w.visit(c.vals, pl.elem, n, byMapValue, q)
		w.lists.copying = false
		for i := from; w.tracing && i < len(w.traces); i++ {
			w.traces[i].keys = keys
		}
	}
	return nil
}

// ownArray makes a slice of n values in an allocation of its own. Small values without references
// share one with others: were the program's among these, and the first of several
// ([Options].Firsts), what follows would be the slice.
func ownArray(elem *plan, n int) reflect.Value {
	room := n
	if size := elem.native; n > 0 && size > 0 && size < tiny {
		room = max(n, int((tiny+size-1)/size))
	}
	return reflect.MakeSlice(reflect.SliceOf(elem.rt), n, room)
}

// channel visits a channel and its buffered values.
func (w *walker) channel(x unsafe.Pointer, pl *plan, q unsafe.Pointer) error {
	if w.chans[x] != nil {
		return nil
	}
	why := ""
	c := (*channel)(x)
	switch {
	case !channelsKnown():
		why = "this version of Go keeps channels in a way that is not known"
	case c.timer != nil:
		cc := &chanCapture{plan: pl, c: c, number: len(w.chnSeq)}
		w.chans[x] = cc
		w.chnSeq = append(w.chnSeq, cc)
		if cc.timer, cc.timerPlan = w.ofTimer(c, q); cc.timer != nil {
			return nil
		}
		why = "it belongs to a timer, and this version of Go keeps timers in a way that is not known"
	case hidesTimer(c, pl):
		why = hiddenTimer
	case !w.waiters && (c.receiver[0] != nil || c.sender[0] != nil):
		why = "a goroutine that is not part of checkpoints, such as the one that calls finalizers, waits at the channel"
	}
	if why != "" {
		w.note(q)
		return &refusal{typeText(pl.rt), why}
	}
	n := int(c.capacity)
	values := ownArray(pl.elem, n)
	if pl.elem.native > 0 {
		for i := range int(c.count) {
			values.Index(i).Set(reflect.NewAt(pl.elem.rt, c.at(i)).Elem())
		}
	}
	cc := &chanCapture{plan: pl, c: c, values: values.UnsafePointer(), keep: values, number: len(w.chnSeq)}
	w.chans[x] = cc
	w.chnSeq = append(w.chnSeq, cc)
	if n > 0 {
		w.lists.copying = true
		w.visit(cc.values, pl.elem, n, byChannel, q)
		w.lists.copying = false
	}
	return nil
}

// function visits a func value and its environment.
func (w *walker) function(x unsafe.Pointer, pl *plan, q unsafe.Pointer) error {
	if _, ok := w.funcs[x]; ok {
		return nil
	}
	name, env, envType, err := function(x)
	if err != nil {
		w.note(q)
		return &refusal{typeText(pl.rt), err.Error()}
	}
	f := funcCapture{name: name, env: env}
	if envType != nil {
		f.plan = w.of(envType)
		if _, err := w.findable(f.plan, q); err != nil {
			return err
		}
		if env != nil { // the receiver of a method value can be nil
			w.visit(env, f.plan.elem, 1, byClosure, q)
		}
	}
	w.funcs[x] = len(w.fncSeq)
	w.fncSeq = append(w.fncSeq, f)
	return nil
}
