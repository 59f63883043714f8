package instrument_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// rare are the programs about what few programs do, those that compile much of the standard
// library, and those that take long. They run with -long.
var rare = []string{
	"addresses", "backs", "behind", "brief", "callbacks", "calls", "captures", "closures", "constants",
	"contexts", "deferonce", "deferorder", "defers", "drivers", "elements", "exact", "exits", "exposed", "expressions", "failing", "files",
	"firsts", "formats", "found", "generics", "go121", "guarded", "handles", "hashes", "hiddentypes", "initialisation",
	"instances", "interfaces", "iterations", "iterators", "known", "large", "lengths", "lent", "lentliterals", "library", "localfuncs",
	"localtypes", "loopdefers", "loops", "machines", "mapiterators", "maps", "methodvalues", "misused", "nests",
	"notified", "numbers", "onstack", "order", "ownnames", "packages", "passing", "pipelines", "plumbing", "pointers", "pools",
	"prepared", "process", "promoted", "rangefunc", "reflected", "reflecting", "registered", "rescuers", "results", "returned", "rows", "sections", "sequences", "shadowed", "singletons", "slots",
	"statements", "swappers", "switches", "tables", "timers", "traced", "transient", "tries", "turned", "unsafes", "views", "waiting",
}

// TestTorture builds the programs in testdata/programs plainly and with
// checkpoints, and runs the second under CKP_TORTURE: every Kth checkpoint goes
// to disk and a fresh process restores it. What the program prints must be what
// the plain one prints.
func TestTorture(t *testing.T) {
	root, command := built(t)

	dirs, err := filepath.Glob(filepath.Join(root, "testdata", "programs", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	var names []string
	for _, dir := range dirs {
		names = append(names, filepath.Base(dir))
	}
	if *long {
		seldom := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(rare, name) })
		require.Len(t, seldom, len(rare), "the programs that run with -long")
		for list := range slices.Chunk(seldom, 8) {
			together := sync.OnceValues(func() (dir string, err error) { return buildTogether(t, root, command, list) })
			for _, name := range list {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					bin, err := together()
					require.NoError(t, err)
					withstands(t, filepath.Join(bin, "plain", name), filepath.Join(bin, "saved", name), 3, 1)
				})
			}
		}
	}
	for _, name := range names {
		if !slices.Contains(rare, name) {
			t.Run(name, func(t *testing.T) {
				if *long {
					t.Skip("runs without -long")
				}
				t.Parallel()
				torture(t, root, command, "./testdata/programs/"+name, nil, 2)
			})
		} else if !*long {
			t.Run(name, func(t *testing.T) { t.Skip("run with -long") })
		}
	}
}

