package ckp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	goruntime "runtime"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/pack"
	"github.com/ckpgen/ckpgen/runtime/ckp/section"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
	"github.com/ckpgen/ckpgen/store"
)

// drive is called at the root of the goroutine that has begun a checkpoint, when its own
// stack has unwound. It takes the checkpoint if all others come to a stop.
func (r *run) drive() {
	saved := false
	defer func() {
		began := time.Now()
		shadow.Release()
		if saved {
			r.schedule.released(time.Since(began))
		}
	}()
	began := time.Now()
	err := r.standstill()
	if err == nil {
		saved = r.save()
		return
	}
	if shadow.Over() {
		return
	}
	r.refuse(err, time.Since(began))
	if c := coordinator(); c != nil {
		// The others have begun this checkpoint as well, and must hear of it.
		r.seq++
		_ = c.Begin(r.decision)(func(io.Writer) error { return err })
	}
}

// save takes the checkpoint that was begun and does what was decided. It
// returns if the program is to go on, with a checkpoint or, after a failure that
// has been told, without. It reports whether the next interval has begun.
//
// The program stands still while it is captured. If nothing else waits for the
// commit, the snapshot is written while the program goes on.
func (r *run) save() bool {
	r.saving.Store(true)
	defer r.saving.Store(false)
	r.behind.wait()
	d := r.decision
	if d == SaveAndGoOn && r.pausing() {
		return false
	}
	onRequest := r.schedule.taken(d)
	if err := r.prepare(); err != nil {
		r.ended(d, err, onRequest)
		return false
	}
	r.seq++
	r.note = ""
	if name := r.name.Swap(nil); name != nil {
		r.note = *name
	}
	write, err := r.capture()
	events, _, _ := shadow.Idle()
	r.events.Store(events)
	c := coordinator()
	if c == nil {
		c = alone{r}
		if err != nil {
			r.ended(d, err, onRequest)
			return false
		}
	}
	commit := c.Begin(d)
	if d != SaveAndGoOn || r.config.exitAfter > 0 {
		ok := r.ended(d, commit(write), onRequest)
		if ok {
			r.schedule.start()
		}
		return ok
	}
	r.schedule.start()
	if r.config.early == skipEarly {
		r.schedule.hold(true)
	}
	r.behind.run(func() {
		r.ended(d, commit(write), onRequest)
		r.schedule.hold(false)
	})
	return true
}

// pausing reports whether the checkpoint before could not be written while this one, which nothing
// but the interval asks for, was decided or waited for it: the next try is the one after the pause.
func (r *run) pausing() bool {
	d, _ := r.schedule.wish()
	return r.failed != "" && d == None && r.name.Load() == nil && coordinator() == nil
}

// wayOut returns what else can be done if there is a value that can't be saved.
func wayOut(err error) string {
	var unsupported *heap.UnsupportedError
	if !errors.As(err, &unsupported) {
		return ""
	}
	for _, p := range shadow.Packages() {
		for _, g := range p.Globals {
			rest, ok := strings.CutPrefix(unsupported.Path, g.Name)
			if ok && (rest == "" || strings.ContainsRune(".[(", rune(rest[0]))) {
				return fmt.Sprintf("; if the program does not need it again, leave the variable out by a line //ckp:transient %s in a file of your own", strings.TrimPrefix(g.Name, "*"))
			}
		}
	}
	return "; if the program does not need it again, leave out a variable or field that leads to it by a comment //ckp:transient at its declaration, which a local variable can't have"
}

// ended does what was decided for the time after a checkpoint, and reports whether it was
// committed. If it was not, whoever has asked for it is told so, also if others before have failed
// in the same way.
func (r *run) ended(d Decision, err error, onRequest bool) bool {
	if err != nil {
		var fenced *store.FencedError
		if errors.As(err, &fenced) {
			status := 1
			if r.config.launched {
				status = exitStandDown
			}
			quit(status, err)
		}
		r.discard()
		r.series.restart()
		r.schedule.failed(d)
		r.failed = cause(err)
		why := fmt.Sprintf(": %v%s", err, wayOut(err))
		about, line := r.failed, "checkpoint failed, the program goes on without"+why
		if d == SaveAndStop {
			// Whoever asked for it waits for the end of the process.
			about, line = "stop: "+r.failed, "the checkpoint before the stop failed, trying again every second"+r.wayToEnd()+why
		} else if onRequest {
			r.forget(about)
		}
		r.miss(about, "checkpoint failed"+why, r.tell(about, line), true)
		return false
	}
	if r.failed != "" {
		r.forget("stop: " + r.failed)
		r.forget(r.failed) // to be told again if it comes back
		r.failed = ""
		if tries := r.overcome(); r.config.torture == 0 && r.config.rank == 0 && d != SaveAndStop {
			say(fmt.Sprintf("a checkpoint is committed again, after %s", tries))
		}
	}
	r.overcome()
	r.committed.Add(1)
	switch d {
	case SaveAndStop:
		r.stop()
	case SaveAndRestart:
		testBinary.tally()
		if r.config.size > 1 {
			os.Exit(exitStandDown)
		}
		quit(1, fmt.Errorf("torture mode: %w", r.replace()))
	}
	return true
}

