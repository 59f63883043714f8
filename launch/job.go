package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/store"
)

// job is a running job. Its fields belong to the main loop.
type job struct {
	spec    *Spec
	dir     *directory
	out     *output
	in      *input
	logs    *logs
	server  *control.Server
	spawner *spawner
	runDir  string
	events  chan any
	done    chan struct{} // closed when nobody receives events any more
	began   time.Time

	// This incarnation.
	incarnation
	// Of the job.
	commits   int // checkpoints committed under this launcher
	last      control.Committed
	lastAt    time.Time
	step      uint64
	stopping  bool      // a stop was asked for
	stoppedAt time.Time // when
	silent    bool      // no process has ever connected
	drained   bool      // it was told that input was lost
	limits    limits
	final     *int
}

// incarnation is what begins anew with each start of the processes.
type incarnation struct {
	epoch     uint64
	base      uint64 // checkpoint; 0: the beginning
	processes []*process
	started   time.Time
	winding   bool             // the end of the incarnation is decided
	failed    *process         // the first that failed
	noticed   time.Time        // when a death or hang was first known
	restart   *control.Restart // from the coordinator
	suspected map[int]bool
	hearsay   []string         // what the others say of a process whose end is not known yet
	grace     <-chan time.Time // for that end
	takeOver  string           // why the launcher has to be coordinator
	patience  <-chan time.Time
	extended  int              // times that patience was
	laggards  <-chan time.Time // some have stopped, the rest should have
	nudge     <-chan time.Time // process 0 is not connected and should stop
}

// Events of the main loop.
type (
	reaped struct {
		p      *process
		ending ending
	}
	connected struct{ peer *control.Peer }
	said      struct {
		peer *control.Peer
		m    control.Message
	}
	hungUp  struct{ peer *control.Peer }
	refused struct{ err error }
	lapse   struct{ p *process } // its last messages had their time
	unread  struct{}             // nobody reads standard output any more
)

func (j *job) post(e any) {
	select {
	case j.events <- e:
	case <-j.done:
	}
}

// Run runs a job to its end and returns the exit status for it. With an
// error the status is 1, or 2 for a *[UsageError]; otherwise everything there is to
// say has been written to standard error. The end of ctx kills the job's processes.
// It handles the signals of the package documentation while it runs.
func Run(ctx context.Context, s Spec) (int, error) {
	status, err := run(ctx, &s)
	if err == nil {
		return status, nil
	}
	var o *store.OtherJobError
	if errors.As(err, &o) {
		return control.ExitUsage, fmt.Errorf("%w%s", err, inThisOne)
	}
	var u *UsageError
	if errors.As(err, &u) {
		return control.ExitUsage, err
	}
	var n *store.NoIntactError
	if errors.As(err, &n) {
		return control.ExitNoIntact, fmt.Errorf("%w%s", err, inThisOne)
	}
	return 1, err
}

// inThisOne follows what says that a job starts from the beginning in an empty directory.
const inThisOne = " (--fresh does so in this one)"

func run(ctx context.Context, s *Spec) (status int, err error) {
	if err := s.complete(); err != nil {
		return 0, &UsageError{err}
	}
	j := &job{spec: s, events: make(chan any, 64), done: make(chan struct{}), began: time.Now(), silent: true}
	j.out, j.in = newOutput(s), newInput(s.Stdin)
	j.out.unread = func() { go j.post(unread{}) }
	if j.dir, err = openDirectory(s); err != nil {
		return 0, err
	}
	status = 1
	defer func() { j.dir.close(status, j.keep(status)) }()
	ended, err := j.dir.admit(s)
	if err != nil {
		return 1, err
	}
	if j.logs, err = newLogs(s.LogDir, func(err error) {
		j.out.say("%v: output is missing in the files of --log-dir; the job goes on", err)
	}); err != nil {
		return 1, err
	}
	defer j.logs.close()
	if j.runDir, err = makeRunDir(); err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(j.runDir) }()
	if j.server, err = control.Listen(j.socket()); err != nil {
		return 1, err
	}
	defer j.server.Close()
	j.server.Refused = func(err error) { j.post(refused{err}) }
	j.server.Start()
	go func() {
		for {
			select {
			case p := <-j.server.Peers():
				j.post(connected{p})
			case <-j.done:
				return
			}
		}
	}()
	j.spawner = newSpawner()
	defer j.spawner.close()
	defer close(j.done)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, append(stopSignals, checkpointSignals...)...)
	defer signal.Stop(signals)
	// Whoever is notified of it is not killed by it, and sees the error of the write.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)

	if ended {
		j.out.say("%s%s", store.HadEnded, inThisOne)
	}
	if err = j.begin(); err == nil {
		status, err = j.live(ctx, signals)
	}
	if err != nil {
		err = fmt.Errorf("%w%s", err, j.resumption())
	}
	j.out.show("")
	return status, err
}

