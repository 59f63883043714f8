package launch

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
)

// ending is how a process ended.
type ending struct {
	status int    // as the command's status would be: 128 plus signal
	signal bool   // a signal ended it
	own    bool   // by its own doing: a status, or a signal such as SIGSEGV
	early  bool   // with status 0, before the others had come as far
	text   string // for people, after "rank 3 (pid 4711) "
}

// process is one process of an incarnation. The main loop alone touches it, but for
// the fields that are set before it starts.
type process struct {
	rank  int
	pid   int
	cmd   *exec.Cmd
	pumps sync.WaitGroup
	pipes []*os.File // read ends

	peer     *control.Peer // nil: not connected
	deaf     bool          // the connection has ended
	restored *control.Restored
	fatal    string // the reason it gave

	killed bool // by the launcher
	reaped bool
	ended  bool // reaped, and its last messages read
	ending ending
}

func (p *process) String() string { return fmt.Sprintf("rank %d (pid %d)", p.rank, p.pid) }

// logs are the files of --log-dir.
type logs struct {
	dir    string
	files  map[string]*logFile
	tell   func(err error) // called once, when something can't be written
	failed sync.Once
}

// A logFile is one of them. The job goes on whether it can be written or not.
type logFile struct {
	*os.File
	logs *logs
}

// Write never fails.
func (f *logFile) Write(b []byte) (int, error) {
	if _, err := f.File.Write(b); err != nil {
		f.logs.failed.Do(func() { f.logs.tell(err) })
	}
	return len(b), nil
}

func newLogs(dir string, tell func(error)) (*logs, error) {
	if dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("log directory: %w", err)
	}
	return &logs{dir: dir, files: map[string]*logFile{}, tell: tell}, nil
}

// file returns the file for one output of a process. It is emptied when the
// launcher first asks for it, and goes on through restarts.
func (l *logs) file(rank int, name string) (io.Writer, error) {
	if l == nil {
		return nil, nil
	}
	base := fmt.Sprintf("rank-%d.%s", rank, name)
	if f := l.files[base]; f != nil {
		return f, nil
	}
	f, err := os.Create(filepath.Join(l.dir, base))
	if err != nil {
		return nil, fmt.Errorf("log file: %w", err)
	}
	l.files[base] = &logFile{f, l}
	return l.files[base], nil
}

func (l *logs) close() {
	if l != nil {
		for _, f := range l.files {
			_ = f.Close()
		}
	}
}

// environment is that of the launcher without its CKP_ variables, and with
// those of the job.
func (j *job) environment(rank int) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "CKP_") {
			env = append(env, v)
		}
	}
	env = append(env,
		control.EnvDir+"="+j.dir.path,
		control.EnvInterval+"="+j.spec.Interval.String(),
	)
	if j.spec.ExitAfter > 0 {
		env = append(env, fmt.Sprintf("%s=%d", control.EnvExitAfter, max(1, j.spec.ExitAfter-j.commits)))
	}
	if j.spec.Torture > 0 {
		env = append(env, fmt.Sprintf("%s=%d", control.EnvTorture, j.spec.Torture))
	}
	if j.spec.Keep > 0 {
		env = append(env, fmt.Sprintf("%s=%d", control.EnvKeep, j.spec.Keep))
	}
	if j.spec.Early != "" {
		env = append(env, control.EnvEarly+"="+j.spec.Early)
	}
	if j.spec.Compress != "" {
		env = append(env, control.EnvCompress+"="+j.spec.Compress)
	}
	if j.spec.Increments > 0 {
		env = append(env, fmt.Sprintf("%s=%d", control.EnvIncrements, j.spec.Increments))
	}
	if j.spec.Plain {
		env = append(env, control.EnvPlain+"=1")
	}
	place := control.Job{Rank: rank, Size: j.spec.Processes, Epoch: j.epoch, Restore: j.base, RunDir: j.runDir, Control: j.socket()}
	return append(env, place.Variables()...)
}

// shares reports whether the process writes to the files of the launcher itself.
func (j *job) shares() bool { return j.spec.Processes == 1 && j.logs == nil }

// start starts a process and has its end reported as an event.
func (j *job) start(rank int) (*process, error) {
	p := &process{rank: rank}
	cmd := exec.Command(j.spec.Binary, j.spec.Args...)
	cmd.Env = j.environment(rank)
	group(cmd)
	p.cmd = cmd
	var given []*os.File // ours no more after the start
	fail := func(err error) (*process, error) {
		for _, f := range append(given, p.pipes...) {
			_ = f.Close()
		}
		return nil, fmt.Errorf("start rank %d: %w", rank, err)
	}
	if rank == 0 {
		f, closeAfter, err := j.in.open()
		if err != nil {
			return fail(err)
		}
		if f != nil {
			cmd.Stdin = f
		}
		if closeAfter {
			given = append(given, f)
		}
	}
	var streams []*stream
	attach := func(name string, to io.Writer, prefix string) (*os.File, error) {
		if f, ok := to.(*os.File); ok && j.shares() {
			return f, nil
		}
		log, err := j.logs.file(rank, name)
		if err != nil {
			return nil, err
		}
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		given, p.pipes = append(given, w), append(p.pipes, r)
		streams = append(streams, &stream{to: to, prefix: prefix, log: log})
		return w, nil
	}
	prefix := j.out.prefix(rank)
	first := prefix
	if rank == 0 {
		first = ""
	}
	stdout, err := attach("out", j.out.stdout, first)
	if err != nil {
		return fail(err)
	}
	stderr, err := attach("err", j.out.stderr, prefix)
	if err != nil {
		return fail(err)
	}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	j.spawner.do(func() { err = cmd.Start() })
	if err != nil {
		return fail(err)
	}
	for _, f := range given {
		_ = f.Close()
	}
	p.pid = cmd.Process.Pid
	for i, s := range streams {
		p.pumps.Add(1)
		go func() {
			defer p.pumps.Done()
			j.out.pump(p.pipes[i], s)
		}()
	}
	go func() {
		state, err := cmd.Process.Wait()
		killRest(p.pid)
		e := ending{status: 1, text: fmt.Sprintf("could not be waited for: %v", err)}
		if err == nil {
			e = verdict(state)
		}
		j.post(reaped{p, e})
	}()
	return p, nil
}

// settle waits until all output of p is written. Someone may still hold
// its pipes; that one is not waited for longer than a moment.
func (p *process) settle() {
	done := make(chan struct{})
	go func() {
		p.pumps.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
	}
	for _, f := range p.pipes {
		_ = f.Close()
	}
}
