package launch

import (
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
)

// lastWords is how long the messages of a process that ended may take.
const lastWords = 200 * time.Millisecond

// helloPatience is how long a process may take to connect before it is taken
// for one that does not.
const helloPatience = 2 * time.Second

// maxExtensions bounds how often a coordinator gets more time.
const maxExtensions = 60

func (j *job) handle(e any) {
	switch e := e.(type) {
	case connected:
		j.connect(e.peer)
	case said:
		if p := j.speaker(e.peer); p != nil {
			j.listen(p, e.m)
		}
	case hungUp:
		if p := j.speaker(e.peer); p != nil {
			p.deaf = true
			_ = p.peer.Close()
			if p.reaped && !p.ended {
				j.ended(p)
			}
		}
	case reaped:
		e.p.reaped, e.p.ending = true, e.ending
		if e.p.peer == nil || e.p.deaf {
			j.ended(e.p)
			return
		}
		time.AfterFunc(lastWords, func() { j.post(lapse{e.p}) })
	case lapse:
		if !e.p.ended {
			j.ended(e.p)
		}
	case unread:
		j.unread()
	case refused:
		j.out.say("a connection was refused: %v", e.err)
	}
}

// speaker returns the process whose connection peer is, if it is of this
// incarnation.
func (j *job) speaker(peer *control.Peer) *process {
	for _, p := range j.processes {
		if p.peer == peer {
			return p
		}
	}
	return nil
}

// connect takes the connection of a process of this incarnation, which may be
// its second one, and refuses all others: their end of file makes them exit.
func (j *job) connect(peer *control.Peer) {
	h := peer.Hello
	if h.Epoch != j.epoch || h.Rank < 0 || h.Rank >= len(j.processes) || j.processes[h.Rank].pid != h.PID {
		_ = peer.Close()
		return
	}
	p := j.processes[h.Rank]
	if p.peer != nil {
		_ = p.peer.Close()
	}
	p.peer, p.deaf, j.silent = peer, false, false
	go func() {
		for {
			m, err := peer.Receive()
			if err != nil {
				j.post(hungUp{peer})
				return
			}
			j.post(said{peer, m})
		}
	}()
	for _, q := range j.processes { // what it has missed
		if q.ended && q != p {
			p.report(q)
		}
	}
	if p.rank == 0 && j.stopping {
		_ = peer.Send(control.Stop{})
	}
}

// listen handles a message of a process of this incarnation.
func (j *job) listen(p *process, m control.Message) {
	switch m := m.(type) {
	case control.Progress:
		j.step = m.Superstep
	case control.Committed:
		j.commits++
		j.last, j.lastAt = m, time.Now()
		j.step = max(j.step, m.Superstep)
	case control.Restored:
		p.restored = &m
		j.step = m.Superstep
	case control.Fatal:
		p.fatal = m.Text
	case control.Suspect:
		if m.Rank < 0 || m.Rank >= len(j.processes) || j.winding || j.suspected[m.Rank] || j.processes[m.Rank].ending.status == 0 && j.processes[m.Rank].ended {
			return
		}
		j.suspected[m.Rank] = true
		j.notice()
		if j.grace == nil && !j.processes[m.Rank].ended {
			j.grace = time.After(lastWords)
		}
		j.relate("rank %d suspects %s: %s", p.rank, j.processes[m.Rank], m.Why)
	case control.Elected:
		if !j.winding {
			j.relate("rank %d is elected coordinator of epoch %d", m.Rank, m.Epoch)
		}
	case control.Restart:
		if m.Epoch <= j.epoch || j.restart != nil && m.Epoch <= j.restart.Epoch {
			return
		}
		j.restart = &m
		j.winding = true
	}
}

// relate tells what was heard from a process. The others often see that a connection broke before
// the launcher knows of the death: people are told of the death first.
func (j *job) relate(format string, args ...any) {
	j.hearsay = append(j.hearsay, fmt.Sprintf(format, args...))
	if j.grace == nil {
		j.release()
	}
}

// release tells what was held back for the end of a process.
func (j *job) release() {
	for _, line := range j.hearsay {
		j.out.say("%s", line)
	}
	j.hearsay, j.grace = nil, nil
}

// releaseIfKnown does so if the end of all that are suspected is known.
func (j *job) releaseIfKnown() {
	for rank := range j.suspected {
		if !j.processes[rank].ended {
			return
		}
	}
	j.release()
}

// notice remembers when it was first known that something is wrong, and gives
// the processes a bounded time for putting it right.
func (j *job) notice() {
	if j.noticed.IsZero() {
		j.noticed = time.Now()
	}
	if j.patience == nil && !j.winding {
		j.patience = time.After(j.spec.Patience)
	}
}

// impatient decides what to do when no restart has come in time. A coordinator that has claimed an
// epoch and is verifying large checkpoints gets more time, and, having done so, once more for
// saying it.
func (j *job) impatient() {
	_, claims, err := j.dir.store.History()
	if err == nil && len(claims) > 0 && uint64(claims[0].Epoch) > j.epoch && j.extended < maxExtensions {
		j.extended++
		if claims[0].Started {
			j.extended = maxExtensions
		}
		j.patience = time.After(j.spec.Patience)
		return
	}
	j.lead(fmt.Sprintf("no restart came within %s", seconds(time.Since(j.noticed))))
}