// keep reports whether a temporary directory is worth keeping, and tells where it is.
func (j *job) keep(status int) bool {
	if !j.dir.temporary || status == 0 {
		return false
	}
	newest, err := j.dir.committed()
	if err != nil || newest.Seq == 0 {
		return false
	}
	j.out.say("checkpoint %d is kept in %s: give --dir %s to go on from there", newest.Seq, j.dir.path, j.dir.path)
	return true
}

func (j *job) socket() string { return filepath.Join(j.runDir, "control") }

// begin claims the first epoch.
func (j *job) begin() error {
	var err error
	if j.spec.Fresh {
		var e store.Epoch
		if e, err = j.dir.store.Fresh(owner()); err == nil {
			j.incarnation = incarnation{epoch: uint64(e)}
		}
	} else {
		err = j.claim()
	}
	if err != nil {
		return err
	}
	j.dir.record.RunDir = j.runDir
	return j.dir.store.WriteJob(j.dir.record)
}

// claim makes this launcher the owner of the next epoch and picks the
// checkpoint that it starts from.
func (j *job) claim() error {
	e, c, damage, err := j.dir.store.Resume(owner())
	var none *store.NoIntactError
	if !errors.As(err, &none) { // which tells the same
		for _, d := range damage {
			j.out.say("DAMAGED: %v", d)
		}
	}
	if err != nil {
		return err
	}
	if len(damage) > 0 {
		if c.Manifest.Seq > 0 {
			j.out.say("falling back to checkpoint %d (superstep %d)", c.Manifest.Seq, c.Manifest.Superstep)
		}
	}
	j.incarnation = incarnation{epoch: uint64(e), base: c.Manifest.Seq}
	return nil
}

// live runs incarnation after incarnation.
func (j *job) live(ctx context.Context, signals <-chan os.Signal) (int, error) {
	if newest, err := j.dir.committed(); err == nil {
		j.limits.progress(newest)
	}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	var lost time.Time // when the last incarnation was hit
	for {
		if err := j.launch(); err != nil {
			return 1, err
		}
		if !lost.IsZero() && j.silent {
			j.out.say("started again %s after the failure was noticed", seconds(time.Since(lost)))
		}
		if lost.IsZero() && j.base > 0 {
			j.out.say("going on from checkpoint %d%s, epoch %d", j.base, j.where(j.base), j.epoch)
		}
		computing := false
		for !j.winding {
			j.next(ctx, signals, tick.C)
			if !computing && j.computing() {
				computing = true
				switch {
				case !lost.IsZero():
					j.out.say("computing again %s after the failure was noticed", seconds(time.Since(lost)))
				case j.base > 0:
					j.out.say("computing again after %s", seconds(time.Since(j.started)))
				}
			}
		}
		if err := j.wind(ctx, signals); err != nil {
			return 1, err
		}
		if j.final != nil {
			j.farewell(*j.final)
			return *j.final, nil
		}
		lost = j.noticed
		if lost.IsZero() {
			lost = time.Now()
		}
		if status, over := j.giveUp(); over {
			j.remain()
			return status, nil
		}
		if err := j.succeed(); err != nil {
			return 1, err
		}
	}
}

// farewell tells how to go on with a job that was stopped.
func (j *job) farewell(status int) {
	switch {
	case j.stopping && status > 128:
		j.remain()
		return
	case status != control.ExitStopped || j.dir.temporary:
		return
	}
	if newest, err := j.dir.committed(); err == nil && newest.Seq > 0 {
		j.out.say("stopped after checkpoint %d%s; %s goes on from there", newest.Seq, j.where(newest.Seq), j.sameCommand())
	}
}

// remain tells how to go on with a job that was given up.
func (j *job) remain() {
	if j.dir.temporary { // see keep
		return
	}
	if newest, err := j.dir.committed(); err == nil && newest.Seq > 0 {
		j.out.say("checkpoint %d%s remains in %s; %s goes on from it", newest.Seq, j.where(newest.Seq), j.dir.path, j.sameCommand())
	}
}

// resumption follows what an error says that has ended the job: that a checkpoint is intact, and how
// to go on from it.
func (j *job) resumption() string {
	if j.dir.temporary {
		return ""
	}
	c, _, err := j.dir.store.Newest()
	if err != nil {
		return ""
	}
	return fmt.Sprintf("; checkpoint %d%s is intact: when that is mended, %s goes on from it", c.Manifest.Seq, j.where(c.Manifest.Seq), j.sameCommand())
}

// sameCommand is the one that goes on with this job.
func (j *job) sameCommand() string {
	if j.spec.Fresh {
		return "the same command without --fresh"
	}
	return "the same command"
}

