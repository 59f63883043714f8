package instrument_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var long = flag.Bool("long", false, "run programs from public modules, which are downloaded, and take every checkpoint")

// publicPrograms are programs of modules that know nothing of checkpoints, and programs
// that use their libraries. Every nth opportunity is one, so that each has some dozens.
var publicPrograms = []struct {
	path  string
	args  []string
	every int
	least int // checkpoints
}{
	{"github.com/d5/tengo/v2/cmd/tengo", []string{"life.tengo"}, 3000, 20},
	{"github.com/crillab/gophersat", []string{"random.cnf"}, 1000, 20},
	{"github.com/ulikunitz/xz/cmd/gxz", []string{"-k", "-c", "random.cnf"}, 300, 20},
	{"./eigen", nil, 500, 5}, // some are refused, in iterators over maps, by the order of these
	{"./lua", []string{"script.lua"}, 3000, 20},
	{"./starlark", []string{"script.star"}, 6000, 20},
	{"./markdown", []string{"document.md"}, 1000, 20},
	{"./chess", nil, 4000, 20},
}

// TestPublic runs programs from public modules, at pinned versions, built with -auto=all, in
// torture mode. They print what the plain build prints.
func TestPublic(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	_, command := built(t)
	module := t.TempDir()
	require.NoError(t, os.CopyFS(module, os.DirFS(filepath.Join("testdata", "public"))))
	download := exec.Command("go", "mod", "download")
	download.Dir = module
	if out, err := download.CombinedOutput(); err != nil {
		t.Skipf("the modules can't be downloaded: %v\n%s", err, out)
	}
	for _, p := range publicPrograms {
		t.Run(filepath.Base(p.path), func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			plain, saved := filepath.Join(bin, "plain"), filepath.Join(bin, "saved")
			run(t, module, nil, "go", "build", "-o", plain, p.path)
			run(t, module, nil, command, "build", "-auto=all", "-o", saved, p.path)
			want, wantErrors := run(t, module, nil, plain, p.args...)
			require.NotEmpty(t, want+wantErrors)
			got, errors := run(t, module, nil, saved, p.args...)
			require.Equal(t, want, got, "without CKP_ variables")
			require.Equal(t, wantErrors, errors, "without CKP_ variables")
			dir := t.TempDir()
			got, errors = run(t, module, []string{"CKP_TORTURE=" + strconv.Itoa(p.every), "CKP_DIR=" + dir}, saved, p.args...)
			require.Equal(t, want, got, "%s", errors)
			refused := regexp.MustCompile("(?m)^ckpgen: .*\n")
			t.Logf("%s", refused.FindAllString(errors, -1))
			require.Equal(t, wantErrors, refused.ReplaceAllString(errors, ""))
			require.GreaterOrEqual(t, newest(t, dir), p.least)
		})
	}
}

// newest returns the number of the newest checkpoint in a directory.
func newest(t *testing.T, dir string) int {
	list, err := filepath.Glob(filepath.Join(dir, "ckpt-*"))
	require.NoError(t, err)
	most := 0
	for _, name := range list {
		number, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(name), "ckpt-"), ".")
		n, err := strconv.Atoi(number)
		require.NoError(t, err)
		most = max(most, n)
	}
	return most
}