// buildTogether builds programs plainly and with checkpoints, in one build each, which takes half
// the time of one for each. They are in the folders plain and saved of the one it returns. What one
// of them does by package unsafe (firsts, for one) must not refuse checkpoints of another
// (formats).
func buildTogether(t *testing.T, root, command string, names []string) (string, error) {
	bin := t.TempDir()
	var packages []string
	for _, name := range names {
		packages = append(packages, "./testdata/programs/"+name)
	}
	for kind, tool := range map[string]string{"plain": "go", "saved": command} {
		dir := filepath.Join(bin, kind)
		if err := os.Mkdir(dir, 0o777); err != nil {
			return "", err
		}
		cmd := exec.Command(tool, append([]string{"build", "-o", dir + string(filepath.Separator)}, packages...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
		}
	}
	return bin, nil
}

// TestSameProcess does the same to programs that take checkpoints and go on in the same process.
func TestSameProcess(t *testing.T) {
	root, command := built(t)
	for _, name := range []string{"deferonce", "defers", "exits", "loopdefers", "pipelines"} {
		t.Run(name, func(t *testing.T) {
			if !*long && slices.Contains(rare, name) {
				t.Skip("run with -long")
			}
			t.Parallel()
			bin, dir := t.TempDir(), t.TempDir()
			plain, saved := filepath.Join(bin, "plain"), filepath.Join(bin, "saved")
			run(t, root, nil, "go", "build", "-o", plain, "./testdata/programs/"+name)
			run(t, root, nil, command, "build", "-o", saved, "./testdata/programs/"+name)
			want, _ := run(t, bin, nil, plain)
			// With a number to stop after, each is written before the program goes on.
			got, stderr := run(t, bin, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", "CKP_EXIT_AFTER=1000000"}, saved)
			require.Equal(t, want, got, "%s", stderr)
			require.Empty(t, stderr)
			checkpoints, err := filepath.Glob(filepath.Join(dir, "ckpt-*"))
			require.NoError(t, err)
			require.NotEmpty(t, checkpoints)
			require.Greater(t, filepath.Base(checkpoints[len(checkpoints)-1]), "ckpt-00000010")
		})
	}
}

// TestPolls does the same to programs that call no checkpoint function, with polls.
func TestPolls(t *testing.T) {
	root, command := built(t)
	for program, ks := range map[string][]int{
		"./instrument/testdata/auto":      {17, 101},
		"./instrument/testdata/bodies":    {5},
		"./instrument/testdata/callbacks": {2},
		"./instrument/testdata/gotos":     {3, 7},
		"./instrument/testdata/limits":    {}, // polls millions of times
		"./instrument/testdata/long":      {1, 2},
		"./testdata/programs/rangefunc":   {7},
		"./testdata/programs/nests":       {1, 7},
	} {
		t.Run(filepath.Base(program), func(t *testing.T) {
			if name := filepath.Base(program); !*long && name != "auto" && name != "long" {
				t.Skip("run with -long")
			}
			t.Parallel()
			if !*long && len(ks) > 0 {
				ks = ks[len(ks)-1:]
			}
			torture(t, root, command, program, []string{"-auto"}, ks...)
		})
	}
}

// TestLargeLoop does it to a loop that is so large that the copies of it are a function of their
// own, with a poll behind a call.
func TestLargeLoop(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	root, command := built(t)
	var text strings.Builder
	text.WriteString(`package main

import "fmt"

func tree(n int) int {
	if n == 0 {
		return 1
	}
	return tree(n-1) + tree(n-1)
}

func main() {
	step := func(a int) int { return a + 1 }
	if len(step2) > 0 {
		step = step2[0]
	}
	a, b, c := 1, 2, 3
	for i := 0; i < 300; {
		i++
		switch i % 150 {
`)
	for i := range 150 {
		fmt.Fprintf(&text, "case %d:\na, b, c = b%[2]c(a+%[1]d), c+a%[2]c%[1]d, (a-b)*%[1]d\nif a&%[3]d != 0 { b, c = c+%[1]d, b^a }\n", i, "+-^|"[i%4], 1<<(i%9))
		switch { // which have resume points themselves, and end in different ways
		case i%10 == 3:
			text.WriteString("a = step(a)\n")
		case i%10 == 5:
			text.WriteString("switch b & 3 {\ncase 1:\nc = step(c)\ncase 2:\nc++\ndefault:\nb = step(b) - 1\n}\n")
		case i%20 == 7:
			text.WriteString("for j := 0; j < 2; j++ {\nif b = step(b); b&8 == 0 {\ncontinue\n}\nc++\n}\n")
		case i%20 == 9:
			text.WriteString("if c&1 == 0 {\nbreak\n}\nif c = step(c); c&2 == 0 {\ncontinue\n}\n")
		}
	}
	text.WriteString(`}
		fmt.Println(i, a, b, c)
		a = step(a)
	}
}

var step2 = []func(int) int{func(a int) int { return a + tree(a&3) }}
`)
	name := filepath.Join(t.TempDir(), "large.go")
	require.NoError(t, os.WriteFile(name, []byte(text.String()), 0o666))
	torture(t, root, command, name, []string{"-auto"}, 211)
}

// TestPointersChecked does it with the checks of pointers that the compiler makes with -race.
func TestPointersChecked(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	root, command := built(t)
	torture(t, root, command, "./testdata/programs/onstack", []string{"-gcflags=github.com/ckpgen/ckpgen/...=-d=checkptr"}, 11)
}

// torture builds a program plainly and with checkpoints, and compares what it prints
// plainly, instrumented, and with each Kth checkpoint taken and restored.
func torture(t *testing.T, root, command, program string, flags []string, ks ...int) {
	bin := t.TempDir()
	plain, saved := filepath.Join(bin, "plain"), filepath.Join(bin, "saved")
	run(t, root, nil, "go", "build", "-o", plain, program)
	run(t, root, nil, command, append(append([]string{"build"}, flags...), "-o", saved, program)...)
	withstands(t, plain, saved, ks...)
}

// withstands checks that a program with checkpoints prints what the plain one prints, also in
// torture mode: with each of the numbers of ks, but if the first gives more than a hundred
// checkpoints smaller ones would take minutes.
func withstands(t *testing.T, plain, saved string, ks ...int) {
	t.Helper()
	bin := t.TempDir()
	want, _ := run(t, bin, nil, plain)
	require.NotEmpty(t, want)
	got, stderr := run(t, bin, nil, saved)
	require.Equal(t, want, got, "without CKP_ variables")
	require.Empty(t, stderr)
	for i, k := range ks {
		dir := t.TempDir()
		got, stderr := run(t, bin, []string{"CKP_TORTURE=" + strconv.Itoa(k), "CKP_DIR=" + dir}, saved)
		require.Equal(t, want, got, "CKP_TORTURE=%d\n%s", k, stderr)
		require.NotContains(t, stderr, "ckpgen:")
		if i > 0 {
			continue
		}
		// It must really have been saved and restored.
		manifests, err := filepath.Glob(filepath.Join(dir, "*", "*manifest*"))
		require.NoError(t, err)
		require.NotEmpty(t, manifests)
		if newest(t, dir) > 100 && slices.Min(ks) < k {
			break
		}
	}
}

// TestPanicPosition checks that a panic in rewritten code shows the user's own
// file and lines.
func TestPanicPosition(t *testing.T) {
	root, command := built(t)
	bin := t.TempDir()
	source := filepath.Join(root, "instrument", "testdata", "panics")
	run(t, root, nil, "go", "build", "-o", filepath.Join(bin, "plain"), "./instrument/testdata/panics")
	run(t, root, nil, command, "build", "-o", filepath.Join(bin, "saved"), "./instrument/testdata/panics")
	lines := regexp.MustCompile(`panics/main\.go:\d+`)
	for _, how := range []string{"index", "nil", "closure", "generic", "divide", "method", "send", "receive", "start", "untouched"} {
		trace := func(binary string) []string {
			cmd := exec.Command(filepath.Join(bin, binary), how)
			out, err := cmd.CombinedOutput()
			require.Error(t, err)
			require.Contains(t, string(out), filepath.Join(source, "main.go"))
			return lines.FindAllString(string(out), -1)
		}
		require.Equal(t, trace("plain"), trace("saved"), how)
	}
}

// TestDeadlock checks that a program all of whose goroutines wait for ever ends as the plain one,
// where the runtime of the language can't tell: with its message, and the user's own lines.
func TestDeadlock(t *testing.T) {
	root, command := built(t)
	bin := t.TempDir()
	run(t, root, nil, "go", "build", "-o", filepath.Join(bin, "plain"), "./instrument/testdata/deadlock")
	run(t, root, nil, command, "build", "-o", filepath.Join(bin, "saved"), "./instrument/testdata/deadlock")
	header, line := regexp.MustCompile(`\[(.*)\]:`), regexp.MustCompile(`deadlock/main\.go:\d+`)
	end := func(env []string, binary string) (stdout string, goroutines []string) {
		cmd := exec.Command(filepath.Join(bin, binary))
		cmd.Env = append(os.Environ(), env...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		defer timer.Stop()
		err := cmd.Run()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 2, exit.ExitCode(), errs.String())
		message, rest, _ := strings.Cut(errs.String(), "\n\n")
		require.Equal(t, "fatal error: all goroutines are asleep - deadlock!", message)
		for _, trace := range strings.Split(rest, "\n\n") {
			trace, _, _ = strings.Cut(trace, "created by ")
			goroutines = append(goroutines, header.FindStringSubmatch(trace)[1]+" "+strings.Join(line.FindAllString(trace, -1), " "))
		}
		slices.Sort(goroutines)
		return out.String(), goroutines
	}
	out, goroutines := end(nil, "plain")
	require.Len(t, goroutines, 5)
	for _, env := range [][]string{nil, {"CKP_DIR=" + t.TempDir()}, {"CKP_DIR=" + t.TempDir(), "CKP_INTERVAL=20ms"}, {"CKP_DIR=" + t.TempDir(), "CKP_TORTURE=1"}} {
		savedOut, saved := end(env, "saved")
		require.Equal(t, out, savedOut, env)
		if env == nil {
			continue // the runtime of the language does it itself
		}
		require.Len(t, saved, len(goroutines), env)
		for i, g := range goroutines { // a go statement's own call has a line more
			require.True(t, strings.HasPrefix(saved[i], g), "%v: %s, not %s", env, saved[i], g)
		}
	}
}

// TestSleeper checks that a program which sleeps, and starts no goroutine, is stopped and goes on
// all the same.
func TestSleeper(t *testing.T) {
	root, command := built(t)
	bin, dir := t.TempDir(), filepath.Join(t.TempDir(), "job")
	binary := filepath.Join(bin, "sleeper")
	run(t, root, nil, command, "build", "-o", binary, "./instrument/testdata/sleeper")
	for range 2 {
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "CKP_DIR="+dir)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		require.NoError(t, cmd.Start())
		timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		time.Sleep(500 * time.Millisecond)
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		err := cmd.Wait()
		timer.Stop()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 75, exit.ExitCode(), errs.String())
	}
}