// launch starts the processes of this incarnation.
func (j *job) launch() error {
	j.started = time.Now()
	j.suspected = map[int]bool{}
	for rank := range j.spec.Processes {
		p, err := j.start(rank)
		if err != nil {
			j.end(1)
			if e := j.wind(context.Background(), nil); e != nil {
				j.out.say("%v", e)
			}
			return err
		}
		j.processes = append(j.processes, p)
	}
	if j.stopping {
		j.askStop()
	}
	return nil
}

// next handles one event.
func (j *job) next(ctx context.Context, signals <-chan os.Signal, tick <-chan time.Time) {
	select {
	case e := <-j.events:
		j.handle(e)
	case s := <-signals:
		j.signalled(s)
	case <-ctx.Done():
		j.end(1)
	case <-tick:
		j.out.show(j.statusLine())
		if j.stopping && !j.winding {
			j.remind()
		}
	case <-j.grace:
		j.release()
	case <-j.patience:
		j.patience = nil
		j.impatient()
	case <-j.laggards:
		j.laggards = nil
		j.out.say("some processes have not stopped %v after the others: they are killed", stopPatience)
		j.end(control.ExitStopped)
	case <-j.nudge:
		j.nudge = nil
		if p := j.processes[0]; p.peer == nil && !p.reaped {
			signalStop(p.cmd.Process)
		}
	}
}

// computing reports whether all processes have said so.
func (j *job) computing() bool {
	for _, p := range j.processes {
		if p.restored == nil {
			return false
		}
	}
	return true
}

// dying waits a moment for processes that are dying already, so that it is known
// why.
func (j *job) dying() {
	timeout := time.After(dyingPatience)
	for {
		n := 0
		for _, p := range j.processes {
			if (p.deaf || j.suspected[p.rank]) && !p.ended {
				n++
			}
		}
		if n == 0 {
			return
		}
		select {
		case e := <-j.events:
			j.handle(e)
		case <-timeout:
			return
		}
	}
}

// wind ends what is left of this incarnation.
func (j *job) wind(ctx context.Context, signals <-chan os.Signal) error {
	j.dying()
	j.release()
	for _, p := range j.processes {
		if !p.reaped {
			p.killed = true
			killGroup(p.cmd.Process)
		}
	}
	timeout := time.After(reapPatience)
	for {
		left := 0
		for _, p := range j.processes {
			if !p.ended {
				left++
			}
		}
		if left == 0 {
			break
		}
		select {
		case e := <-j.events:
			j.handle(e)
		case s := <-signals:
			j.signalled(s)
		case <-timeout:
			return fmt.Errorf("%d processes of epoch %d are not gone %v after they were killed: end them before the job is started again", left, j.epoch, reapPatience)
		}
	}
	for _, p := range j.processes {
		if p.peer != nil {
			_ = p.peer.Close()
		}
		p.settle()
	}
	return nil
}

// succeed makes the next incarnation, from the coordinator's restart or by
// taking over.
func (j *job) succeed() error {
	old := j.incarnation
	if r := old.restart; r != nil {
		_, claims, err := j.dir.store.History()
		if err != nil {
			return err
		}
		if len(claims) > 0 && uint64(claims[0].Epoch) == r.Epoch && claims[0].Started {
			j.incarnation = incarnation{epoch: r.Epoch, base: claims[0].Base}
		} else {
			old.restart, old.takeOver = nil, fmt.Sprintf("epoch %d is not the newest one", r.Epoch)
		}
	}
	if old.restart == nil {
		if err := j.claim(); err != nil {
			return err
		}
		j.out.say("the launcher coordinates epoch %d: %s", j.epoch, old.takeOver)
	}
	who := "the process"
	if n := j.spec.Processes; n > 1 {
		who = fmt.Sprintf("%d processes", n)
	}
	if j.base > 0 {
		j.out.say("restarting %s from checkpoint %d%s, epoch %d", who, j.base, j.where(j.base), j.epoch)
	} else {
		j.out.say("restarting %s from the beginning (there is no checkpoint), epoch %d", who, j.epoch)
	}
	if err := j.in.rewind(); err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	if j.in.flows() && !j.drained {
		j.drained = true
		j.out.say("standard input is a pipe: what the program has read from it since then does not come again; if it reads its input while it computes, give it a file (< FILE)")
	}
	j.sweepSockets(old.epoch)
	return nil
}

// sweepSockets removes what processes of an epoch left in the run directory.
func (j *job) sweepSockets(epoch uint64) {
	names, _ := filepath.Glob(filepath.Join(j.runDir, fmt.Sprintf("e%d-*", epoch)))
	for _, n := range names {
		_ = os.Remove(n)
	}
}

// where describes the place of a checkpoint.
func (j *job) where(seq uint64) string {
	c, err := j.dir.store.Load(seq)
	if err != nil || c.Manifest.Superstep == 0 {
		return ""
	}
	return fmt.Sprintf(" (superstep %d)", c.Manifest.Superstep)
}
