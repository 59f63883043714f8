package main

import (
	"fmt"
	"sync"
	"time"
)

// scenarios are the programs: what the main goroutine executes.
var scenarios = map[string]func() *machine{
	"pipeline": pipeline,
	"senders":  senders,
	"receivers": func() *machine {
		return receivers("receive")
	},
	"selects": func() *machine { return receivers("select") },
	"mutex":   mutexes,
	"rwmutex": rwMutexes,
	"group":   groups,
	"signal":  func() *machine { return conds(false) },
	"wakes":   func() *machine { return conds(true) },
	"relock":  relock,
	"sleep":   sleeps,
	"births":  births,
	"spin":    spins,
	"sorted":  sorted,
	"worker":  worker,
	"panic":   panics,
	"goexit":  goexits,
	"gone":    gone,
	"dead":    deadlock,
	"many":    many,
	"init":    inits,
	"outside": outsides,
	"timers":  timers,
	"resting": rests,
	"napping": naps,
	"piped":   pipes,
	"asleep":  sleepers,
	"reading": reads,
}

// alone are those whose goroutines are woken by each other only, or by the end of a sleep.
var alone = map[string]bool{"dead": true, "gone": true, "asleep": true, "resting": true, "napping": true, "piped": true}

func list(ops ...any) []op {
	var all []op
	for _, o := range ops {
		switch o := o.(type) {
		case op:
			all = append(all, o)
		case []op:
			all = append(all, o...)
		}
	}
	return all
}

func simple(do string) op        { return op{Do: do} }
func print(text string) op       { return op{Do: "print", Text: text} }
func say(text string) op         { return op{Do: "say", Text: text} }
func spawn(m *machine) op        { return op{Do: "go", M: m} }
func send(ch chan int, v int) op { return op{Do: "send", Ch: ch, To: v} }
func receive(ch chan int) op     { return op{Do: "receive", Ch: ch} }

var (
	checkpoint = op{Do: "checkpoint"}
	settle     = op{Do: "settle"}
)

// pipeline: a producer, three workers between two channels, and a main goroutine that adds up.
func pipeline() *machine {
	in, out := make(chan int, 4), make(chan int)
	var wg sync.WaitGroup
	producer := &machine{Name: "producer", Ops: list(op{Do: "set", To: 40}, send(in, 3), checkpoint, op{Do: "loop", To: 1}, op{Do: "close", Ch: in})}
	var ops []op
	for i := range 3 {
		ops = append(ops, op{Do: "gowait", Group: &wg, M: &machine{Name: fmt.Sprint("worker", i), Ops: list(
			receive(in), op{Do: "unless", To: 3}, simple("end"),
			checkpoint, send(out, 7), op{Do: "jump"},
		)}})
	}
	closer := &machine{Name: "closer", Ops: list(op{Do: "wait", Group: &wg}, op{Do: "close", Ch: out})}
	ops = list(ops, spawn(producer), spawn(closer))
	n := len(ops)
	return &machine{Name: "main", Ops: list(ops,
		receive(out), op{Do: "unless", To: n + 3}, op{Do: "jump", To: n + 6},
		checkpoint, simple("sum"), op{Do: "jump", To: n},
		simple("total"),
	)}
}

// starting starts n goroutines, each when the one before is blocked.
func starting(n int, body func(i int) []op) []op {
	var ops []op
	for i := range n {
		ops = list(ops, spawn(&machine{Name: fmt.Sprint("g", i), Ops: body(i)}), settle)
	}
	return ops
}

// senders are blocked at an unbuffered channel, and at a full one, when checkpoints are taken.
func senders() *machine {
	ch, full := make(chan int), make(chan int, 2)
	return &machine{Name: "main", Ops: list(
		send(full, 100), send(full, 101),
		starting(6, func(i int) []op { return list(send([]chan int{ch, full}[i%2], i)) }),
		checkpoint, checkpoint,
		receive(ch), print("received"), checkpoint,
		receive(ch), print("received"), receive(ch), print("received"), checkpoint,
		receive(full), print("full"), checkpoint, receive(full), print("full"),
		receive(full), print("full"), receive(full), print("full"), receive(full), print("full"),
	)}
}

