package corpus

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// standardPackages are packages of the standard library, or of Go's compiler, whose tests are run.
// Every nth opportunity is a checkpoint, so that each has some dozens to some thousands.
var standardPackages = []struct {
	path  string
	every int
}{
	{"archive/zip", 1009},
	{"bufio", 100003},
	{"cmd/compile/internal/syntax", 3001},
	{"compress/bzip2", 100003},
	{"compress/lzw", 10007},
	{"container/heap", 101},
	{"container/ring", 101},
	{"encoding/base64", 101},
	{"encoding/binary", 101},
	{"encoding/csv", 307},
	{"encoding/json", 10007},
	{"encoding/xml", 10007},
	{"flag", 31},
	{"fmt", 100003},
	{"go/constant", 101},
	{"go/doc/comment", 30011},
	{"go/parser", 30011},
	{"go/printer", 1009},
	{"go/scanner", 101},
	{"html/template", 3001},
	{"image/draw", 10007},
	{"image/gif", 30011},
	{"index/suffixarray", 10007},
	{"internal/diff", 11},
	{"log", 7},
	{"maps", 7},
	{"math/cmplx", 31},
	{"net/mail", 31},
	{"net/textproto", 101},
	{"net/url", 3001},
	{"path", 7},
	{"slices", 30011},
	{"sort", 30011},
	{"strings", 3001},
	{"testing/quick", 1009},
	{"text/scanner", 307},
}

// TestStandard runs the tests of packages of the standard library with checkpoints. Each test
// passes, fails or is skipped as it does in the plain program: what a few expect of the package's
// own path does not hold for a copy.
func TestStandard(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	root, command := installation(t)
	var paths []string
	for _, p := range standardPackages {
		paths = append(paths, p.path)
	}
	module := t.TempDir()
	require.NoError(t, CopyTests(root, filepath.Join("testdata", "standins"), module, paths))
	for _, p := range standardPackages {
		t.Run(p.path, func(t *testing.T) {
			t.Parallel()
			bin, dir := t.TempDir(), filepath.Join(module, filepath.FromSlash(p.path))
			plain, saved := filepath.Join(bin, "plain"), filepath.Join(bin, "saved")
			execute(t, dir, nil, "go", "test", "-vet=off", "-c", "-o", plain, ".")
			execute(t, dir, nil, command, "test", "-auto", "-vet=off", "-c", "-o", saved, ".")
			want := outcomes(tested(t, dir, nil, plain))
			require.NotEmpty(t, want)
			require.Equal(t, want, outcomes(tested(t, dir, nil, saved)), "without CKP_ variables")
			job := t.TempDir()
			out := tested(t, dir, []string{"CKP_TORTURE=" + strconv.Itoa(p.every), "CKP_DIR=" + job, "CKP_KEEP=2"}, saved)
			require.Equal(t, want, outcomes(out), "%s", out)
			list, err := filepath.Glob(filepath.Join(job, "ckpt-*"))
			require.NoError(t, err)
			require.NotEmpty(t, list)
			number, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(list[len(list)-1]), "ckpt-"), ".")
			n, err := strconv.Atoi(number)
			require.NoError(t, err)
			require.GreaterOrEqual(t, n, 10, "too few checkpoints")
			t.Logf("%d tests, %d checkpoints", len(want), n)
		})
	}
}

// installation returns the folder of Go, and builds the command.
func installation(t *testing.T) (root, command string) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	command = filepath.Join(t.TempDir(), "ckpgen")
	execute(t, filepath.Join("..", ".."), nil, "go", "build", "-o", command, "./cmd/ckpgen")
	return strings.TrimSpace(string(out)), command
}

func execute(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	p, err := run(context.Background(), 10*time.Minute, dir, env, name, args...)
	require.NoError(t, err)
	require.Zero(t, p.Status, "%s%s", p.Stdout, p.Stderr)
}

// tested returns the output of a test binary. Tests that count allocations are left out, as
// checkpoints make some.
func tested(t *testing.T, dir string, env []string, binary string) string {
	t.Helper()
	p, err := run(context.Background(), 5*time.Minute, dir, env, binary, "-test.short", "-test.v", "-test.skip=Alloc")
	require.NoError(t, err)
	require.False(t, p.TimedOut, "%s", p.Stderr)
	return p.Stdout + p.Stderr
}

var outcome = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+)`)

// outcomes returns how each test ended.
func outcomes(out string) map[string]string {
	all := make(map[string]string)
	for _, m := range outcome.FindAllStringSubmatch(out, -1) {
		all[m[2]] = m[1]
	}
	return all
}
