//go:build unix

package launch

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/store"
)

// The test binary is also the programs that the tests run, and a launcher that can
// be killed: its first argument says so.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "fake":
			fake(os.Args[2:])
			os.Exit(0)
		case "relay":
			runRelay(os.Args[2], os.Args[3:])
			os.Exit(0)
		case "launcher":
			launcher(os.Args[2:])
		}
	}
	tmp, err := os.MkdirTemp("/tmp", "lt")
	must(err)
	_ = os.Setenv("TMPDIR", tmp)
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // they mostly wait
	status := m.Run()
	left, _ := filepath.Glob(filepath.Join(tmp, "ckpgen-*"))
	if len(left) > 0 {
		fmt.Println("left over:", left)
		status = 1
	}
	_ = os.RemoveAll(tmp)
	os.Exit(status)
}

// launcher runs the test binary as a job: its arguments are the directory, the
// number of processes, and those of the program.
func launcher(args []string) {
	var n int
	_, _ = fmt.Sscan(args[1], &n)
	self, _ := os.Executable()
	status, err := Run(context.Background(), Spec{Binary: self, Dir: args[0], Processes: n, Args: args[2:], Interval: 30 * time.Millisecond, MaxRestarts: -1, Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(status)
}

// A fake is a process that speaks the control protocol and does nothing but
// count supersteps. Process 0 writes the checkpoints of all.
type fakeProcess struct {
	job    control.Job
	client *control.Client
	store  *store.Store
	every  int
	files  string
	seq    uint64
}

func fake(args []string) {
	f := &fakeProcess{}
	flags := flag.NewFlagSet("fake", flag.ExitOnError)
	steps := flags.Int("steps", 20, "")
	flags.IntVar(&f.every, "every", 0, "supersteps between checkpoints")
	flags.StringVar(&f.files, "files", "", "directory for notes")
	fail := flags.String("fail", "", "rank:step:how:times")
	mute := flags.Bool("mute", false, "survivors elect nobody")
	lie := flags.Bool("lie", false, "the coordinator names an epoch it has not claimed")
	die := flags.Bool("die", false, "the coordinator dies after it claimed")
	deaf := flags.Bool("deaf", false, "do not connect to the launcher")
	early := flags.Bool("early", false, "process 1 dies at the start of epoch 2")
	slow := flags.Bool("slow", false, "the coordinator takes three seconds between claim and restart")
	echo := flags.Bool("echo", false, "copy standard input to standard output")
	take := flags.Int64("take", 0, "process 0 begins by copying so many bytes of standard input to standard output")
	_ = flags.Parse(args)

	var err error
	f.job, _, err = control.Environ()
	must(err)
	f.store, err = store.Open(os.Getenv(control.EnvDir), store.Options{})
	must(err)
	f.note("start", fmt.Sprintf("%d %d", f.job.Restore, os.Getpid()))
	step := uint64(0)
	f.seq = f.job.Restore
	if f.job.Restore > 0 {
		c, err := f.store.Load(f.job.Restore)
		must(err)
		_, err = c.Image(f.job.Rank)
		must(err)
		step = c.Manifest.Superstep
	}
	if *echo {
		_, _ = io.Copy(os.Stdout, os.Stdin)
		return
	}
	if f.job.Rank == 0 {
		_, _ = io.CopyN(os.Stdout, os.Stdin, *take)
	}
	if *deaf {
		time.Sleep(time.Duration(*steps) * 10 * time.Millisecond)
		return
	}
	if *early && f.job.Rank == 1 && f.job.Epoch == 2 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	f.client, err = control.Dial(f.job)
	must(err)
	_ = f.client.Send(control.Restored{Seq: f.job.Restore, Superstep: step})

	stop, save, ended := make(chan bool, 9), make(chan bool, 9), make(chan int, 99)
	go func() {
		dead := map[int]bool{}
		for m := range f.client.Messages() {
			switch m := m.(type) {
			case control.Stop:
				stop <- true
			case control.Checkpoint:
				save <- true
			case control.Died:
				dead[m.Rank] = true
				ended <- m.Rank
				if m.Status != 0 && m.Status != control.ExitStopped && !*mute {
					f.elect(dead, *lie, *die, *slow)
				}
			}
		}
		os.Exit(control.ExitLauncherLost)
	}()

	f.meet()
	for ; step < uint64(*steps); step++ {
		f.client.Progress(step)
		f.fail(*fail, step)
		asked, end := false, false
		select {
		case <-stop:
			asked, end = true, true
		case <-save:
			asked = true
		default:
		}
		if f.job.Rank == 0 && step > 0 && (asked || f.every > 0 && step%uint64(f.every) == 0) {
			f.commit(step)
		}
		if end {
			f.notify("stopped")
			os.Exit(control.ExitStopped)
		}
		if f.job.Rank != 0 && f.exists("stopped") {
			os.Exit(control.ExitStopped)
		}
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Printf("rank %d is done\n", f.job.Rank)
	fmt.Fprintf(os.Stderr, "rank %d says so\n", f.job.Rank)
	if f.job.Rank == 0 {
		for range f.job.Size - 1 {
			<-ended
		}
		fmt.Println("answer 42")
	}
	os.Exit(0)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "fake:", err)
		os.Exit(99)
	}
}

// current is must, but waits for ever if the epoch of this process is closed: the coordinator,
// which may be this very process, has yet to tell so.
func current(err error) {
	var fenced *store.FencedError
	if errors.As(err, &fenced) {
		select {}
	}
	must(err)
}

// meet waits for the others of the incarnation.
func (f *fakeProcess) meet() {
	f.note("up", "")
	for range 2000 {
		up, _ := filepath.Glob(filepath.Join(f.files, fmt.Sprintf("up-e%d-r?", f.job.Epoch)))
		if len(up) == f.job.Size {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// note leaves a file for the test to find.
func (f *fakeProcess) note(what, text string) {
	if f.files != "" {
		name := filepath.Join(f.files, fmt.Sprintf("%s-e%d-r%d", what, f.job.Epoch, f.job.Rank))
		must(os.WriteFile(name+".tmp", []byte(text), 0o666))
		must(os.Rename(name+".tmp", name))
	}
}

func (f *fakeProcess) notify(what string) {
	must(os.WriteFile(filepath.Join(f.job.RunDir, what), nil, 0o666))
}

func (f *fakeProcess) exists(what string) bool {
	_, err := os.Stat(filepath.Join(f.job.RunDir, what))
	return err == nil
}

// commit writes a checkpoint of all processes.
func (f *fakeProcess) commit(step uint64) {
	f.seq++
	m := store.Manifest{Seq: f.seq, Epoch: store.Epoch(f.job.Epoch), Superstep: step, Size: f.job.Size}
	for r := range f.job.Size {
		w, err := f.store.Begin(m.Epoch, m.Seq, r)
		current(err)
		_, _ = fmt.Fprintf(w, "image of rank %d at superstep %d", r, step)
		part, err := w.Close()
		current(err)
		m.Parts = append(m.Parts, part)
	}
	current(f.store.Commit(m))
	_ = f.client.Send(control.Committed{Seq: f.seq, Bytes: m.Bytes(), Superstep: step})
}

// awaitCheckpoint waits until process 0 has committed a checkpoint.
func (f *fakeProcess) awaitCheckpoint() {
	for range 2000 {
		if done, _ := filepath.Glob(filepath.Join(os.Getenv(control.EnvDir), "ckpt-*", "manifest.json")); len(done) > 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// elect stands in for the detector: the lowest survivor is the coordinator.
func (f *fakeProcess) elect(dead map[int]bool, lie, die, slow bool) {
	first := 0
	for dead[first] {
		first++
	}
	if f.job.Rank != first {
		return
	}
	var list []int
	for r := range f.job.Size {
		if dead[r] {
			list = append(list, r)
			_ = f.client.Send(control.Suspect{Rank: r, By: f.job.Rank, Why: "it died"})
		}
	}
	if lie {
		_ = f.client.Send(control.Restart{Epoch: f.job.Epoch + 7, Dead: list})
		os.Exit(control.ExitStandDown)
	}
	if slow { // as if it were reading gigabytes
		name := filepath.Join(os.Getenv(control.EnvDir), fmt.Sprintf("epoch-%08d.claim", f.job.Epoch+1))
		_ = os.WriteFile(name, nil, 0o666)
		time.Sleep(3 * time.Second)
		_ = os.Remove(name)
	}
	epoch, c, _, err := f.store.Resume("fake")
	must(err)
	_ = f.client.Send(control.Elected{Rank: f.job.Rank, Epoch: uint64(epoch)})
	if die {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	_ = f.client.Send(control.Restart{Epoch: uint64(epoch), Dead: list, Restore: c.Manifest.Seq})
	os.Exit(control.ExitStandDown)
}

// fail does what -fail says, at most the given number of times.
func (f *fakeProcess) fail(spec string, step uint64) {
	if spec == "" {
		return
	}
	part := strings.Split(spec, ":")
	var rank, at, times int
	_, _ = fmt.Sscan(part[0], &rank)
	_, _ = fmt.Sscan(part[1], &at)
	_, _ = fmt.Sscan(part[3], &times)
	if rank != f.job.Rank || step < uint64(at) {
		return
	}
	done, _ := filepath.Glob(filepath.Join(f.files, "failed-*"))
	if len(done) >= times {
		return
	}
	if f.every > 0 && rank != 0 && f.seq == 0 {
		f.awaitCheckpoint()
	}
	f.note("failed", part[2])
	switch part[2] {
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "hang":
		_ = f.client.Send(control.Suspect{Rank: f.job.Rank, By: (f.job.Rank + 1) % f.job.Size, Why: "no heartbeat"})
		time.Sleep(20 * time.Millisecond)
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case "panic":
		panic("on purpose")
	default:
		var status int
		_, _ = fmt.Sscan(part[2], &status)
		_ = f.client.Send(control.Fatal{Text: "failed on purpose"})
		os.Exit(status)
	}
}
