package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Runner tries programs.
type Runner struct {
	Ckpgen   string        // the command
	Checkout string        // of ckpgen, whose runtime the programs link
	Test     string        // the folder test of the Go installation, in which programs run
	Work     string        // for what is built, and checkpoints
	Limit    time.Duration // for one run
}

// ks are the numbers of opportunities from one checkpoint to the next that are tried.
var ks = []int{1, 31, 1009, 30011, 1000003, 30000001, 1000000007}

const buildLimit = 5 * time.Minute

// Try builds and runs a program in all ways.
func (r *Runner) Try(ctx context.Context, p *Program) (result Result, err error) {
	began := time.Now()
	t := &trial{Runner: r, p: p, ctx: ctx, result: Result{Program: p.Name, Verdict: Passed}}
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
	if t.targets, err = p.lay(t.dir, r.Checkout); err != nil {
		return t.result, err
	}
	for _, stage := range []func() error{t.plainly, t.build, t.quietly, t.torture} {
		if err := stage(); err != nil {
			return t.result, err
		}
		if t.result.Verdict != Passed {
			break
		}
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
	plain   process
	quiet   time.Duration // what the instrumented program takes without checkpoints
	result  Result
}

func (t *trial) judge(v Verdict, why string, p process) {
	t.result.Verdict, t.result.Why = v, why
	t.result.Output = last("stdout", p.Stdout) + last("stderr", p.Stderr)
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

// plainly finds out what the program does without ckpgen, the first time.
func (t *trial) plainly() error {
	known := filepath.Join(t.Work, "plain", strings.ReplaceAll(t.p.Name, "/", "-")+".json")
	if text, err := os.ReadFile(known); err == nil {
		if err := json.Unmarshal(text, &t.plain); err == nil {
			return t.expected()
		}
	}
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
	if t.plain, err = run(t.ctx, time.Minute, t.Test, t.p.Env, binary, t.p.Args...); err != nil {
		return err
	}
	if err := os.Remove(binary); err != nil {
		return err
	}
	text, err := json.Marshal(t.plain)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(known), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(known, text, 0o666); err != nil {
		return err
	}
	return t.expected()
}

// expected looks whether the plain program does what its authors expect.
func (t *trial) expected() error {
	want, err := t.p.Expected()
	if err != nil {
		return err
	}
	switch {
	case t.plain.TimedOut:
		t.judge(Excluded, "the plain program takes more than a minute", t.plain)
	case t.plain.Status != 0:
		t.judge(Excluded, fmt.Sprintf("the plain program ends with status %d", t.plain.Status), t.plain)
	case !interleaved(t.plain.Stdout, t.plain.Stderr, strings.ReplaceAll(want, "\r\n", "\n")):
		t.judge(Excluded, "the plain program does not print what is expected", t.plain)
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
	built, err := run(t.ctx, buildLimit, t.dir, t.p.Env, t.Ckpgen, append(args, t.targets...)...)
	if err != nil {
		return err
	}
	t.result.Build = built.Took
	t.result.None = strings.Contains(built.Stderr, "nothing was instrumented")
	switch {
	case built.TimedOut:
		t.judge(Wrong, "ckpgen build hangs", built)
	case built.Status == 0:
	case strings.Contains(built.Stderr, "internal error") || strings.Contains(built.Stderr, "panic:") || strings.Contains(built.Stderr, "\n# ") || strings.HasPrefix(built.Stderr, "# "):
		t.judge(Wrong, "the rewritten program does not compile", built)
	default:
		line, _, _ := strings.Cut(built.Stderr, "\n")
		t.judge(Missed, "refused: "+strings.ReplaceAll(line, t.dir+"/", ""), built)
	}
	return nil
}

// same compares a run with the plain one.
func (t *trial) same(how string, p process) bool {
	stderr, _ := told(p.Stderr)
	switch {
	case p.Status != t.plain.Status:
		t.judge(Wrong, fmt.Sprintf("exit status %d %s", p.Status, how), p)
	case p.Stdout != t.plain.Stdout || stderr != t.plain.Stderr:
		t.judge(Wrong, "other output "+how, p)
	default:
		return true
	}
	return false
}

// quietly runs the instrumented program without checkpoints.
func (t *trial) quietly() error {
	p, err := run(t.ctx, t.limit(), t.Test, t.p.Env, t.binary(), t.p.Args...)
	if err != nil {
		return err
	}
	t.quiet = p.Took
	if p.TimedOut {
		t.judge(Wrong, "hangs without checkpoints", p)
		return nil
	}
	t.same("without checkpoints", p)
	return nil
}

func (t *trial) limit() time.Duration { return max(t.Limit, 5*t.plain.Took) }

// torture runs the program with checkpoints.
func (t *trial) torture() error {
	if t.result.None {
		return nil
	}
	refused := ""
	for _, k := range ks {
		dir := filepath.Join(t.dir, fmt.Sprintf("job%d", k))
		env := append([]string{"CKP_TORTURE=" + strconv.Itoa(k), "CKP_DIR=" + dir}, t.p.Env...)
		p, err := run(t.ctx, t.limit(), t.Test, env, t.binary(), t.p.Args...)
		if err != nil {
			return err
		}
		checkpoints, newest, err := committed(dir)
		if err != nil {
			return err
		}
		how := fmt.Sprintf("with CKP_TORTURE=%d, after %d checkpoints", k, checkpoints)
		if p.TimedOut {
			// No checkpoint for half of a limit which is several times as long as
			// the whole program takes: it does not go on.
			if idle := time.Since(newest); checkpoints > 0 && idle > t.limit()/2 && t.quiet < t.limit()/4 {
				t.judge(Wrong, "hangs "+how, p)
				return nil
			}
			continue
		}
		if !t.same(how, p) {
			return nil
		}
		t.result.Runs = append(t.result.Runs, Run{K: k, Checkpoints: checkpoints, Took: p.Took})
		t.result.Checkpoints += checkpoints
		_, ours := told(p.Stderr)
		for _, line := range ours {
			if refused == "" {
				refused = line
			}
		}
		if len(t.result.Runs) == 2 || checkpoints == 0 {
			break
		}
	}
	switch {
	case len(t.result.Runs) == 0:
		t.judge(Missed, "too slow with checkpoints, however few", process{})
	case t.result.Checkpoints > 0:
		t.result.Partly, t.result.Why = refused != "", refused
	case refused != "":
		t.judge(Missed, refused, process{})
	case t.result.Runs[0].K == 1:
		t.result.None = true
	default:
		t.judge(Missed, "too slow with checkpoints, none was taken", process{})
	}
	return nil
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