// ended handles the end of a process.
func (j *job) ended(p *process) {
	p.ended = true
	if j.suspected[p.rank] {
		defer j.releaseIfKnown()
	}
	if j.winding {
		if !p.killed && (p.ending.signal || p.ending.status != 0 && p.ending.status < control.ExitStopped) {
			j.out.say("%s %s", p, reason(p))
			if j.failed == nil {
				j.failed = p
			}
		}
		return
	}
	for _, q := range j.processes {
		if q.peer != nil && !q.deaf && !q.reaped {
			q.report(p)
		}
	}
	switch s := p.ending; {
	case s.status == 0:
	case s.signal && s.status == statusUnread && j.shares():
		j.unread()
		return
	case s.signal && j.stopping && s.status == 128+int(syscall.SIGTERM) && p.peer == nil:
		j.out.say("%s %s before it could take a checkpoint", p, s.text)
		j.end(s.status)
		return
	case s.signal:
		j.failure(p)
	case s.status == control.ExitStopped:
		if j.laggards == nil {
			j.laggards = time.After(stopPatience)
		}
	case j.base > 0 && (s.status == control.ExitOtherProgram || s.status == control.ExitNoIntact):
		j.out.say("%s could not go on from checkpoint %d: %s", p, j.base, reason(p))
		j.end(s.status)
		return
	case s.status == control.ExitStandDown:
		j.notice()
	default:
		j.failure(p)
	}
	if j.winding {
		return
	}
	j.conclude()
}

// statusUnread is that of a program which writes to a pipe that nobody reads.
const statusUnread = 128 + int(syscall.SIGPIPE)

// unread ends the job as its program alone would end.
func (j *job) unread() {
	if j.final == nil {
		j.out.say("nobody reads standard output any more: the job ends with status %d", statusUnread)
		j.end(statusUnread)
	}
}

// report tells p of the end of q. One that stands down has told the others more than that itself.
func (p *process) report(q *process) {
	if s := q.ending.status; s != control.ExitStandDown {
		_ = p.peer.Send(control.Died{Rank: q.rank, Status: s})
	}
}

// conclude decides what the endings so far mean, when nobody is left or nobody can act.
func (j *job) conclude() {
	var left, stopped, able, deaf int
	for _, p := range j.processes {
		switch {
		case !p.ended:
			left++
			switch {
			case p.deaf:
				deaf++ // it is dying, too
			case p.peer != nil && p.restored != nil:
				able++
			}
		case p.ending.status == control.ExitStopped:
			stopped++
		}
	}
	switch {
	case left == 0 && stopped > 0:
		j.end(control.ExitStopped)
	case left == 0 && j.noticed.IsZero():
		j.end(0)
	case left == 0, !j.noticed.IsZero() && deaf == left:
		j.lead("no process is left")
	case !j.noticed.IsZero() && able+deaf < left:
		j.lead("the remaining processes are not computing yet")
	}
}

// failure handles an end that should not have been.
func (j *job) failure(p *process) {
	j.notice()
	j.out.say("%s %s", p, reason(p))
	if j.failed == nil {
		j.failed = p
	}
	if p.ending.signal {
		return
	}
	// A status is the program's own word. It ends the job unless there is a checkpoint, and
	// so a state in which it had been well.
	if newest, err := j.dir.committed(); err == nil && newest.Seq == 0 {
		j.blame(p, "there is no checkpoint to go back to")
		j.end(p.ending.status)
	}
}

// reason tells how p ended, and why, if it said so.
func reason(p *process) string {
	if p.fatal != "" {
		return p.ending.text + ": " + p.fatal
	}
	return p.ending.text
}

// blame names the first rank that failed.
func (j *job) blame(p *process, why string) {
	j.out.say("%s failed first (%s); %s: the job ends with status %d", p, p.ending.text, why, p.ending.status)
}

// end decides that the job ends with status.
func (j *job) end(status int) {
	if j.final == nil {
		j.final = &status
	}
	j.winding = true
}

// lead decides that the launcher makes the next incarnation.
func (j *job) lead(why string) {
	if j.winding {
		return
	}
	j.takeOver, j.winding = why, true
}

// repetition is how long after the signal that stops the job another one is by the same sender: the
// command timeout sends two, and a terminal that is closed sends one and its shell another. Who
// presses a key twice means it.
const repetition = 500 * time.Millisecond

// signalled handles a signal to the launcher.
func (j *job) signalled(s os.Signal) {
	switch {
	case slices.Contains(checkpointSignals, s):
		if j.winding {
			return
		}
		p := j.processes[0]
		switch {
		case p.peer != nil:
			_ = p.peer.Send(control.Checkpoint{})
		case !p.reaped:
			signalCheckpoint(p.cmd.Process)
		}
	case !j.stopping:
		j.stopping, j.stoppedAt = true, time.Now()
		j.out.say("%s: stopping at the next checkpoint; a second one kills the processes without it", signalName(s))
		if !j.winding {
			j.askStop()
		}
	case s != os.Interrupt && time.Since(j.stoppedAt) < repetition:
	default:
		j.out.say("%s again: the processes are killed, without another checkpoint", signalName(s))
		status := 128 + int(syscall.SIGTERM)
		if n, ok := s.(syscall.Signal); ok {
			status = 128 + int(n)
		}
		j.end(status)
	}
}

// askStop asks process 0 to checkpoint and stop. One that does not connect is sent the
// signal, but not before it can have installed its handler.
func (j *job) askStop() {
	if p := j.processes[0]; p.peer != nil {
		_ = p.peer.Send(control.Stop{})
		return
	}
	j.nudge = time.After(max(0, helloPatience-time.Since(j.started)))
}

// remind asks process 0 once more: it may have been busy with another checkpoint, or not yet
// ready for requests, when it was asked.
func (j *job) remind() {
	if p := j.processes[0]; p.peer != nil && !p.deaf && !p.reaped {
		_ = p.peer.Send(control.Stop{})
	}
}
