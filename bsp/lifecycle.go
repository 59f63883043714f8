package bsp

import (
	"fmt"
	"os"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/variables"
)

// Begin starts the parallel part of a program: it connects the process with
// the others of its job and returns when all have called it. It is called once.
func Begin() {
	if p := current.Load(); p != nil {
		p.misuse("Begin", p.sites.caller(), "it was called before")
	}
	if ended.Load() {
		outside("Begin")
	}
	job, err := place()
	var p *process
	if err == nil {
		p = newProcess(job, library.fresh(job))
		if err = p.connect(); err == nil {
			p.meet(0)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "bsp: process %d: %v\n", job.Rank, err)
		os.Exit(1)
	}
	p.started = time.Now()
	current.Store(p)
	p.joinCheckpoints()
	if _, on := ckp.Current(); !on && p.rank == 0 && asked() && !variables.Plain() {
		fmt.Fprintln(os.Stderr, "bsp: this program was not built with 'ckpgen build': no checkpoints are taken, and it can't go on after a failure")
	}
	p.tell(control.Restored{Millis: sinceStart()})
}

// asked reports whether somebody asks for checkpoints.
func asked() bool {
	dir, _ := variables.Lookup(control.EnvDir)
	every, _ := variables.Lookup(control.EnvTorture)
	return dir != "" || every != ""
}

// meet waits for the first frame of all processes and verifies that they begin
// at the same place: at their beginning, or in the same checkpoint.
func (p *process) meet(number uint64) {
	for i := 1; i < p.size; i++ {
		p.post((p.rank+i)%p.size, &header{kind: join, number: number})
	}
	for i := 1; i < p.size; i++ {
		from := (p.rank + p.size - i) % p.size
		var in [sections][]byte
		var h header
		p.links[from].frame, h = p.fetch(from, p.links[from].frame, join, 0, &in)
		if h.number != number {
			p.fail(fmt.Errorf("process %d begins with checkpoint %d, this process with checkpoint %d (0 is the beginning)", from, h.number, number))
		}
	}
}

// End ends the parallel part of a program: it waits until all processes have
// called it. What was put, got and sent since the last [Sync] happens. The
// library can't be used after it, except [NProcs] and [PID].
func End() {
	p := running("End")
	at := p.sites.caller()
	p.watch.done.Store(true)
	p.superstep(end, at)
	ckp.Settle()
	p.watch.part()
	ckp.SetCommitter(nil)
	if p.mesh != nil {
		p.mesh.Close()
	}
	library.forget()
	ended.Store(true)
	current.Store(nil)
}

// NProcs returns the number of processes of the job. It may be called before
// Begin.
func NProcs() int {
	if p := current.Load(); p != nil {
		return p.size
	}
	return unbegun().Size
}

// PID returns the number of this process, 0 to NProcs()-1. It may be called
// before Begin.
func PID() int {
	if p := current.Load(); p != nil {
		return p.rank
	}
	return unbegun().Rank
}

// unbegun is the place of a process outside of Begin and End.
func unbegun() control.Job {
	job, err := place()
	if err != nil {
		fmt.Fprintf(os.Stderr, "bsp: %v\n", err)
		os.Exit(1)
	}
	return job
}

// Time returns the time since [Begin]. In a restored process it goes on from
// where it was when the checkpoint was taken.
func Time() time.Duration {
	return time.Since(running("Time").started)
}

// Abort prints a message, formatted as by fmt.Sprintf, that names the process and
// the position of the call, and ends all processes with status 1.
func Abort(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p := current.Load()
	if p == nil {
		var s sites
		fmt.Fprintf(os.Stderr, "bsp: Abort by process %d (%s): %s\n", unbegun().Rank, s.position(s.caller()), text)
		os.Exit(1)
	}
	p.misuse("Abort", p.sites.caller(), "%s", text)
}
