package corpus

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	long    = flag.Bool("long", false, "try all programs")
	share   = flag.Int("share", 120, "try one program of this many, spread over all folders")
	only    = flag.String("programs", "", "try the programs whose names match this regular expression, and no others")
	table   = flag.String("table", "", "write the table of results to this file")
	results = flag.String("results", "", "keep the results in this file, and try only programs that have none there")
	scratch = flag.String("scratch", "", "build and run in this directory")
	dense   = flag.Bool("dense", false, "build with polls on entry of every function and in every loop")
	limit   = flag.Duration("limit", 20*time.Second, "limit for one run of a program")
)

// TestGoroot tries Go's own test programs: a share of them, which is the same each time
// and spread over all folders, or all.
func TestGoroot(t *testing.T) {
	checkout, err := filepath.Abs("../..")
	require.NoError(t, err)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	root := strings.TrimSpace(string(goroot))
	if _, err := os.Stat(filepath.Join(root, "test")); err != nil {
		t.Skip("this installation of Go has no test programs")
	}
	programs, err := Find(root)
	require.NoError(t, err)
	require.Greater(t, len(programs), 500)
	inapplicable, err := ReadList("testdata/inapplicable.txt")
	require.NoError(t, err)
	missed, err := ReadList("testdata/missed.txt")
	require.NoError(t, err)
	everywhere, err := ReadList("testdata/inapplicable_dense.txt")
	require.NoError(t, err)
	unsteady, err := ReadList("testdata/unsteady.txt")
	require.NoError(t, err)
	known := make(map[string]bool)
	for _, p := range programs {
		known[p.Name] = true
	}
	for _, list := range []map[string]string{inapplicable, missed, everywhere, unsteady} {
		for name := range list {
			require.True(t, known[name], "no program is named %s", name)
		}
	}
	programs = selection(t, programs)

	dir := *scratch
	if dir == "" {
		dir = t.TempDir()
	}
	ckpgen := filepath.Join(t.TempDir(), "ckpgen")
	build := exec.Command("go", "build", "-o", ckpgen, "./cmd/ckpgen")
	build.Dir = checkout
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	r := &Runner{Ckpgen: ckpgen, Test: filepath.Join(root, "test"), Work: dir, Limit: *limit, Dense: *dense}
	store, err := OpenResults(fromRoot(*results))
	require.NoError(t, err)

	t.Run("programs", func(t *testing.T) {
		for _, p := range programs {
			t.Run(p.Name, func(t *testing.T) {
				t.Parallel()
				result, have := store.Get(p.Name, *dense)
				if !have {
					var err error
					result, err = r.Try(t.Context(), p)
					require.NoError(t, err)
					require.NoError(t, store.Add(result))
				}
				reason, na := inapplicable[p.Name]
				if _, listed := unsteady[p.Name]; listed && result.Verdict == Wrong {
					na = true
				}
				if _, listed := everywhere[p.Name]; listed && *dense {
					na = true
				}
				why, miss := missed[p.Name]
				switch result.Verdict {
				case Passed:
					if na && !*dense {
						t.Errorf("passes, but stands in testdata/inapplicable.txt: %s", reason)
					}
					if miss && !*dense {
						t.Errorf("passes, but stands in testdata/missed.txt: %s", why)
					}
				case Missed:
					if !miss && !na && !*dense {
						t.Errorf("missed: %s\n%s", result.Why, result.Output)
					}
				case Wrong:
					if !na {
						t.Errorf("wrong: %s\n%s", result.Why, result.Output)
					}
				}
			})
		}
	})
	if *table == "" {
		return
	}
	var list []Result
	for _, p := range programs {
		for _, dense := range []bool{false, true} {
			if result, ok := store.Get(p.Name, dense); ok {
				if why, listed := unsteady[p.Name]; listed && result.Verdict == Wrong {
					inapplicable[p.Name] = why
				}
				list = append(list, result)
			}
		}
	}
	system := runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
	require.NoError(t, os.WriteFile(fromRoot(*table), []byte(Table(system, list, inapplicable, everywhere, missed)), 0o666))
}

// fromRoot returns a path that is given from where go test is run, which is the root of the module:
// the test is run in the folder of its package.
func fromRoot(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join("..", "..", path)
}

func selection(t *testing.T, programs []*Program) []*Program {
	var list []*Program
	if *only != "" {
		name, err := regexp.Compile(*only)
		require.NoError(t, err)
		for _, p := range programs {
			if name.MatchString(p.Name) {
				list = append(list, p)
			}
		}
		require.NotEmpty(t, list, "no program is named like %s", *only)
		return list
	}
	if *long {
		return programs
	}
	require.Positive(t, *share)
	for i := *share / 5; i < len(programs); i += *share {
		list = append(list, programs[i])
	}
	return list
}
