package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"ckpgen": main})
}

// atEnd are called after all tests, and return what is wrong then.
var atEnd []func() error

// A suite is all tests, and what comes after them.
type suite struct{ *testing.M }

func (s suite) Run() int {
	status := s.M.Run()
	for _, f := range atEnd {
		if err := f(); err != nil {
			fmt.Println(err)
			status = max(status, 1)
		}
	}
	return status
}

var long = flag.Bool("long", false, "run what takes minutes: whole bacterial genomes, builds of the standard library")

// ifLong skips a test that is not for every run.
func ifLong(t *testing.T) {
	t.Helper()
	if !*long {
		t.Skip("run with -long")
	}
}

// TestCommand runs the scripts in testdata/script: the real command, in modules as users have them,
// with a cache of their own. With -long those that are longer then, or skipped otherwise.
func TestCommand(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	settings := goEnv(t, "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN")
	scripts, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatal("there are no scripts", err)
	}
	if *long {
		scripts = slices.DeleteFunc(scripts, func(name string) bool {
			text, err := os.ReadFile(name)
			return err == nil && !bytes.Contains(text, []byte("\n[!long] ")) && !bytes.HasPrefix(text, []byte("[!long] "))
		})
	}
	testscript.Run(t, testscript.Params{
		Files:              scripts,
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, settings...)
			env.Setenv("CKPGEN", root)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("HOME", filepath.Join(env.WorkDir, ".home"))
			env.Setenv("GOFLAGS", "-buildvcs=false -ldflags=-w") // no debug information: links faster
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "long" {
				return *long, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"module":  module,
			"proxy":   proxy,
			"entries": entries,
			"exits":   exits,
		},
	})
}

func goEnv(t *testing.T, names ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	for i := range names {
		names[i] += "=" + strings.TrimSpace(lines[i])
	}
	return names
}

// module makes the current directory a module that depends on the checkout:
// module PATH.
func module(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: module PATH")
	}
	text := fmt.Sprintf(`module %s

go 1.26.0

require github.com/ckpgen/ckpgen v0.0.0

replace github.com/ckpgen/ckpgen => %s
`, args[0], ts.Getenv("CKPGEN"))
	ts.Check(os.WriteFile(ts.MkAbs("go.mod"), []byte(text), 0o666))
}

// proxy makes the go command get modules from testdata/proxy, and nothing from elsewhere,
// and gives it a module cache of its own.
func proxy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: proxy")
	}
	srv, err := goproxytest.NewServer(filepath.Join(ts.Getenv("CKPGEN"), "cmd", "ckpgen", "testdata", "proxy"), "")
	ts.Check(err)
	ts.Defer(srv.Close)
	ts.Setenv("GOPROXY", srv.URL)
	ts.Setenv("GOSUMDB", "off")
	ts.Setenv("GOMODCACHE", ts.MkAbs("mod"))
	ts.Setenv("GOFLAGS", ts.Getenv("GOFLAGS")+" -modcacherw")
}

// entries checks how many instrumented programs are in the cache: entries N.
func entries(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: entries N")
	}
	list, err := filepath.Glob(filepath.Join(ts.Getenv("XDG_CACHE_HOME"), "ckpgen", "program", "*"))
	ts.Check(err)
	if got := fmt.Sprint(len(list)); got != args[0] {
		ts.Fatalf("%s entries in the cache, want %s: %v", got, args[0], list)
	}
}

// exits runs a command and checks its exit status: exits STATUS COMMAND...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}
