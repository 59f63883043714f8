package random

import (
	"fmt"
	"strings"
)

// A guard is a lock of the program, and how it is written.
type guard struct {
	lock    string // what Lock is called of
	twin    string // the same lock in a struct of another type, or empty
	pointer bool   // it is one, or an interface
	locker  bool   // it has Lock and Unlock only
	shared  bool   // RLock can be called
	sum     string // what it is about
}

// locking emits goroutines that add to a sum below locks, in critical sections of all kinds: with
// checkpoints and without, which may be about the same lock. Two locks are always taken in the same
// order.
func (g *generator) locking() {
	id := g.fresh()
	l := &locking{generator: g, id: id, wg: fmt.Sprint("wg", id)}
	g.emit("var %s sync.WaitGroup", l.wg)
	l.calls = []string{fmt.Sprint("plain", id)}
	g.declarations = append(g.declarations, fmt.Sprintf("func plain%d(i int) int { return i*3 + 1 }", id))
	if g.chance(50) {
		l.calls = append(l.calls, fmt.Sprint("taking", id))
		g.declarations = append(g.declarations, fmt.Sprintf("func taking%d(i int) int {\nif i < 100 {\npoint()\n}\nreturn i + 2\n}", id))
	}
	if g.chance(50) {
		l.calls = append(l.calls, fmt.Sprint("value", id))
		g.emit("value%d := func(i int) int { return i ^ 5 }\n_ = value%d", id, id)
		if g.chance(50) {
			g.emit("if points >= 0 {\nvalue%d = %s\n}", id, pick(g, []string{"pt[int]", "func(i int) int {\nckp.Checkpoint()\nreturn i\n}", l.calls[0]}))
		}
	}
	if g.chance(30) {
		l.serve = true
		g.emit("ask%d, answer%d := make(chan int), make(chan int)", id, id)
		g.emit("go func() {\nfor i := range ask%d {\n%sanswer%d <- i + 1\n}\nclose(answer%d)\n}()", id, pick(g, []string{"", "point()\n"}), id, id)
	}
	var sums []string
	for i := range 1 + g.n(2) {
		made := l.guard(i)
		if g.chance(50) {
			g.emit("%s := 0", made.sum)
		} else {
			g.declarations = append(g.declarations, "var "+made.sum+" int")
			g.emit("%s = 0", made.sum)
		}
		l.guards = append(l.guards, made)
		sums = append(sums, made.sum)
	}
	if g.chance(25) {
		g.emit("var once%d sync.Once\n_ = &once%d", id, id)
		l.once = true
	}
	for range 2 + g.n(2) {
		l.start()
	}
	if g.chance(25) {
		l.queue()
	}
	if g.chance(50) {
		g.emit("point()")
	}
	if g.chance(30) {
		g.emit("{\ni, k := 100, 7\n_, _ = i, k")
		l.section()
		g.emit("}")
	}
	g.emit("%s.Wait()", l.wg)
	if l.serve {
		g.emit("close(ask%d)\n<-answer%d", id, id)
	}
	g.emit("fmt.Println(\"locked\", %s)", strings.Join(sums, ", "))
}

type locking struct {
	*generator
	id     int
	wg     string
	guards []guard
	calls  []string // functions from int to int
	serve  bool     // there is a goroutine that answers
	once   bool
}