// receivers are blocked when checkpoints are taken.
func receivers(do string) *machine {
	ch, never, done := make(chan int), make(chan int), make(chan int)
	return &machine{Name: "main", Ops: list(
		starting(5, func(i int) []op {
			return list(op{Do: do, Ch: ch, Ch2: never}, print("got"), send(done, i))
		}),
		checkpoint,
		send(ch, 10), receive(done), checkpoint, send(ch, 11), receive(done), send(ch, 12), receive(done),
		checkpoint, checkpoint, send(ch, 13), receive(done),
		op{Do: "close", Ch: ch}, receive(done), print("last"),
	)}
}

// mutexes: five goroutines want a lock that main has.
func mutexes() *machine {
	var mu sync.Mutex
	done := make(chan int)
	lock, unlock := op{Do: "lock", Mutex: &mu}, op{Do: "unlock", Mutex: &mu}
	ops := list(lock, starting(5, func(i int) []op {
		return list(lock, op{Do: "note", Text: "has it"}, checkpoint, unlock, checkpoint, lock, op{Do: "note", Text: "again"}, unlock, send(done, i))
	}), checkpoint, checkpoint, unlock, checkpoint)
	for range 5 {
		ops = list(ops, receive(done), checkpoint)
	}
	return &machine{Name: "main", Ops: list(ops, simple("notes"))}
}

// rwMutexes: main reads, a writer waits for it, readers wait for the writer; then a second
// writer holds it while readers and a writer wait.
func rwMutexes() *machine {
	var mu sync.RWMutex
	done := make(chan int)
	rlock, runlock := op{Do: "rlock", RW: &mu}, op{Do: "runlock", RW: &mu}
	lock, unlock := op{Do: "wlock", RW: &mu}, op{Do: "wunlock", RW: &mu}
	writer := func(i int) []op { return list(lock, print("writes"), checkpoint, unlock, send(done, i)) }
	reader := func(i int) []op {
		return list(rlock, op{Do: "note", Text: "reads"}, checkpoint, runlock, send(done, i))
	}
	return &machine{Name: "main", Ops: list(
		rlock, rlock,
		starting(1, writer), starting(3, reader),
		checkpoint, runlock, checkpoint, settle, say("is the last reader"), checkpoint, runlock,
		receive(done), receive(done), receive(done), receive(done), simple("notes"),
		lock, starting(2, reader), starting(1, writer), checkpoint, say("is the writer"), unlock,
		receive(done), receive(done), receive(done), simple("notes"), checkpoint,
	)}
}

// groups: main waits for goroutines that checkpoint.
func groups() *machine {
	var wg sync.WaitGroup
	ops := list(op{Do: "add", Group: &wg, To: 1}, spawn(&machine{Name: "added", Ops: list(checkpoint, op{Do: "note"}, checkpoint, op{Do: "done", Group: &wg})}))
	for i := range 4 {
		ops = append(ops, op{Do: "gowait", Group: &wg, M: &machine{Name: fmt.Sprint("g", i), Ops: list(checkpoint, op{Do: "note"}, checkpoint)}})
	}
	return &machine{Name: "main", Ops: list(ops, op{Do: "wait", Group: &wg}, simple("notes"), checkpoint, op{Do: "wait", Group: &wg}, op{Do: "wait", Group: &wg}, say("waited"))}
}

// conds: five goroutines wait, and are woken one by one, or the last three at once.
func conds(broadcast bool) *machine {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	done := make(chan int)
	lock, unlock := op{Do: "lock", Mutex: &mu}, op{Do: "unlock", Mutex: &mu}
	ops := starting(5, func(i int) []op {
		woken := say("woken")
		if broadcast && i > 1 {
			woken.Do = "note" // they race for the lock
		}
		return list(lock, op{Do: "condwait", Cond: cond}, woken, checkpoint, unlock, send(done, i))
	})
	signal := op{Do: "signal", Cond: cond}
	ops = list(ops, checkpoint, signal, receive(done), checkpoint, signal, receive(done), checkpoint, checkpoint)
	if broadcast {
		return &machine{Name: "main", Ops: list(lock, unlock, ops, op{Do: "broadcast", Cond: cond}, receive(done), receive(done), receive(done), simple("notes"))}
	}
	return &machine{Name: "main", Ops: list(ops, lock, signal, unlock, receive(done), signal, receive(done), checkpoint, signal, receive(done), signal, checkpoint, say("all"))}
}

