package heap

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"
)

// TestMain lets the test binary be the other process: told so by its
// environment, it writes or rebuilds an image instead of running the tests.
func TestMain(m *testing.M) {
	RegisterUnique[string]()
	RegisterUnique[any]()
	switch os.Getenv("HEAP_TEST_ROLE") {
	case "write":
		exit(writeWorld(os.Getenv("HEAP_TEST_FILE")))
	case "arrive":
		exit(arrive(os.Getenv("HEAP_TEST_FILE")))
	case "rebuild":
		exit(rebuildWorld(os.Getenv("HEAP_TEST_FILE")))
	}
	os.Exit(m.Run())
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// saved are the variables that go from process to process.
var saved struct {
	w    *world
	pid  int
	rows [][]float64
	many map[int]*tree
	last *tree
}

func savedRoots() []Root { return []Root{{"saved", &saved}} }

func writeWorld(file string) error {
	saved.w = newWorld()
	saved.pid = os.Getpid()
	saved.many = map[int]*tree{}
	for i := range 20000 {
		saved.last = &tree{key: i, tag: strconv.Itoa(i), left: saved.last, up: &saved.many}
		saved.many[i] = saved.last
		if i%100 == 0 {
			saved.rows = append(saved.rows, make([]float64, i))
		}
	}
	s, err := Capture(savedRoots(), Options{Named: StandardNamed()})
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if _, err := s.WriteTo(f); err != nil {
		return err
	}
	return f.Close()
}

func rebuildWorld(file string) error {
	for round := range 5 {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		im, err := Parse(b)
		if err != nil {
			return err
		}
		stop := collecting()
		err = im.Rebuild(savedRoots(), Options{Named: StandardNamed()})
		clear(b) // nothing may still refer to it
		im = nil
		runtime.GC()
		churn()
		stop()
		if err != nil {
			return err
		}
		if saved.pid == os.Getpid() {
			return fmt.Errorf("this is not another process")
		}
		want := newWorld()
		// Functions are compared by what they do.
		if saved.w.Fn(4) != 8 || saved.w.Cl(1) != want.Cl(1) {
			return fmt.Errorf("functions")
		}
		want = newWorld()
		*want.Arr[3], *saved.w.Arr[3] = 0, 0
		if saved.w.Arr[3] != saved.w.Arr[11] {
			return fmt.Errorf("sharing lost")
		}
		want.Fn, saved.w.Fn, want.Cl, saved.w.Cl = nil, nil, nil, nil
		c := newComparison()
		want.List.e, want.List.w, want.E = nil, nil, nil
		if saved.w.List.e != io.EOF || saved.w.List.w != io.Writer(os.Stdout) || saved.w.E != io.ErrUnexpectedEOF || !saved.w.When.Equal(want.When) || saved.w.When.Location() != time.UTC {
			return fmt.Errorf("named values")
		}
		saved.w.List.e, saved.w.List.w, saved.w.E = nil, nil, nil
		if !reflect.DeepEqual(want.Types, saved.w.Types) {
			return fmt.Errorf("types %v", saved.w.Types)
		}
		want.When, saved.w.When, want.Types, saved.w.Types = time.Time{}, time.Time{}, nil, nil
		if !c.same(reflect.ValueOf(want).Elem(), reflect.ValueOf(saved.w).Elem(), "world") {
			return fmt.Errorf("round %d: %s", round, c.why)
		}
		t := saved.last
		for i := 19999; i >= 0; i-- {
			if t.key != i || t.tag != strconv.Itoa(i) || saved.many[i] != t || t.up != any(&saved.many) {
				return fmt.Errorf("round %d: node %d", round, i)
			}
			t = t.left
		}
		for i, r := range saved.rows {
			if len(r) != i*100 {
				return fmt.Errorf("round %d: row %d", round, i)
			}
		}
	}
	return nil
}

// TestAnotherProcess writes an image in one process and rebuilds it in others,
// while the collector runs, and with freed memory overwritten.
func TestAnotherProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "image")
	run := func(role, debug string) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "HEAP_TEST_ROLE="+role, "HEAP_TEST_FILE="+file, "GODEBUG="+debug)
		out, err := cmd.CombinedOutput()
		if err != nil {
			if len(out) > 4000 {
				out = out[:4000]
			}
			t.Fatalf("%s with %s: %v\n%s", role, debug, err, out)
		}
	}
	run("write", "")
	run("rebuild", "")
	run("rebuild", "clobberfree=1")
	run("rebuild", "clobberfree=1,invalidptr=1,gccheckmark=1")
}

// TestLongList has a million nodes in a row and a stack that is far too small
// to follow them by recursion; with HEAP_TEST_LONG set, ten million.
func TestLongList(t *testing.T) {
	n := 1_000_000
	if os.Getenv("HEAP_TEST_LONG") != "" {
		n *= 10
	}
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	type node struct {
		next *node
		val  int
	}
	var head *node
	for i := range n {
		head = &node{head, i}
	}
	start := time.Now()
	s, err := Capture([]Root{{"head", &head}}, Options{})
	must(t, err)
	t.Logf("capture %v", time.Since(start))
	var b bytes.Buffer
	_, err = s.WriteTo(&b)
	must(t, err)
	head = nil
	start = time.Now()
	im, err := Parse(b.Bytes())
	must(t, err)
	t.Logf("parse %v", time.Since(start))
	start = time.Now()
	must(t, im.Rebuild([]Root{{"head", &head}}, Options{}))
	t.Logf("rebuild %v", time.Since(start))
	for i := n - 1; i >= 0; i-- {
		if head.val != i {
			t.Fatalf("node %d is %d", i, head.val)
		}
		head = head.next
	}
	check(t, head == nil)
}