// guard emits a lock.
func (l *locking) guard(i int) guard {
	g := l.generator
	kind := pick(g, []string{"Mutex", "Mutex", "RWMutex"})
	id := fmt.Sprint(l.id, "x", i)
	made := guard{shared: kind == "RWMutex", sum: "sum" + id}
	mu, box := "mu"+id, "box"+id
	declare := func(format string, args ...any) {
		g.declarations = append(g.declarations, fmt.Sprintf(format, args...))
	}
	switch g.n(12) {
	case 0:
		g.emit("var %s sync.%s", mu, kind)
		made.lock = mu
	case 1:
		declare("var %s sync.%s", mu, kind)
		made.lock = mu
	case 2, 3:
		declare("type type%s struct {\nn int\nmu sync.%s\nname string\n}", box, kind)
		g.emit("%s := &type%s{name: \"box\"}", box, box)
		made.lock = box + ".mu"
		if g.chance(40) {
			declare("type twin%s struct {\nn int\nmu sync.%s\nname string\n}", box, kind)
			g.emit("twin%s := (*twin%s)(%s)\n_ = twin%s", box, box, box, box)
			made.twin = "twin" + box + ".mu"
		}
	case 4:
		declare("type type%s struct {\n%ssync.%s\nn int\n}", box, pick(g, []string{"", "n2 string\n"}), kind)
		g.emit("%s := new(type%s)", box, box)
		made.lock, made.pointer = box, true
		if g.chance(30) {
			declare("type outer%s struct {\ntype%s\n}", box, box)
			g.emit("outer%s := outer%s{}\n%s.n++\nouter%s.n++", box, box, box, box)
			made.lock, made.pointer = "outer"+box, false
		}
	case 5:
		declare("type type%s[T any] struct {\nlist []T\nmu sync.%s\n}", box, kind)
		g.emit("%s := new(type%s[%s])", box, box, pick(g, []string{"int", "string"}))
		made.lock = box + ".mu"
	case 6:
		g.emit("%s := new(sync.%s)", mu, kind)
		made.lock, made.pointer = mu, true
	case 7:
		g.emit("var %s [2]sync.%s", mu, kind)
		made.lock = mu + "[1]"
	case 8:
		g.emit("%s := map[string]*sync.%s{\"a\": {}}", mu, kind)
		made.lock, made.pointer = mu+"[\"a\"]", true
	case 9:
		g.emit("var %s sync.Locker = new(sync.%s)", mu, kind)
		made.lock, made.pointer, made.locker, made.shared = mu, true, true, false
	case 10:
		declare("type type%s struct {\n*sync.%s\nn int\n}", box, kind)
		g.emit("%s := type%s{%s: new(sync.%s)}", box, box, kind, kind)
		made.lock = box
	default: // methods of its own
		taking := pick(g, []string{"", "", "point()\n"})
		declare("type type%s struct {\nmu sync.%s\nn int\n}", box, kind)
		declare("func (b *type%s) Lock() {\nb.mu.Lock()\n%s}", box, taking)
		declare("func (b *type%s) Unlock() {\nb.n++\nb.mu.Unlock()\n}", box)
		g.emit("var %s type%s", box, box)
		made.lock, made.locker, made.shared = box, true, false
	}
	if !made.pointer && g.chance(25) {
		g.emit("lock%s := &%s", id, made.lock)
		made.lock, made.pointer = "lock"+id, true
	}
	variable, _, _ := strings.Cut(strings.Replace(made.lock, "[", ".", 1), ".")
	g.emit("_ = &%s", variable)
	return made
}

// start emits a goroutine, or several of the same.
func (l *locking) start() {
	g := l.generator
	g.emit("for i := range %d {\n_ = i", 1+g.n(3))
	end := "}()"
	if g.chance(40) {
		g.emit("%s.Go(func() {", l.wg)
		end = "})"
	} else {
		g.emit("%s.Add(1)\ngo func() {\ndefer %s.Done()", l.wg, l.wg)
	}
	for range 1 + g.n(2) {
		g.emit("for k := range %d {\n_ = k", 1+g.n(4))
		if g.chance(20) {
			g.emit("point()")
		}
		l.section()
		g.emit("}")
	}
	g.emit("%s\n}", end)
}

