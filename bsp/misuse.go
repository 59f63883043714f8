package bsp

import (
	"fmt"
	"os"

	"github.com/ckpgen/ckpgen/launch/control"
)

// misuse ends all processes, because this one called the library as it must not
// be called.
func (p *process) misuse(call string, at site, format string, args ...any) {
	p.accuse(call, p.rank, p.sites.position(at), format, args...)
}

// accuse ends all processes, because process rank called the library as it
// must not be called.
func (p *process) accuse(call string, rank int, position, format string, args ...any) {
	p.endAll(fmt.Sprintf("bsp: %s by process %d (%s): %s", call, rank, position, fmt.Sprintf(format, args...)))
}

// endAll prints text and ends all processes of the job with status 1.
func (p *process) endAll(text string) {
	if !p.watch.leave() {
		select {} // another goroutine is ending the process
	}
	fmt.Fprintln(os.Stderr, text)
	p.tell(control.Fatal{Text: text})
	p.watch.spread(abortSignal(text))
	os.Exit(1)
}

// outside ends a process that calls the library before Begin or after End.
func outside(call string) {
	var s sites
	position := s.position(s.above(2))
	rank := 0
	if job, err := place(); err == nil {
		rank = job.Rank
	}
	when := "before Begin"
	if ended.Load() {
		when = "after End"
	}
	fmt.Fprintf(os.Stderr, "bsp: %s by process %d (%s): it was called %s\n", call, rank, position, when)
	os.Exit(1)
}

// peer verifies a process number.
func (p *process) peer(call string, pid int, at site) {
	if uint(pid) < uint(p.size) {
		return
	}
	if p.size == 1 {
		p.misuse(call, at, "there is no process %d, the job has process 0 only", pid)
	}
	p.misuse(call, at, "there is no process %d, the job has processes 0 to %d", pid, p.size-1)
}
