package random

import "fmt"

// timer emits what is done later: by timers, when a context is done, by a goroutine that ends
// itself, or that goes on with an iterator. The function waits for it.
func (g *generator) timer(n int) {
	id := g.fresh()
	name := func(s string) string { return fmt.Sprint(s, id) }
	done, timer, ctx, cancel := name("done"), name("timer"), name("ctx"), name("cancel")
	delay := fmt.Sprintf("%d*time.Millisecond", []int{0, 1, 1, 5, 30}[g.n(5)])
	checkpoint := func() {
		if g.chance(60) {
			g.emit("ckp.Checkpoint()")
		}
	}
	// work is a literal that recovers, and tells when it is done.
	work := func() string {
		outer := g.function
		g.function = &function{}
		body := g.capture(func() {
			g.emit("defer func() {\nfmt.Println(\"later %d\", recover())\npoint()\n%s <- %d\n}()", id, done, id)
			g.scope(func() { g.statements(n) })
		})
		g.function = outer
		return "func() {\n" + body + "}"
	}
	switch g.n(8) {
	case 0: // most programs drop what AfterFunc returns
		g.emit("%s := make(chan int%s)", done, pick(g, []string{"", ", 1"}))
		keep := g.chance(40)
		text := ""
		if keep {
			text = timer + " := "
		}
		g.emit("%stime.AfterFunc(%s, %s)", text, delay, work())
		checkpoint()
		g.emit("<-%s", done)
		if keep {
			g.emit("fmt.Println(\"stopped\", %s.Stop())", timer)
		}
	case 1: // stopped, and set again
		g.emit("%s := make(chan int, 1)", done)
		g.emit("%s := time.AfterFunc(time.Hour, %s)", timer, work())
		g.statements(1)
		g.emit("fmt.Println(\"stopped\", %s.Stop(), pt(%s).Stop())", timer, timer)
		checkpoint()
		g.emit("%s.Reset(%s)", timer, delay)
		checkpoint()
		g.emit("<-%s", done)
	case 2: // when a context is done
		g.emit("%s := make(chan int)", done)
		g.emit("%s, %s := context.WithCancelCause(context.WithValue(context.Background(), \"id\", %d))", ctx, cancel, id)
		if g.chance(50) {
			g.emit("%s, _ := context.WithTimeout(%s, time.Hour)", name("child"), ctx)
			ctx = name("child")
		}
		g.emit("%s := context.AfterFunc(%s, %s)", timer, ctx, work())
		g.statements(1)
		g.emit("fmt.Println(%s.Err(), %s.Value(\"id\"))", ctx, ctx)
		g.emit("%s(errors.New(pt(\"cause %d\")))\n<-%s", cancel, id, done)
		g.emit("fmt.Println(%s.Err(), context.Cause(%s), %s())", ctx, ctx, timer)
	case 3:
		g.emit("%s, %s := context.WithTimeoutCause(context.Background(), %s, fmt.Errorf(\"late %d\"))", ctx, cancel, delay, id)
		checkpoint()
		g.emit("select {\ncase <-%s.Done():\nfmt.Println(%s.Err(), context.Cause(%s))\ncase <-time.After(time.Hour):\n}", ctx, ctx, ctx)
		g.emit("%s()", cancel)
	case 4:
		g.emit("var %s chan int", done)
		g.emit("%s := time.NewTimer(%s)", timer, delay)
		checkpoint()
		g.emit("select {\ncase <-pt(%s):\ncase %s <- pt(1):\ncase <-pt(%s).C:", done, done, timer)
		g.scope(func() { g.statements(n) })
		g.emit("}\nfmt.Println(\"stopped\", %s.Stop())", timer)
	case 5:
		g.emit("%s := time.NewTicker(time.Millisecond)", timer)
		g.emit("for range %d {\nstep()\n<-%s.C", 1+g.n(3), timer)
		g.scope(func() { g.statements(1) })
		g.emit("}\n%s.Stop()", timer)
	case 6:
		g.emit("%s := make(chan bool)", done)
		outer := g.function
		g.function = &function{}
		g.emit("go func() {\ndefer close(%s)\ndefer rescue(\"ended %d\")", done, id)
		g.emit("defer func() {\nfmt.Println(\"goexit\", recover())")
		g.scope(func() { g.statements(1) })
		g.emit("}()")
		g.scope(func() { g.statements(n) })
		g.emit("func() {\ndefer point()\nruntime.Goexit()\n}()\n}()")
		g.function = outer
		g.emit("<-%s", done)
	default: // two goroutines take turns at an iterator
		next, stop, list := name("next"), name("stop"), []callee(nil)
		for _, it := range g.iterators {
			if it.parameters == nil && len(it.sig.results[0].params[0].params) == 1 {
				list = append(list, it)
			}
		}
		if len(list) == 0 {
			g.print()
			return
		}
		it := pick(g, list)
		g.emit("%s, %s := iter.Pull(%s)", next, stop, g.call(it, g.free(3)))
		g.emit("for range %d {\nstep()\n%s := make(chan bool)", 1+g.n(3), done)
		g.emit("go func() {\ndefer close(%s)\ndefer rescue(\"pulled %d\")\n_, ok := %s()\nfmt.Println(\"pulled %d\", ok)\n}()\n<-%s", done, id, next, id, done)
		g.emit("_, ok := %s()\nfmt.Println(\"pulled here %d\", ok)\n}", next, id)
		g.emit("%s()", stop)
	}
}