// TestUnformatted does the same as TestTorture with a module of its own, as a user would
// have it, whose files are not formatted. What the program prints also tells its own
// positions.
func TestUnformatted(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	root, command := built(t)
	bin := t.TempDir()
	dir := unpacked(t, root, "unformatted")
	crlf := filepath.Join(dir, "crlf.go")
	text, err := os.ReadFile(crlf)
	require.NoError(t, err)
	text = append([]byte("\ufeff"), bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))...)
	require.NoError(t, os.WriteFile(crlf, text, 0o666))

	plain, saved := filepath.Join(bin, "plain"), filepath.Join(bin, "saved")
	run(t, dir, nil, "go", "build", "-o", plain, ".")
	run(t, dir, nil, command, "build", "-o", saved, ".")
	want, _ := run(t, bin, nil, plain)
	require.Contains(t, want, "foo.y 1")
	got, stderr := run(t, bin, []string{"CKP_TORTURE=1", "CKP_DIR=" + t.TempDir()}, saved)
	require.Equal(t, want, got, "%s", stderr)
	require.NotContains(t, stderr, "ckpgen:")
}

// unpacked returns the folder of a new module that has the files of an archive in testdata, whose
// name is part of its path. It requires this one.
func unpacked(t *testing.T, root, archive string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	ar, err := txtar.ParseFile(filepath.Join("testdata", archive+".txtar"))
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	_, requirements, _ := strings.Cut(string(mod), "\n")
	text := "module example.org/" + filepath.Base(archive) + "\n" + requirements + "\nrequire github.com/ckpgen/ckpgen v0.0.0\n\nreplace github.com/ckpgen/ckpgen => " + root + "\n"
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	for _, f := range append(ar.Files, txtar.File{Name: "go.mod", Data: []byte(text)}, txtar.File{Name: "go.sum", Data: sum}) {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, f.Data, 0o666))
	}
	return dir
}

