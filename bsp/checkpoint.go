package bsp

import (
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/variables"
	"github.com/ckpgen/ckpgen/store"
)

func init() { ckp.Use(library) }

// decide is what process 0 says about a checkpoint at the end of this
// superstep, and the number it will have.
func (p *process) decide() (ckp.Decision, uint64) {
	d := ckp.Due()
	if d == ckp.None {
		return d, 0
	}
	if d == ckp.SaveAndRestart && p.size > 1 && p.launcher == nil {
		d = ckp.SaveAndGoOn // nobody would start the processes again
	}
	number := p.st.Saved + 1
	if run, ok := ckp.Current(); ok {
		number = max(number, run.Next)
	}
	return d, number
}

// hold brings the state into the form in which it is saved.
func (p *process) hold() {
	p.st.Elapsed = Time()
	p.st.keep()
	p.saving = true
}

// refuse tells the other processes that this one can't save.
func (p *process) refuse(err error) {
	_ = committer{p}.Begin(ckp.None)(func(io.Writer) error { return err })
	// The reason has been told by package ckp.
}

// committer is how the processes of a job commit together.
type committer struct{ p *process }

// Begin implements ckp.Committer.
func (c committer) Begin(d ckp.Decision) ckp.Commit {
	p := c.p
	failed := func(why string) ckp.Commit {
		return func(func(io.Writer) error) error { return errors.New(why) }
	}
	if !p.saving && p.size > 1 {
		return failed("ckp.Checkpoint can't take a checkpoint of a job of several processes, bsp.Sync can")
	}
	p.saving = false
	p.awaitCaptures()
	run, ok := ckp.Current()
	if !ok {
		return failed("checkpoints are not turned on in this process: all processes of a job must have the same CKP_ variables")
	}
	if p.size == 1 {
		p.st.Saved = run.Next - 1
	}
	run.Store.KeepFiles(run.Epoch, p.st.Saved, p.rank, run.Files)
	now := committing{run.Store, run.Epoch, run.Program, p.st.Saved, p.st.Superstep}
	return func(write func(io.Writer) error) error {
		if err := p.commit(now, write); err != nil {
			p.awaitSuccession(err)
			return err
		}
		return p.leaveAfter(d, run.Store)
	}
}

// successionTime bounds how long a process whose epoch is closed waits for the next incarnation.
const successionTime = 10 * time.Second

// awaitSuccession waits, if the reason of an error is that the epoch of this process is closed. Who
// has closed it may be the coordinator of an election that is still going on, even this very
// process: if it ended now, nobody would tell the launcher how the next incarnation begins. The end
// of the election ends this process.
func (p *process) awaitSuccession(err error) {
	var fenced *store.FencedError
	if errors.As(err, &fenced) && p.launcher != nil && p.size > 1 {
		time.Sleep(successionTime)
	}
}

// awaitCaptures waits until all processes have captured their memory, or found that they can't.
// What a process does afterwards, to a file that others have open for example, is none of the
// checkpoint.
func (p *process) awaitCaptures() {
	for i := 1; i < p.size; i++ {
		p.post((p.rank+i)%p.size, &header{kind: captured})
	}
	for i := 1; i < p.size; i++ {
		from := (p.rank + p.size - i) % p.size
		l := &p.links[from]
		var in [sections][]byte
		l.reply, _ = p.fetch(from, l.reply, captured, 0, &in)
	}
}

// leaveAfter takes leave of the others if the process ends after a checkpoint that is committed.
func (p *process) leaveAfter(d ckp.Decision, s *store.Store) error {
	if d == ckp.SaveAndRestart && p.size > 1 && p.rank == 0 {
		next, err := p.watch.resume(s)
		if err != nil {
			p.fail(err)
		}
		p.tell(control.Restart{Epoch: uint64(next.epoch), Restore: next.restore})
	}
	if d == ckp.SaveAndStop || d == ckp.SaveAndRestart {
		p.watch.depart(byeByte)
	}
	return nil
}

// joinCheckpoints makes this process commit together with the others.
func (p *process) joinCheckpoints() {
	if p.size > 1 || p.launcher != nil {
		ckp.SetCommitter(committer{p})
	}
}

// passOn passes on what the launcher asks for.
func passOn(stop bool) {
	if stop {
		ckp.Request(ckp.SaveAndStop)
	} else {
		ckp.Request(ckp.SaveAndGoOn)
	}
}

// openStore opens the store of the job, for a coordinator.
func openStore() (*store.Store, error) {
	if run, ok := ckp.Current(); ok {
		return run.Store, nil
	}
	dir, _ := variables.Lookup(control.EnvDir)
	if dir == "" {
		return nil, errors.New("the job has no directory for checkpoints")
	}
	most, _ := variables.Lookup(control.EnvKeep)
	keep, _ := strconv.Atoi(most) // 0: the default
	return store.Open(dir, store.Options{Keep: max(keep, 0)})
}
