package random

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var (
	long      = flag.Bool("long", false, "compare hundreds of programs: minutes")
	seed      = flag.Int("seed", 0, "of the first program; 0: another one each day")
	program   = flag.String("program", "", "a file with the program to compare, instead of random ones")
	together  = flag.Int("together", 50, "how many programs to build at a time")
	reduction = flag.Duration("reduce", time.Minute, "how long to make a program smaller that differs")
	count     = flag.Int("programs", 0, "how many programs to compare; 0: few, or with -long many")
)

// TestWellTyped checks many programs without building them.
func TestWellTyped(t *testing.T) {
	r := newWorkshop(t).reducer(t)
	for _, o := range []Options{{}, {Goroutines: true}, {Locks: true}} {
		programs := Programs(o)
		for i := range 25 {
			text := programs.Example(i)
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", text, 0)
			require.NoError(t, err, "seed %d", i)
			config := types.Config{Importer: r.imports}
			_, err = config.Check("main", fset, []*ast.File{file}, nil)
			require.NoError(t, err, "seed %d", i)
		}
	}
}

// TestPrograms compares programs that nobody wrote with themselves: built plainly, built with
// checkpoints, and built with polls; without checkpoints, and with some number of them. In half of
// them all functions are generic. One that differs is told with its seed, and printed when it has
// been made smaller.
//
//	go test ./instrument/random -run TestPrograms -long               hundreds
//	go test ./instrument/random -run TestPrograms -programs 5000      thousands
//	go test ./instrument/random -run TestPrograms -seed 17 -programs 1 -reduce 10m
func TestPrograms(t *testing.T) {
	n, first, size := 2, *seed, *together
	if *long {
		n = 200
	}
	if *count > 0 {
		n = *count
	}
	if first == 0 {
		first = int(time.Now().Unix()/86400) * 1000
	}
	w := newWorkshop(t)
	if *program != "" {
		text, err := os.ReadFile(*program)
		require.NoError(t, err)
		w.trial(t, map[int]string{1: string(text)})
		return
	}
	programs := []*rapid.Generator[string]{Programs(Options{}), Programs(Options{Goroutines: true}), Programs(Options{Locks: true})}
	imports := w.reducer(t).imports
	done := 0
	for n > 0 {
		texts := make(map[int]string)
		for i := range min(n, size) {
			text := programs[(first+i)%len(programs)].Example(first + i)
			if (first+i)/len(programs)%2 == 1 {
				text = generalized(t, imports, text)
			}
			texts[first+i] = text
		}
		n, first = n-len(texts), first+len(texts)
		w.trial(t, texts)
		done += len(texts)
		t.Logf("%d programs", done)
	}
}

// trial builds and compares programs, and reports those that differ.
func (w *workshop) trial(t *testing.T, texts map[int]string) {
	b := w.batch(texts)
	b.build(t, plain, saved, polled)
	wrong := b.wrong
	var todo []int
	for i := range texts {
		if wrong[i] == nil {
			todo = append(todo, i)
		}
	}
	work := make(chan int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range work {
				if d := b.compare(t, i, 40, saved, polled); d != nil {
					mu.Lock()
					wrong[i] = d
					mu.Unlock()
				}
			}
		})
	}
	for _, i := range todo {
		work <- i
	}
	close(work)
	wg.Wait()
	for i, d := range wrong {
		if d.kind == "refused" {
			t.Logf("program %d: refused: %s", i, d.text)
			continue
		}
		t.Errorf("program %d (-seed %d -programs 1): %s", i, i, d)
		if *reduction > 0 && !w.reduced { // one is enough to look at for a while
			w.reduced = true
			t.Errorf("program %d made smaller:\n%s", i, w.reducer(t).reduce(texts[i], d, time.Now().Add(*reduction)))
		}
	}
}