// wayToEnd tells how the process is ended that can't take its last checkpoint.
func (r *run) wayToEnd() string {
	if r.config.launched {
		return ""
	}
	return " (a second SIGTERM ends the program without it)"
}

// stop ends the process after its last checkpoint.
func (r *run) stop() {
	if !r.config.launched {
		say(fmt.Sprintf("checkpoint %d is in %s; the same command goes on from it", r.seq, r.store.Dir()))
	}
	os.Exit(exitStopped)
}

// cause returns the text of the innermost error, without the numbers of
// checkpoints around it. Those of another process are in the text.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, err.Error())
}

// prepare makes a store for one checkpoint if there is no other.
func (r *run) prepare() error {
	if r.store != nil {
		return nil
	}
	s, err := newScratch()
	if err != nil {
		return err
	}
	if r.epoch, err = s.Claim(owner()); err != nil {
		discard(s)
		return err
	}
	r.store, r.seq = s, 0
	return nil
}

// discard deletes the store if it is for one checkpoint.
func (r *run) discard() {
	if r.config.dir == "" && r.store != nil {
		discard(r.store)
		r.store = nil
	}
}

// capture copies the program, and returns what writes the copy. That fails, too,
// if there is none.
func (r *run) capture() (write func(io.Writer) error, err error) {
	began := time.Now()
	before := shadow.Fired()
	goroutines := shadow.Snapshot()
	noteProcess()
	noteTimers()
	defer forgetTimers()
	noteTests()
	opt := options()
	r.captures++
	opt.Verify = r.captures&(r.captures-1) == 0 // the first, second, fourth, eighth...: most of what is in one was in those before
	opt.Waiters = r.external
	if r.series != nil {
		opt.Increments = r.series.captures
	}
	snapshot, err := heap.Capture(roots(&goroutines), opt)
	for tries := 0; err == nil && firing(before); tries++ {
		if tries == 10 {
			err = errors.New("timers of time.AfterFunc fire all the time")
			break
		}
		before = shadow.Fired()
		goroutines = shadow.Snapshot()
		noteTimers()
		r.series.restart() // what the one that is thrown away has is not in the next
		snapshot, err = heap.Capture(roots(&goroutines), opt)
	}
	if err == nil {
		err = r.attach(snapshot, goroutines, began)
	}
	var u *heap.UnsupportedError
	if errors.As(err, &u) {
		err = &heap.UnsupportedError{Path: sourcePath(u.Path, describe(goroutines)), Type: u.Type, Why: u.Why}
	}
	r.files = nil
	if err == nil {
		r.files = snapshot.Opened()
	}
	seq := r.seq
	return func(w io.Writer) error {
		if err != nil {
			return err
		}
		if err := r.durable.sync(snapshot.Written()); err != nil {
			return err
		}
		if r.series != nil {
			return r.series.write(r, snapshot, seq, w)
		}
		return r.pack(w, func(w io.Writer) error {
			_, err := snapshot.WriteTo(w)
			return err
		})
	}, err
}

// pack has an image written, compressed if that is asked for.
func (r *run) pack(w io.Writer, write func(io.Writer) error) error {
	if r.config.codec == nil {
		return write(w)
	}
	p, err := pack.NewWriter(w, r.config.codec, goruntime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	err = write(p)
	if cerr := p.Close(); err == nil {
		err = cerr
	}
	return err
}

// attach adds the sections that describe the program and its stacks.
func (r *run) attach(s *heap.Snapshot, goroutines []shadow.Saved, began time.Time) error {
	stack, err := json.Marshal(describe(goroutines))
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	process, err := json.Marshal(section.Process{
		Rank: r.config.rank, Size: r.config.size, Seq: r.seq, Epoch: uint64(r.epoch),
		Time: began.UTC(), Pause: int64(time.Since(began)),
		Host: host, PID: os.Getpid(), Args: startArgs,
		System: system(), Compiler: goruntime.Version(),
	})
	if err != nil {
		return err
	}
	s.Attach(section.ProgramName, r.section)
	s.Attach(section.ProcessName, process)
	s.Attach(section.StackName, stack)
	return nil
}

// alone commits the checkpoints of a program of one process.
type alone struct{ *run }

// Begin implements Committer.
func (a alone) Begin(Decision) Commit {
	seq, note := a.seq, a.note
	a.store.KeepFiles(a.epoch, seq, a.config.rank, a.files)
	return func(write func(io.Writer) error) error {
		if a.config.size > 1 {
			return fmt.Errorf("the job has %d processes, but no library that makes them take checkpoints together (bsp does)", a.config.size)
		}
		return a.store.Save(store.Manifest{Seq: seq, Epoch: a.epoch, Program: a.hash, Note: note}, write)
	}
}
