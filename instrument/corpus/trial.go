package corpus

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/instrument/closure"
)

// A Runner tries programs.
type Runner struct {
	Ckpgen string        // the command
	Test   string        // the folder test of the Go installation, in which programs run
	Work   string        // for what is built, and checkpoints
	Limit  time.Duration // for one run
	Dense  bool          // build with polls on entry of every function and in every loop
}

// ks are the numbers of opportunities from one checkpoint to the next that are tried.
var ks = []int64{1, 101, 10007, 1000003, 100000007, 10000000019}

const buildLimit = 5 * time.Minute

// Try builds and runs a program in all ways.
func (r *Runner) Try(ctx context.Context, p *Program) (result Result, err error) {
	began := time.Now()
	t := &trial{Runner: r, p: p, ctx: ctx, result: Result{Program: p.Name, Dense: r.Dense, Verdict: Passed}}
	if r.Dense {
		t.dense = []string{closure.PollsVariable + "=" + closure.Dense}
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", p.Name, err)
		}
		result.Took = time.Since(began)
	}()
	if t.dir, err = os.MkdirTemp(r.Work, "trial-"); err != nil {
		return t.result, err
	}
	defer os.RemoveAll(t.dir)
	if t.targets, err = p.lay(t.dir); err != nil {
		return t.result, err
	}
	if t.want, err = p.Expected(); err != nil {
		return t.result, err
	}
	t.want = strings.ReplaceAll(t.want, "\r\n", "\n")
	if err := t.stages(t.build, t.quietly, t.torture); err != nil {
		return t.result, err
	}
	return t.result, nil
}

// A trial is one program's.
type trial struct {
	*Runner
	p       *Program
	ctx     context.Context
	dir     string // of the module
	targets []string
	want    string   // what the program is expected to print
	dense   []string // the environment of ckpgen for more polls
	quiet   process  // the instrumented program without checkpoints, which does what is expected
	result  Result
}

// stages goes through stages until one has judged.
func (t *trial) stages(list ...func() error) error {
	for _, stage := range list {
		if err := stage(); err != nil {
			return err
		}
		if t.result.Verdict != Passed {
			break
		}
	}
	return nil
}

func (t *trial) judge(v Verdict, why string, p process) {
	t.result.Verdict, t.result.Why = v, t.plainText(why)
	t.result.Output = last("stdout", p.Stdout) + last("stderr", p.Stderr)
}

// plainText takes the folders of this machine out of a message.
func (t *trial) plainText(s string) string {
	goroot := filepath.Dir(t.Test)
	for _, dir := range []string{t.dir, filepath.Join(goroot, "src"), goroot} {
		s = strings.ReplaceAll(s, dir+string(filepath.Separator), "")
	}
	return s
}

// last returns the end of an output under a heading.
func last(heading, text string) string {
	const most = 2000
	if text == "" {
		return ""
	}
	if len(text) > most {
		text = text[:most/4] + "\n...\n" + text[len(text)-most*3/4:]
	}
	return heading + ":\n" + strings.TrimSuffix(text, "\n") + "\n"
}

// plainly builds and runs the program without ckpgen. It is called when something is not as
// expected, and finds out whether the reason lies in the program.
func (t *trial) plainly() error {
	binary := filepath.Join(t.dir, "plain.exe")
	args := append([]string{"build", "-o", binary}, t.p.Build...)
	built, err := run(t.ctx, buildLimit, t.dir, t.p.Env, "go", append(args, t.targets...)...)
	if err != nil {
		return err
	}
	if built.Status != 0 || built.TimedOut {
		t.judge(Excluded, "go build does not build it", built)
		return nil
	}
	plain, err := run(t.ctx, time.Minute, t.Test, t.p.Env, binary, t.p.Args...)
	if err != nil {
		return err
	}
	switch {
	case plain.TimedOut:
		t.judge(Excluded, "the plain program takes more than a minute", plain)
	case plain.Status != 0:
		t.judge(Excluded, fmt.Sprintf("the plain program ends with status %d", plain.Status), plain)
	case !interleaved(plain.Stdout, plain.Stderr, t.want):
		t.judge(Excluded, "the plain program does not print what is expected", plain)
	}
	return nil
}