// section emits a critical section, where the variables i and k are.
func (l *locking) section() {
	g := l.generator
	which := g.n(len(l.guards))
	first := l.guards[which]
	mu := first.lock
	if first.twin != "" && g.chance(50) {
		mu, first.pointer = first.twin, false
	}
	body := func() { l.body(which, false) }
	switch g.n(10) {
	case 0, 1:
		g.emit("%s.Lock()", mu)
		body()
		g.emit("%s.Unlock()", mu)
	case 2, 3:
		g.emit("func() {\n%s.Lock()\ndefer %s.Unlock()", mu, mu)
		body()
		g.emit("}()")
	case 4:
		if first.locker {
			g.emit("%s.Lock()\n{", mu)
		} else {
			g.emit("if !%s.TryLock() {", mu)
			if g.chance(50) {
				g.emit("point()")
			}
			g.emit("%s.Lock()\n}\n{", mu)
		}
		body()
		g.emit("}\n%s.Unlock()", mu)
	case 5:
		g.emit("%s.Lock()", mu)
		g.emit("if k&1 == 0 {")
		body()
		g.emit("%s.Unlock()\n} else {", mu)
		body()
		g.emit("%s.Unlock()\n%s\n}", mu, pick(g, []string{"", "point()"}))
	case 6: // open for a while
		g.emit("%s.Lock()", mu)
		body()
		g.emit("%s.Unlock()", mu)
		g.emit("%s", pick(g, []string{"point()", "runtime.Gosched()"}))
		g.emit("%s.Lock()", mu)
		body()
		g.emit("%s.Unlock()", mu)
	case 7: // of readers
		if first.shared {
			g.emit("%s.RLock()\nuse(%s)", mu, first.sum)
			if g.chance(30) {
				g.emit("point()")
			}
			g.emit("%s.RUnlock()", mu)
		}
		g.emit("%s.Lock()", mu)
		body()
		g.emit("%s.Unlock()", mu)
	case 8: // left by a panic
		g.emit("func() {\ndefer func() {\nrecover()\n%s}()", pick(g, []string{"", "point()\n"}))
		g.emit("%s.Lock()\ndefer %s.Unlock()", mu, mu)
		body()
		g.emit("if k&3 == 1 {\npanic(i)\n}\n}()")
	default: // locked by one function and unlocked by another
		id := g.fresh()
		g.declarations = append(g.declarations, fmt.Sprintf("func acquire%d(mu sync.Locker) func() {\nmu.Lock()\nreturn %s\n}", id,
			pick(g, []string{"mu.Unlock", "func() { mu.Unlock() }", "func() {\npoint()\nmu.Unlock()\n}"})))
		ref := mu
		if !first.pointer {
			ref = "&" + mu
		}
		g.emit("func() {\ndefer acquire%d(%s)()", id, ref)
		body()
		g.emit("}()")
	}
}

// body emits what is done below a lock.
func (l *locking) body(which int, nested bool) {
	g, sum := l.generator, l.guards[which].sum
	for range 1 + g.n(2) {
		switch g.n(14) {
		case 0, 1:
			g.emit("%s += i + k", sum)
		case 2:
			g.emit("%s += pt(k)", sum)
		case 3:
			g.emit("%s", pick(g, []string{"point()", "ckp.Checkpoint()"}))
		case 4, 5:
			g.emit("%s += %s(i)", sum, pick(g, l.calls))
		case 6:
			g.emit("for j := range %d {\n%s += j\n}", 1+g.n(5), sum)
		case 7:
			if which+1 < len(l.guards) {
				g.emit("%s.Lock()", l.guards[which+1].lock)
				l.body(which+1, true)
				g.emit("%s.Unlock()", l.guards[which+1].lock)
			}
		case 8:
			if l.serve && !nested {
				g.emit("ask%d <- i\n%s += <-answer%d", l.id, sum, l.id)
			}
		case 9:
			g.emit("%s.Add(1)\ngo func() {\n%s%s.Done()\n}()", l.wg, pick(g, []string{"", "point()\n"}), l.wg)
		case 10:
			g.emit("time.Sleep(time.Microsecond)")
		case 11:
			if l.once && which == 0 {
				g.emit("once%d.Do(func() {\n%s += 1000\n%s})", l.id, sum, pick(g, []string{"", "point()\n"}))
			}
		case 12:
			g.emit("%s += len(fmt.Sprint(k))", sum)
		default:
			g.alone(func() { g.emit("%s += %s", sum, g.variant(g.int(), freedom{depth: 3})) }, "i", "k")
		}
	}
}

// queue emits a producer and a consumer that wait for each other by a condition.
func (l *locking) queue() {
	g, id, n := l.generator, l.id, 2+l.n(4)
	g.emit("var qmu%d sync.%s", id, pick(g, []string{"Mutex", "RWMutex"}))
	g.emit("cond%d := sync.NewCond(&qmu%d)", id, id)
	g.emit("var queue%d []int", id)
	taking := func() string { return pick(g, []string{"", "", "point()\n"}) }
	g.emit("%s.Go(func() {\nfor i := range %d {\n%sqmu%d.Lock()\nqueue%d = append(queue%d, i)\n%scond%d.%s()\nqmu%d.Unlock()\n}\n})",
		l.wg, n, taking(), id, id, id, taking(), id, pick(g, []string{"Signal", "Broadcast"}), id)
	g.emit("for range %d {\ncond%d.L.Lock()\nfor len(queue%d) == 0 {\ncond%d.Wait()\n%s}\nfmt.Println(\"queued\", queue%d[0])\nqueue%d = queue%d[1:]\n%scond%d.L.Unlock()\n}",
		n, id, id, id, taking(), id, id, id, taking(), id)
}
