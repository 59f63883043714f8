package random

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A workshop is where programs are built and run: a module of its own, in which a program
// is a package, so that many of them make one binary and share the cost of a build.
type workshop struct {
	dir     string
	command string // ckpgen
	jobs    string // where checkpoints lie
	env     []string
	reduced bool // a program was made smaller already
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	w := &workshop{dir: t.TempDir()}
	w.jobs = w.dir
	if dir, err := os.MkdirTemp("/dev/shm", "ckpgen-random-"); err == nil { // where nothing waits for a disk
		w.jobs = dir
		t.Cleanup(func() { os.RemoveAll(dir) })
	}
	w.command = filepath.Join(w.dir, "ckpgen")
	cmd := exec.Command("go", "build", "-o", w.command, "./cmd/ckpgen")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	w.env = append(os.Environ(), "GOCACHE="+strings.TrimSpace(string(cache)), "XDG_CACHE_HOME="+filepath.Join(w.dir, "cache"),
		"GOFLAGS=-ldflags=-w", "GOWORK=off")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	_, requirements, _ := strings.Cut(string(mod), "\n")
	w.write(t, "go.mod", "module example.org/random\n"+requirements+"\nrequire github.com/ckpgen/ckpgen v0.0.0\n\nreplace github.com/ckpgen/ckpgen => "+root+"\n")
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	w.write(t, "go.sum", string(sum))
	return w
}

func (w *workshop) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(w.dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

// A way is one of the ways to build the programs.
type way struct {
	name  string
	flags []string // of ckpgen build; nil: go build
}

var (
	plain  = way{"plain", nil}
	saved  = way{"saved", []string{}}
	polled = way{"polled", []string{"-auto"}}
)

// A batch is programs that are built together.
type batch struct {
	*workshop
	programs map[int]string
	wrong    map[int]*difference // programs that can't be built
}

// A difference is how a program is not what it is when it is built plainly.
type difference struct {
	kind string // a rough one, which stays the same when the program is made smaller
	way  way
	k    int // CKP_TORTURE
	text string
}

func (w *workshop) batch(programs map[int]string) *batch {
	return &batch{w, programs, make(map[int]*difference)}
}

// A message names the file, or (of generated code) the package in the line before.
var inProgram = regexp.MustCompile(`\bp(\d+)/p\.go:\d+.*|# example\.org/random/p(\d+)\n.*`)

// build builds the programs in each of the ways. Those that can't be built are left out,
// and noted as wrong.
func (b *batch) build(t *testing.T, ways ...way) {
	t.Helper()
	for _, w := range ways {
		for {
			b.sources(t)
			args := []string{"go", "build", "-o", filepath.Join(b.dir, w.name), "."}
			if w.flags != nil {
				args = append(append([]string{b.command, "build"}, w.flags...), args[2:]...)
			}
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir, cmd.Env = b.dir, b.env
			out, err := cmd.CombinedOutput()
			if err == nil {
				break
			}
			found := inProgram.FindAllStringSubmatch(string(out), -1)
			if found == nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
			for _, f := range found {
				i, _ := strconv.Atoi(f[1] + f[2])
				if b.wrong[i] == nil {
					b.wrong[i] = &difference{kind: "build", way: w, text: "can't be built:\n"}
					if refusal := strings.Contains(string(out), "refused") || !strings.Contains(string(out), "# example.org"); refusal {
						b.wrong[i].kind = "refused"
					}
				}
				b.wrong[i].text += f[0] + "\n"
			}
			if len(b.wrong) == len(b.programs) {
				return
			}
		}
	}
}

// sources writes the module.
func (b *batch) sources(t *testing.T) {
	t.Helper()
	old, err := filepath.Glob(filepath.Join(b.dir, "p*"))
	require.NoError(t, err)
	for _, dir := range old {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			require.NoError(t, os.RemoveAll(dir))
		}
	}
	var imports, cases strings.Builder
	for i, text := range b.programs {
		if b.wrong[i] != nil {
			continue
		}
		text = strings.Replace(text, "package main", fmt.Sprint("package p", i), 1)
		text = strings.Replace(text, "func main()", "func Main()", 1)
		b.write(t, fmt.Sprintf("p%d/p.go", i), text)
		fmt.Fprintf(&imports, "\t\"example.org/random/p%d\"\n", i)
		fmt.Fprintf(&cases, "\tcase \"%d\":\n\t\tp%d.Main()\n", i, i)
	}
	b.write(t, "main.go", "package main\n\nimport (\n\t\"os\"\n"+imports.String()+")\n\nfunc main() {\n\tswitch os.Args[1] {\n"+cases.String()+"\t}\n}\n")
}

// An outcome is what a program did.
type outcome struct {
	stdout, stderr string
	status         int
	late           bool
	checkpoints    int
}