// relock: goroutines have been signalled and wait for the lock.
func relock() *machine {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	done := make(chan int)
	lock, unlock := op{Do: "lock", Mutex: &mu}, op{Do: "unlock", Mutex: &mu}
	return &machine{Name: "main", Ops: list(
		starting(3, func(i int) []op {
			return list(lock, op{Do: "condwait", Cond: cond}, op{Do: "note", Text: "woken"}, checkpoint, unlock, send(done, i))
		}),
		lock, op{Do: "signal", Cond: cond}, op{Do: "signal", Cond: cond}, checkpoint, settle, checkpoint, unlock,
		receive(done), receive(done), simple("notes"), checkpoint, op{Do: "signal", Cond: cond}, receive(done), simple("notes"),
	)}
}

// sleeps: a goroutine sleeps through many checkpoints.
func sleeps() *machine {
	done := make(chan int)
	sleep := func(d time.Duration) op { return op{Do: "sleep", D: d * time.Millisecond} }
	return &machine{Name: "main", Ops: list(
		simple("clock"),
		spawn(&machine{Name: "sleeper", Ops: list(sleep(600), say("slept"), op{Do: "elapsed", D: 600 * time.Millisecond}, send(done, 1))}),
		op{Do: "set", To: 10}, checkpoint, sleep(20), op{Do: "loop", To: 3},
		receive(done), print("received"), sleep(0), sleep(-1),
	)}
}

// births: goroutines start others and end all the time, also while they are to stop.
func births() *machine {
	out := make(chan int)
	var family func(depth int, name string) *machine
	family = func(depth int, name string) *machine {
		m := &machine{Name: name}
		if depth > 0 {
			for i := range 3 {
				m.Ops = append(m.Ops, spawn(family(depth-1, fmt.Sprint(name, i))), checkpoint)
			}
		}
		m.Ops = append(m.Ops, send(out, 1))
		return m
	}
	return &machine{Name: "main", Ops: list(spawn(family(4, "c")), op{Do: "set", To: 121}, receive(out), simple("sum"), op{Do: "loop", To: 2}, simple("total"), checkpoint)}
}

// spins: a goroutine can't be stopped for a while.
func spins() *machine {
	done, ch := make(chan int), make(chan int)
	return &machine{Name: "main", Ops: list(
		spawn(&machine{Name: "receiver", Ops: list(receive(ch), print("got"), send(done, 1))}),
		spawn(&machine{Name: "spinner", Ops: list(op{Do: "spin", D: 2500 * time.Millisecond}, send(done, 1))}),
		settle, checkpoint, say("goes on"), send(ch, 5), receive(done), receive(done), checkpoint, checkpoint, say("spun"),
	)}
}

// sorted: a goroutine is blocked below a function that can't be saved.
func sorted() *machine {
	done, ch := make(chan int), make(chan int)
	var mu sync.Mutex
	block := &machine{Name: "callback", Ops: list(receive(ch), print("got"), op{Do: "select", Ch: ch}, print("got"), op{Do: "lock", Mutex: &mu}, print("locked"), op{Do: "unlock", Mutex: &mu}, checkpoint)}
	return &machine{Name: "main", Ops: list(
		op{Do: "lock", Mutex: &mu},
		spawn(&machine{Name: "sorter", Ops: list(op{Do: "sort", M: block}, send(done, 1))}),
		settle, checkpoint, say("goes on"), send(ch, 5), settle, checkpoint, send(ch, 6), settle, op{Do: "unlock", Mutex: &mu}, receive(done), checkpoint, checkpoint, say("sorted"),
	)}
}

// worker: main is blocked, another goroutine takes the checkpoints.
func worker() *machine {
	done, ch := make(chan int), make(chan int)
	inner := &machine{Name: "inner", Ops: list(checkpoint, checkpoint, send(ch, 1), checkpoint)}
	return &machine{Name: "main", Ops: list(
		spawn(&machine{Name: "worker", Ops: list(settle, op{Do: "set", To: 10}, op{Do: "call", M: inner}, op{Do: "loop", To: 2}, op{Do: "close", Ch: ch}, send(done, 9))}),
		op{Do: "call", M: &machine{Name: "deep", Ops: list(op{Do: "set", To: 10}, receive(ch), simple("sum"), op{Do: "loop", To: 1}, simple("total"))}},
		receive(ch), print("closed"), receive(done), print("done"),
	)}
}

