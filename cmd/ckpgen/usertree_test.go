//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// userProgram is a user's module: a BSP program that sums up numbers, and its test.
var userProgram = map[string]string{
	"go.mod": `module example.org/sum

go 1.26.0

require github.com/ckpgen/ckpgen v0.0.0

replace github.com/ckpgen/ckpgen => ROOT
`,
	"main.go": `package main

import (
	"fmt"
	"os"

	"example.org/sum/step"
	"github.com/ckpgen/ckpgen/bsp"
)

func main() {
	bsp.Begin()
	total := []int{0}
	reg := bsp.PushRegister(total)
	bsp.Sync()
	sum := 0
	for i := range 40 {
		sum += step.Value(i)
		if i == 30 && bsp.PID() == 1 && len(os.Args) > 1 {
			panic("as asked")
		}
		bsp.Sync()
	}
	if bsp.PID() == 1 {
		bsp.Put(0, []int{sum}, reg, 0)
	}
	bsp.Sync()
	if bsp.PID() == 0 {
		fmt.Println("sum", total[0])
	}
	bsp.End()
}
`,
	"step/step.go": `package step

// Value is what step i contributes.
func Value(i int) int { return i * i }
`,
	"step/step_test.go": `package step

import "testing"

func TestValue(t *testing.T) {
	if Value(3) != 9 {
		t.Fatal("wrong")
	}
}
`,
}

// A userTree is a module under version control, as a user has it.
type userTree struct {
	*house
	t   *testing.T
	dir string
}

func newUserTree(t *testing.T) *userTree {
	u := &userTree{ready(t), t, t.TempDir()}
	for name, text := range userProgram {
		u.write(name, strings.ReplaceAll(text, "ROOT", root()))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "all"}} {
		status, out := u.do("git", args...)
		require.Zero(t, status, out)
	}
	return u
}

func (u *userTree) write(name, text string) {
	path := filepath.Join(u.dir, name)
	require.NoError(u.t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(u.t, os.WriteFile(path, []byte(text), 0o666))
}

// do runs a command in the tree and returns its status and what it wrote.
func (u *userTree) do(name string, args ...string) (status int, out string) {
	u.t.Helper()
	cmd := exec.CommandContext(limited(u.t), name, args...)
	cmd.Dir = u.dir
	cmd.Env = u.environment("GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GOFLAGS=-buildvcs=false")
	b, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		u.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(b)
}

// A user's tree is only read, whatever is done with it.
func TestTreeStaysClean(t *testing.T) {
	ifLong(t)
	u := newUserTree(t)
	job := filepath.Join(t.TempDir(), "job")
	for _, command := range [][]string{
		{"vet", "./..."},
		{"build", "-o", filepath.Join(t.TempDir(), "sum"), "."},
		{"test", "./..."},
		{"run", "-n", "3", "--interval", "0s", "--dir", job, "."},
		{"run", "-n", "2", "."},
		{"explain", "main.main"},
		{"inspect", job},
	} {
		status, out := u.do(u.ckpgen, command...)
		require.Zero(t, status, "%v\n%s", command, out)
		if command[0] == "run" {
			require.Equal(t, "sum 20540\n", out)
		}
		_, changes := u.do("git", "status", "--porcelain", "--ignored")
		require.Empty(t, changes, "after %v", command)
	}
}

// A checkpoint is that of one program: another one, or the same after a change of what was being
// computed, does not go on from it, and leaves it as it is.
func TestOtherProgram(t *testing.T) {
	ifLong(t)
	u := newUserTree(t)
	job := filepath.Join(t.TempDir(), "job")
	run := []string{"run", "-n", "2", "--interval", "0s", "--dir", job}
	status, out := u.do(u.ckpgen, append(run, "--exit-after", "10", ".")...)
	require.Equal(t, 75, status, out)

	status, out = u.do(u.ckpgen, append(run, u.seqsim)...)
	require.Equal(t, 3, status, out)
	require.Contains(t, out, "was written by another program")

	u.write("main.go", strings.Replace(userProgram["main.go"], "sum += step.Value(i)", "sum += 2 * step.Value(i)", 1))
	status, out = u.do(u.ckpgen, append(run, ".")...)
	require.Equal(t, 3, status, out)
	require.Contains(t, out, "main.main")
	t.Logf("%s", out)

	u.write("main.go", userProgram["main.go"])
	status, out = u.do(u.ckpgen, append(run, ".")...)
	require.Zero(t, status, out)
	require.Contains(t, out, "going on from checkpoint 10 ")
	require.Equal(t, "sum 20540", lastLine(out))
}

// A bug ends the job after a few tries, with the user's own line and the program's status.
func TestPanic(t *testing.T) {
	u := newUserTree(t)
	status, out := u.do(u.ckpgen, "run", "-n", "2", "--interval", "0s", ".", "--", "panic")
	require.Equal(t, 2, status, out)
	require.Contains(t, out, "[rank 1] panic: as asked")
	require.Regexp(t, `\[rank 1\] \t\S*main\.go:20\b`, out)
	require.Regexp(t, `rank 1 \(pid \d+\) failed first \(exited with status 2\)`, out)
	t.Logf("%s", out)
	require.NoError(t, os.RemoveAll(jobKept(t, out)))
}

// jobKept returns the temporary directory that a job was kept in.
func jobKept(t *testing.T, out string) string {
	_, rest, found := strings.Cut(out, "is kept in ")
	require.True(t, found, out)
	dir, _, _ := strings.Cut(rest, ":")
	return dir
}