// run runs a program that was built in some way, with each kth checkpoint taken and
// restored, or (0) none.
func (b *batch) run(t *testing.T, w way, i, k int, limit time.Duration) outcome {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(b.dir, w.name), strconv.Itoa(i))
	cmd.WaitDelay = time.Second
	cmd.Env = b.env
	job := filepath.Join(b.jobs, fmt.Sprintf("job-%s-%d", w.name, i))
	if k > 0 {
		cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "CKP_TORTURE="+strconv.Itoa(k), "CKP_DIR="+job)
		defer os.RemoveAll(job)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	o := outcome{stdout: stdout.String(), stderr: stderr.String(), late: ctx.Err() != nil}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		o.status = exit.ExitCode()
	}
	if k > 0 {
		dirs, _ := os.ReadDir(job)
		for _, d := range dirs {
			var n int
			if _, err := fmt.Sscanf(d.Name(), "ckpt-%d.", &n); err == nil {
				o.checkpoints = max(o.checkpoints, n)
			}
		}
	}
	return o
}

var pointsLine = regexp.MustCompile(`(?m)^points (\d+)$`)

// compare runs a program in all ways, and returns how one differs from the plain one,
// or nil. The number of checkpoints of one run is about most.
func (b *batch) compare(t *testing.T, i, most int, ways ...way) *difference {
	want := b.run(t, plain, i, 0, 20*time.Second)
	if want.late {
		return &difference{kind: "endless", way: plain, text: "does not end"}
	}
	for _, w := range ways {
		if _, d := b.differs(t, i, w, 0, want); d != nil {
			return d
		}
		points, ks := 0, []int{1, 17}
		if w.name == polled.name {
			got, d := b.differs(t, i, w, 101, want)
			if d != nil {
				return d
			}
			points, ks = (got.checkpoints+1)*101, nil
		} else if m := pointsLine.FindStringSubmatch(want.stderr); m != nil {
			points, _ = strconv.Atoi(m[1])
		} else {
			points = 60
		}
		if k := (points + most - 1) / most; k > 1 || ks == nil {
			ks = []int{max(1, k), max(1, k) * 5}
		}
		for _, k := range ks {
			if _, d := b.differs(t, i, w, k, want); d != nil {
				return d
			}
		}
	}
	return nil
}

// again returns how a program still differs in a way in which it did before it was made
// smaller.
func (b *batch) again(t *testing.T, i int, d *difference) *difference {
	want := b.run(t, plain, i, 0, 5*time.Second)
	if want.late {
		return nil
	}
	for _, k := range []int{d.k, 1, 2, 3} {
		if d.k == 0 && k > 0 {
			break
		}
		if _, e := b.differs(t, i, d.way, k, want); e != nil {
			return e
		}
	}
	return nil
}

// differs runs a program in one way and compares it with what the plain one did.
func (b *batch) differs(t *testing.T, i int, w way, k int, want outcome) (outcome, *difference) {
	limit := 3 * time.Minute
	if k == 0 {
		limit = 20 * time.Second
	}
	got := b.run(t, w, i, k, limit)
	_, noise, told := strings.Cut(got.stderr, "ckpgen: ")
	d := &difference{way: w, k: k}
	switch {
	case got.late:
		d.kind, d.text = "endless", "does not end"
	case strings.Contains(got.stderr, "did not save its frame"):
		d.kind, d.text = "missed", tail(got.stderr)
	case strings.Contains(got.stderr, "panic: shadow: "):
		d.kind, d.text = "shadow", tail(got.stderr)
	case told:
		d.kind, d.text = "told", tail(noise)
	case got.stdout != want.stdout:
		d.kind, d.text = "output", "output differs\n"+firstDifference(want.stdout, got.stdout)+tail(got.stderr)
	case got.status != want.status:
		d.kind, d.text = "status", fmt.Sprintf("exit status %d, want %d\n%s", got.status, want.status, tail(got.stderr))
	default:
		d = nil
	}
	return got, d
}

func (d *difference) String() string {
	return fmt.Sprintf("%s, CKP_TORTURE=%d: %s: %s", d.way.name, d.k, d.kind, d.text)
}

// firstDifference shows where two texts begin to differ.
func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	n := 0
	for n < len(w) && n < len(g) && w[n] == g[n] {
		n++
	}
	show := func(lines []string) string {
		return strings.Join(lines[min(n, len(lines)):min(n+3, len(lines))], "\n    ")
	}
	return fmt.Sprintf("  at line %d\n  want\n    %s\n  got\n    %s\n", n+1, show(w), show(g))
}

func tail(s string) string {
	const most = 1500
	if len(s) > most {
		s = s[:most] + "..."
	}
	return s
}