func panics() *machine {
	never := make(chan int)
	return &machine{Name: "main", Ops: list(spawn(&machine{Name: "g", Ops: list(checkpoint, checkpoint, op{Do: "panic", Text: "boom"})}), receive(never))}
}

// goexits: a goroutine that is counted, and one that is not, end by runtime.Goexit.
func goexits() *machine {
	var wg sync.WaitGroup
	body := func(name string) *machine {
		return &machine{Name: name, Ops: list(checkpoint, op{Do: "note"}, simple("goexit"), op{Do: "note"})}
	}
	return &machine{Name: "main", Ops: list(op{Do: "gowait", Group: &wg, M: body("counted")}, spawn(body("other")), settle, checkpoint, op{Do: "wait", Group: &wg}, checkpoint, settle, simple("notes"))}
}

// gone: main ends by runtime.Goexit, the others go on, and at last nobody is left.
func gone() *machine {
	ch := make(chan int)
	return &machine{Name: "main", Ops: list(
		spawn(&machine{Name: "a", Ops: list(op{Do: "set", To: 5}, receive(ch), checkpoint, print("got"), op{Do: "loop", To: 1})}),
		spawn(&machine{Name: "b", Ops: list(op{Do: "set", To: 5}, checkpoint, send(ch, 4), op{Do: "loop", To: 1})}),
		checkpoint, simple("goexit"),
	)}
}

func deadlock() *machine {
	ch := make(chan int)
	var mu sync.Mutex
	lock := op{Do: "lock", Mutex: &mu}
	return &machine{Name: "main", Ops: list(lock, starting(2, func(int) []op { return list(lock) }), starting(2, func(int) []op { return list(receive(ch)) }), checkpoint, checkpoint, say("blocks"), receive(ch))}
}