// interleaved reports whether lines of out and errs, each in order, make up all.
// Nothing tells how they were interleaved; the bytes of both must be those of all.
func interleaved(out, errs, all string) bool {
	if len(out)+len(errs) != len(all) {
		return false
	}
	if errs == "" || out == "" {
		return out+errs == all
	}
	var count [256]int
	for _, s := range []string{out, errs} {
		for i := range len(s) {
			count[s[i]]++
		}
	}
	for i := range len(all) {
		count[all[i]]--
	}
	return count == [256]int{}
}

func (t *trial) binary() string { return filepath.Join(t.dir, "saved.exe") }

// build builds the program with polls.
func (t *trial) build() error {
	args := append([]string{"build", "-auto", "-o", t.binary()}, t.p.Build...)
	built, err := run(t.ctx, buildLimit, t.dir, append(t.dense, t.p.Env...), t.Ckpgen, append(args, t.targets...)...)
	if err != nil {
		return err
	}
	t.result.Build = built.Took
	if built.Status != 0 || built.TimedOut {
		if err := t.plainly(); err != nil || t.result.Verdict == Excluded {
			return err
		}
	}
	t.result.None = strings.Contains(built.Stderr, "nothing was instrumented")
	switch {
	case built.TimedOut:
		t.judge(Wrong, "ckpgen build hangs", built)
	case built.Status == 0:
	case strings.Contains(built.Stderr, "internal error") || strings.Contains(built.Stderr, "panic:") || strings.Contains(built.Stderr, "\n# ") || strings.HasPrefix(built.Stderr, "# "):
		t.judge(Wrong, "the rewritten program does not compile", built)
	default:
		line, _, _ := strings.Cut(built.Stderr, "\n")
		t.judge(Missed, "refused: "+line, built)
	}
	return nil
}

// quietly runs the instrumented program without checkpoints. It must do what the authors expect
// of the plain one, which is built and run only if it does not.
func (t *trial) quietly() error {
	var err error
	if t.quiet, err = run(t.ctx, max(t.Limit, time.Minute), t.Test, t.p.Env, t.binary(), t.p.Args...); err != nil {
		return err
	}
	p := t.quiet
	if p.Status == 0 && !p.TimedOut && interleaved(p.Stdout, p.Stderr, t.want) {
		return nil
	}
	if err := t.plainly(); err != nil || t.result.Verdict == Excluded {
		return err
	}
	switch {
	case p.TimedOut:
		t.judge(Missed, "hangs, or takes more than a minute, without checkpoints", p)
	case p.Status != 0:
		t.judge(Wrong, fmt.Sprintf("exit status %d without checkpoints", p.Status), p)
	default:
		t.judge(Wrong, "other output without checkpoints", p)
	}
	return nil
}

// same compares a run with checkpoints with the one without.
func (t *trial) same(how string, p process) bool {
	stderr, _ := told(p.Stderr)
	switch {
	case p.Status != 0:
		t.judge(Wrong, fmt.Sprintf("exit status %d %s", p.Status, how), p)
	case p.Stdout != t.quiet.Stdout || stderr != t.quiet.Stderr:
		t.judge(Wrong, "other output "+how, p)
	default:
		return true
	}
	return false
}

func (t *trial) limit() time.Duration { return max(t.Limit, 25*t.quiet.Took) }

