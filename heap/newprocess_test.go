package heap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A passage is a variable that goes to a new process. What is done with it there must print the
// same as what is done with the original, in the process that made it and after it was captured.
type passage struct {
	name  string
	limit int // bytes that the objects of the image may have; 0: any
	v     passenger
}

// A passenger is a pointer to the variable.
type passenger interface {
	fill(dir string)          // fills the variable; the directory is its own
	use(print func(x ...any)) // may change everything
}

func pass[T any, P interface {
	*T
	passenger
}](name string, limit int) passage {
	return passage{name, limit, P(new(T))}
}

func passages() []passage { return slices.Concat(language(), library()) }

// passedVars are package variables that go along.
var passedVars struct {
	numbers [8]int
	nested  struct {
		before int
		p      point
	}
	text string
}

func (p passage) roots() []Root { return []Root{{"v", p.v}, {"passedVars", &passedVars}} }

func (p passage) used() string {
	var b bytes.Buffer
	func() {
		defer func() {
			if e := recover(); e != nil {
				fmt.Fprintln(&b, "panic:", e)
			}
		}()
		p.v.use(func(x ...any) { fmt.Fprintln(&b, x...) })
	}()
	return b.String()
}

// arrive is what the new process does: it rebuilds each variable while the collector runs all the
// time, and tells what was printed.
func arrive(dir string) error {
	defer collecting()()
	printed := make(map[string]string)
	for _, p := range passages() {
		b, err := os.ReadFile(filepath.Join(dir, p.name+".image"))
		if err != nil {
			return err
		}
		im, err := Parse(b)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := im.Rebuild(p.roots(), Options{Named: StandardNamed()}); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		printed[p.name] = p.used()
	}
	return json.NewEncoder(os.Stdout).Encode(printed)
}

// TestNewProcess sends all passages to new processes.
func TestNewProcess(t *testing.T) {
	dir := t.TempDir()
	want := make(map[string]string)
	for _, p := range passages() {
		own := filepath.Join(dir, p.name)
		must(t, os.Mkdir(own, 0o777))
		p.v.fill(own)
		s, err := Capture(p.roots(), Options{Named: StandardNamed()})
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		b := written(t, s)
		must(t, os.WriteFile(own+".image", b, 0o666))
		im, err := Parse(b)
		must(t, err)
		if p.limit > 0 && im.DataSize() > p.limit {
			t.Errorf("%s: the objects take %d bytes, more than %d:\n%v", p.name, im.DataSize(), p.limit, im.ByType())
		}
		want[p.name] = p.used()
	}
	for _, debug := range []string{"", "clobberfree=1", "clobberfree=1,gccheckmark=1,invalidptr=1"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "HEAP_TEST_ROLE=arrive", "HEAP_TEST_FILE="+dir, "GODEBUG="+debug, "TZ=Asia/Kolkata")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("GODEBUG=%s: %v\n%s", debug, err, stderr.Bytes()[:min(4000, stderr.Len())])
		}
		var got map[string]string
		must(t, json.Unmarshal(out, &got))
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s with GODEBUG=%s: the original prints\n%s\nand the rebuilt one\n%s", name, debug, text, got[name])
			}
		}
	}
	if testing.Verbose() {
		for name, text := range want {
			t.Logf("%s:\n%s", name, text)
		}
	}
}
