package heap

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unique"
	"weak"
)

// Types declared as one of the standard library have its fields, and none of its methods.
type (
	declaredTime   time.Time
	declaredTimer  time.Timer
	declaredTicker time.Ticker
	declaredMap    sync.Map
	declaredPool   sync.Pool
	declaredCond   sync.Cond
	declaredClean  runtime.Cleanup
	declaredAtomic atomic.Pointer[tree]
	declaredWeak   weak.Pointer[tree]
	declaredHandle unique.Handle[string]
)

// TestDeclaredTypes takes values of such types along, with and without another reference to the
// same memory as what the type is declared as.
func TestDeclaredTypes(t *testing.T) {
	type vars struct {
		at     declaredTime
		on     map[declaredTime]int
		timer  *declaredTimer
		ticker *declaredTicker
		same   *time.Ticker
		tick   <-chan time.Time
		table  declaredMap
		as     *sync.Map
		pool   declaredPool
		cond   *declaredCond
		clean  declaredClean
		atomic declaredAtomic
		tree   *tree
		weak   declaredWeak
		plain  weak.Pointer[tree]
	}
	v := &vars{at: declaredTime(time.Now()), tree: &tree{key: 1}}
	v.on = map[declaredTime]int{v.at: 1}
	v.timer, v.ticker = (*declaredTimer)(time.NewTimer(time.Millisecond)), (*declaredTicker)(time.NewTicker(time.Millisecond))
	v.same, v.tick = (*time.Ticker)(v.ticker), v.ticker.C
	v.as = (*sync.Map)(&v.table)
	for i := range 40 {
		v.as.Store(i, v.tree)
	}
	(*sync.Pool)(&v.pool).Put(v.tree)
	v.cond = (*declaredCond)(sync.NewCond(new(sync.Mutex)))
	(*sync.Cond)(v.cond).Broadcast() // notes its own address
	v.clean = declaredClean(runtime.AddCleanup(v, func(int) {}, 1))
	(*atomic.Pointer[tree])(&v.atomic).Store(&tree{key: 2})
	v.weak, v.plain = declaredWeak(weak.Make(v.tree)), weak.Make(v.tree)

	w := again(t, v)
	check(t, time.Time(w.at).Equal(time.Time(v.at)) && !strings.Contains(time.Time(w.at).String(), "m="), time.Time(w.at))
	equal(t, 1, w.on[w.at])
	check(t, w.timer != v.timer && w.same == (*time.Ticker)(w.ticker) && w.tick == w.ticker.C)
	<-w.timer.C
	<-w.tick
	<-w.tick
	w.same.Stop()
	v.same.Stop()
	check(t, w.as == (*sync.Map)(&w.table))
	for i := range 40 {
		x, ok := w.as.Load(i)
		check(t, ok && x == any(w.tree), i)
	}
	check(t, (*sync.Pool)(&w.pool).Get() == nil)
	(*sync.Cond)(w.cond).Broadcast()
	check(t, w.clean == declaredClean{})
	equal(t, 2, (*atomic.Pointer[tree])(&w.atomic).Load().key)
	check(t, weak.Pointer[tree](w.weak).Value() == w.tree && weak.Pointer[tree](w.weak) == w.plain)
	runtime.KeepAlive(v)
	runtime.KeepAlive(w)

	h := declaredHandle(unique.Make("name"))
	_, err := Capture([]Root{{"h", &h}}, Options{Named: StandardNamed()})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && strings.HasPrefix(unsupported.Why, "a type declared as unique.Handle"), err)
}