// torture runs the program with checkpoints.
func (t *trial) torture() error {
	t.result.Runs, t.result.Checkpoints = nil, 0
	if t.result.None {
		return nil
	}
	refused, slow := "", int64(0)
	for i := 0; i < len(ks) && len(t.result.Runs) < 2; i++ {
		end, checkpoints, err := t.tortured(ks[i], &refused)
		if err != nil || t.result.Verdict != Passed {
			return err
		}
		if end == tooSlow {
			slow = ks[i]
			continue
		}
		if checkpoints > 0 {
			continue
		}
		if len(t.result.Runs) == 1 && slow > 0 && refused == "" {
			// Too many checkpoints with the K before, none with this one.
			if err := t.between(slow, ks[i], &refused); err != nil {
				return err
			}
		}
		break
	}
	refused = strings.ReplaceAll(refused, t.dir+"/", "")
	switch {
	case t.result.Verdict != Passed:
	case len(t.result.Runs) == 0:
		t.judge(Missed, "too slow with checkpoints, however few", process{})
	case t.result.Checkpoints > 0:
		t.result.Partly, t.result.Why = refused != "", t.plainText(refused)
	case refused != "":
		t.judge(Missed, refused, process{})
	case t.result.Runs[0].K == 1:
		t.result.None = true
	default:
		t.judge(Missed, "too slow with checkpoints", process{})
	}
	return nil
}

// between looks for a K with which the program gets done and takes a checkpoint.
func (t *trial) between(slow, fast int64, refused *string) error {
	for range 4 {
		k := int64(math.Sqrt(float64(slow)*float64(fast))) | 1
		end, checkpoints, err := t.tortured(k, refused)
		switch {
		case err != nil || t.result.Verdict != Passed || checkpoints > 0 && end == done:
			return err
		case end == tooSlow:
			slow = k
		default:
			fast = k
		}
	}
	return nil
}

// An ending is how a run with checkpoints ended, if nothing was wrong.
type ending uint8

const (
	done ending = iota
	tooSlow
)

// tortured runs the program under CKP_TORTURE=k and judges if something is wrong. refused is set to
// the first refusal of a checkpoint.
func (t *trial) tortured(k int64, refused *string) (ending, int, error) {
	dir := filepath.Join(t.dir, fmt.Sprintf("job%d", k))
	env := append([]string{"CKP_TORTURE=" + strconv.FormatInt(k, 10), "CKP_DIR=" + dir}, t.p.Env...)
	limit := t.limit()
	if k == ks[len(ks)-1] && len(t.result.Runs) == 0 {
		limit *= 4 // the last way to get done: counting costs some programs more than all that they do
	}
	p, err := run(t.ctx, limit, t.Test, env, t.binary(), t.p.Args...)
	if err != nil {
		return done, 0, err
	}
	checkpoints, newest, err := committed(dir)
	if err != nil {
		return done, 0, err
	}
	how := fmt.Sprintf("with CKP_TORTURE=%d, after %d checkpoints", k, checkpoints)
	_, ours := told(p.Stderr)
	if p.TimedOut {
		// No checkpoint for half of a limit which is several times as long as
		// the whole program takes, none was refused, and it hardly computes: it does not go
		// on. (A large checkpoint takes its seconds on a busy machine.)
		if idle := time.Since(newest); checkpoints > 0 && len(ours) == 0 && idle > max(limit/2, 10*time.Second) && p.Computed < p.Took/10 && t.quiet.Took < limit/4 {
			t.judge(Wrong, "hangs "+how, p)
		}
		return tooSlow, checkpoints, nil
	}
	if !t.same(how, p) {
		return done, checkpoints, nil
	}
	t.result.Runs = append(t.result.Runs, Run{K: k, Checkpoints: checkpoints, Took: p.Took})
	t.result.Checkpoints += checkpoints
	if len(ours) > 0 && *refused == "" {
		*refused = ours[0]
	}
	return done, checkpoints, nil
}

// committed returns the number of checkpoints that were taken in a directory, and when the
// last was.
func committed(dir string) (int, time.Time, error) {
	manifests, err := filepath.Glob(filepath.Join(dir, "ckpt-*", "manifest.json"))
	if err != nil {
		return 0, time.Time{}, err
	}
	most, newest := 0, time.Time{}
	for _, name := range manifests {
		var n int
		if _, err := fmt.Sscanf(filepath.Base(filepath.Dir(name)), "ckpt-%d", &n); err != nil {
			return 0, newest, err
		}
		info, err := os.Stat(name)
		if err != nil {
			return 0, newest, err
		}
		if n > most {
			most, newest = n, info.ModTime()
		}
	}
	return most, newest, nil
}