// many checkpoints leave nothing behind.
func many() *machine {
	ch, back := make(chan int), make(chan int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	lock, unlock := op{Do: "lock", Mutex: &mu}, op{Do: "unlock", Mutex: &mu}
	rounds := func(n int) []op {
		return list(op{Do: "call", M: &machine{Name: "rounds", Ops: list(op{Do: "set", To: n}, send(ch, 1), checkpoint, lock, checkpoint, unlock, receive(back), op{Do: "loop", To: 1})}})
	}
	return &machine{Name: "main", Ops: list(
		op{Do: "add", Group: &wg, To: 1},
		spawn(&machine{Name: "waiter", Ops: list(op{Do: "wait", Group: &wg}, send(back, 1))}),
		spawn(&machine{Name: "echo", Ops: list(receive(ch), op{Do: "unless", To: 3}, simple("end"), lock, unlock, send(back, 1), op{Do: "jump"})}),
		rounds(200), simple("memory"), rounds(800), simple("memory"), op{Do: "done", Group: &wg}, op{Do: "close", Ch: ch}, receive(back), op{Do: "goroutines", To: 4},
	)}
}

// inits: a goroutine was started before main.
func inits() *machine {
	return &machine{Name: "main", Ops: list(
		op{Do: "set", To: 3}, checkpoint, send(atInit, 1), checkpoint, receive(atInit), print("received"), op{Do: "loop", To: 1},
		checkpoint, op{Do: "goroutines", To: 4},
	)}
}

// outsides: a goroutine that is no part of checkpoints waits at a channel that is.
func outsides() *machine {
	return &machine{Name: "main", Ops: list(
		simple("external"), op{Do: "outside", To: 1}, settle, checkpoint, checkpoint, op{Do: "outside", To: 2}, settle, checkpoint, say("after"),
	)}
}

// timers of all kinds run while checkpoints are taken.
func timers() *machine {
	const unit = 100 * time.Millisecond
	done := make(chan int)
	t := &machine{}
	tick := func(text string) op { return op{Do: "tick", M: t, Text: text} }
	start := func(do string, d time.Duration) op { return op{Do: do, M: t, D: d} }
	called := &machine{Name: "called", Ops: list(checkpoint, say("fired"), checkpoint, send(done, 1))}
	never := &machine{Name: "never", Ops: list(say("fired"))}
	spin := op{Do: "sleep", D: unit / 4}
	ops := list(
		op{Do: "afterfunc", M: called, D: unit}, op{Do: "afterfunc", M: never, D: time.Hour}, op{Do: "afterfunc", M: never, D: time.Hour},
		simple("clock"), start("timer", 2*unit), start("ticker", 3*unit), start("after", 3*unit/2),
		spawn(&machine{Name: "after", Ops: list(tick("after"), op{Do: "elapsed", D: 3 * unit / 2}, checkpoint, send(done, 2))}),
		op{Do: "set", To: 20}, checkpoint, spin, op{Do: "loop", To: 9},
		tick("timer"), checkpoint, tick("ticker"), checkpoint, tick("ticker"), op{Do: "elapsed", D: 11 * unit / 2}, checkpoint,
		receive(done), receive(done), op{Do: "stoptimer", To: 1}, op{Do: "stoptimer", To: 1}, op{Do: "stoptimer", To: 2},
	)
	return &machine{Name: "main", Ops: ops}
}

// rests: all goroutines wait, one of them for the time to pass.
func rests() *machine {
	first, second, done, never := make(chan int), make(chan int), make(chan int), make(chan int)
	var mu sync.Mutex
	lock, unlock := op{Do: "lock", Mutex: &mu}, op{Do: "unlock", Mutex: &mu}
	return &machine{Name: "main", Ops: list(
		lock,
		spawn(&machine{Name: "locker", Ops: list(lock, op{Do: "note", Text: "has it"}, unlock, send(done, 1))}),
		spawn(&machine{Name: "selecter", Ops: list(op{Do: "select", Ch: second, Ch2: never}, op{Do: "note", Text: "selected"}, send(done, 1))}),
		simple("clock"),
		spawn(&machine{Name: "sleeper", Ops: list(op{Do: "sleep", D: 2500 * time.Millisecond}, op{Do: "elapsed", D: 2500 * time.Millisecond}, send(first, 3), send(second, 4))}),
		say("rests"), receive(first), simple("sum"), unlock, receive(done), receive(done), simple("notes"), simple("total"),
	)}
}

// naps: the only goroutine sleeps.
func naps() *machine {
	return &machine{Name: "main", Ops: list(say("naps"), op{Do: "sleep", D: time.Hour})}
}

// pipes: all wait for a goroutine that is no part of checkpoints, and waits for what the user types.
func pipes() *machine {
	return &machine{Name: "main", Ops: list(simple("pipe"), say("waits"), receive(outside), print("received"))}
}

// reads: the main goroutine itself reads from a pipe, and another one waits for it.
func reads() *machine {
	ch := make(chan int)
	return &machine{Name: "main", Ops: list(spawn(&machine{Name: "g", Ops: list(receive(ch))}), say("reads"), simple("read"), print("has read"), checkpoint, say("ends"))}
}

// sleepers wait in every way there is, but for the last, who comes to it after some time.
func sleepers() *machine {
	ch, full := make(chan int), make(chan int)
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	cond := sync.NewCond(new(sync.Mutex))
	goes := func(ops ...any) op { return spawn(&machine{Name: "g", Ops: list(ops...)}) }
	return &machine{Name: "main", Ops: list(
		op{Do: "lock", Mutex: &mu}, op{Do: "wlock", RW: &rw}, op{Do: "add", Group: &wg, To: 1},
		goes(receive(ch)), goes(op{Do: "select", Ch: ch, Ch2: full}), goes(op{Do: "lock", Mutex: &mu}), goes(op{Do: "rlock", RW: &rw}),
		goes(op{Do: "lock", Mutex: cond.L.(*sync.Mutex)}, op{Do: "condwait", Cond: cond}), goes(receive(nil)),
		goes(op{Do: "sleep", D: 200 * time.Millisecond}, say("ends")),
		goes(op{Do: "sleep", D: 400 * time.Millisecond}, say("is the last")),
		say("waits"), op{Do: "wait", Group: &wg},
	)}
}