// TestDeadVariables checks that an image does not hold what the program is not going to
// read again: a slice of a megabyte.
func TestDeadVariables(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	root, command := built(t)
	bin := t.TempDir()
	binary, dir := filepath.Join(bin, "dead"), filepath.Join(bin, "job")
	run(t, root, nil, command, "build", "-o", binary, "./instrument/testdata/dead")
	for stop, size := range []int64{64 << 10, 2 << 20} { // the second checkpoint is taken while the slice is alive
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "CKP_DIR="+dir, "CKP_INTERVAL=0s", "CKP_EXIT_AFTER=1")
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%s", out)
		require.Equal(t, 75, exit.ExitCode(), "%s", out)
		var largest int64
		require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				largest = max(largest, info.Size())
			}
			return err
		}))
		require.Less(t, largest, size)
		if stop == 1 {
			require.Greater(t, largest, int64(1<<20))
		}
	}
}

// built returns the root of the module and the command, built from it.
func built(t *testing.T) (root, command string) {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	command = filepath.Join(t.TempDir(), "ckpgen")
	run(t, root, nil, "go", "build", "-o", command, "./cmd/ckpgen")
	return root, command
}

// run runs a command to its end, which must be a good one, and returns what it
// wrote.
func run(t *testing.T, dir string, env []string, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	timer := time.AfterFunc(4*time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Run()
	require.NoError(t, err, "%s %v\n%s%s", name, args, out.String(), errs.String())
	return out.String(), errs.String()
}