// once emits functions that are called but once, and values that change as a whole.
func (g *generator) once() {
	id := g.fresh()
	f := fmt.Sprint("once", id)
	t := g.typ(1)
	for !g.printable(t) {
		t = g.simple()
	}
	switch g.n(4) {
	case 0:
		g.emit("%s := sync.OnceValue(%s)", f, g.literalWith(g.fun(nil, []*typ{t}, false), 2))
		g.emit("for range %d {\nfunc() {\ndefer rescue(%q)\nfmt.Println(%q, %s())\n}()\n}", 1+g.n(3), f, f, f)
		g.declare(&variable{name: f, typ: g.fun(nil, []*typ{t}, false), private: true, used: true})
	case 1:
		g.emit("%s := sync.OnceFunc(%s)", f, g.literalWith(g.fun(nil, nil, false), 2))
		g.emit("for range %d {\nfunc() {\ndefer rescue(%q)\n%s()\nfmt.Println(%q)\n}()\n}", 1+g.n(3), f, f, f)
		g.declare(&variable{name: f, typ: g.fun(nil, nil, false), private: true, used: true})
	case 2:
		g.emit("var %s sync.Map", f)
		g.emit("for i := range %d {\n%s.Store(i, pt(i*i))\n}", 1+g.n(5), f)
		g.emit("{\nsum := 0\n%s.Range(func(k, v any) bool {\nsum += pt(k.(int)) * 3 ^ v.(int)\nif k == %d {\n%s.Delete(k)\n}\nreturn true\n})", f, g.n(4), f)
		g.emit("_, ok := %s.Load(1)\nold, loaded := %s.LoadOrStore(%d, \"new\")\nfmt.Println(%q, sum, ok, old, loaded)\n}", f, f, g.n(5), f)
	default:
		g.emit("var %s atomic.Pointer[%s]", f, t.text)
		g.emit("%s.Store(ref[%s](%s))", f, t.text, g.expr(t, g.free(3)))
		g.statements(1)
		g.emit("fmt.Println(%q, *%s.Load())", f, f)
		g.emit("fmt.Println(%q, *%s.Swap(ref[%s](%s)))", f, f, t.text, g.expr(t, g.free(3)))
		g.emit("fmt.Println(%q, *%s.Load())", f, f)
	}
}
