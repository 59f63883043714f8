// Markov measures what a checkpoint after each vector costs the Markov chain of examples/markov, as
// the experiment of "Discontinuous Incremental: A New Approach Towards Extremely Lightweight
// Checkpoints" (Ha and Renault, 2011) did: in the plain build, in the instrumented one without
// checkpoints, with checkpoints that are whole, with increments, and with compressed increments.
// Ratios are to the instrumented one without checkpoints: that and the plain one can differ by more
// than the checkpoints cost.
//
//	go run ./markov [-n 3320,6640] [-vectors 100] [-rounds 3] [-whole=false]
//
// It is run in the directory bench, and prints a table in Markdown. Each checkpoint is waited for
// by the next one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ckpgen/ckpgen/bench/build"
	"github.com/ckpgen/ckpgen/bench/sidebyside"
	"github.com/ckpgen/ckpgen/store"
)

var (
	sizes   = flag.String("n", "3320,6640", "states of the chain")
	vectors = flag.Int("vectors", 100, "vectors, and checkpoints")
	rounds  = flag.Int("rounds", 3, "times that each variant is run")
	whole   = flag.Bool("whole", true, "with whole checkpoints, too")
)

func main() {
	flag.Parse()
	if err := measure(); err != nil {
		fmt.Fprintf(os.Stderr, "markov: %v\n", err)
		os.Exit(1)
	}
}

func measure() error {
	if flag.NArg() > 0 || *rounds < 1 || *vectors < 3 {
		return errors.New("usage: go run ./markov [flags]; -rounds is at least 1, -vectors 3")
	}
	b, done, err := build.New("markov")
	if err != nil {
		return err
	}
	defer done()
	root, err := build.Root()
	if err != nil {
		return err
	}
	plain, err := b.Plain(root, "./examples/markov", "markov")
	if err != nil {
		return err
	}
	instrumented, err := b.Instrumented(root, "./examples/markov", "markov")
	if err != nil {
		return err
	}
	table := sidebyside.Table{Head: []string{"states", "variant", "time", "ratio", "processor time", "ratio", "bytes of a checkpoint"}}
	for n := range strings.SplitSeq(*sizes, ",") {
		if _, err := strconv.Atoi(n); err != nil {
			return fmt.Errorf("-n: %w", err)
		}
		e := &experiment{dir: b.Dir(), args: []string{"-n", n, "-vectors", strconv.Itoa(*vectors)}}
		e.add("plain", plain)
		e.add("no checkpoints", instrumented)
		if *whole {
			e.add("whole", instrumented, "CKP_INTERVAL=0", "CKP_KEEP=3")
		}
		increments := fmt.Sprintf("CKP_INCREMENTS=%d", *vectors)
		e.add("increments", instrumented, "CKP_INTERVAL=0", "CKP_KEEP=3", increments)
		e.add("increments, zstd", instrumented, "CKP_INTERVAL=0", "CKP_KEEP=3", increments, "CKP_COMPRESS=zstd")
		times, err := sidebyside.Run(*rounds, false, e.variants, func(line string) { fmt.Fprintln(os.Stderr, n, line) })
		if err != nil {
			return err
		}
		clock, processor := sidebyside.Median(times[1].Clock), sidebyside.Median(times[1].Processor)
		for i, v := range e.variants {
			t, p := sidebyside.Median(times[i].Clock), sidebyside.Median(times[i].Processor)
			size := ""
			if len(e.bytes[i]) > 0 {
				size = fmt.Sprint(middle(e.bytes[i]))
			}
			table.Add(n, v.Name, fmt.Sprintf("%.2f s", t.Seconds()), fmt.Sprintf("%.3f", t.Seconds()/clock.Seconds()),
				fmt.Sprintf("%.2f s", p.Seconds()), fmt.Sprintf("%.3f", p.Seconds()/processor.Seconds()), size)
		}
	}
	fmt.Printf("Markov chain, %d vectors, a checkpoint after each. Medians of %d interleaved rounds.\nMachine: %s.\n\n", *vectors, *rounds, sidebyside.Machine())
	return table.Write(os.Stdout)
}

// experiment is the variants for one size, and the sizes of the last checkpoints that they leave.
type experiment struct {
	dir      string
	args     []string
	variants []sidebyside.Variant
	bytes    [][]int64 // by variant
}

func (e *experiment) add(name, binary string, variables ...string) {
	i := len(e.variants)
	e.bytes = append(e.bytes, nil)
	job := func(round int) string { return filepath.Join(e.dir, fmt.Sprintf("job-%d-%d", i, round)) }
	v := sidebyside.Variant{Name: name}
	v.Command = func(round int) (*exec.Cmd, error) {
		c := exec.Command(binary, e.args...)
		c.Dir = e.dir
		c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "CKP_") })
		if len(variables) > 0 {
			c.Env = append(append(c.Env, variables...), "CKP_DIR="+job(round))
		}
		return c, nil
	}
	if len(variables) > 0 && !build.Null() {
		v.After = func(round int) error {
			defer os.RemoveAll(job(round))
			return e.count(i, job(round))
		}
	}
	e.variants = append(e.variants, v)
}

// count notes the size of the last checkpoints, and makes sure that there were as many as vectors.
func (e *experiment) count(i int, dir string) error {
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		return err
	}
	entries, _, err := s.History()
	if err != nil {
		return err
	}
	if len(entries) == 0 || entries[0].Seq != uint64(*vectors) {
		return fmt.Errorf("%s: not a checkpoint after each vector", e.variants[i].Name)
	}
	for _, entry := range entries[:min(3, len(entries))] {
		if entry.Manifest != nil {
			e.bytes[i] = append(e.bytes[i], entry.Manifest.Bytes())
		}
	}
	return nil
}

func middle(list []int64) int64 {
	slices.Sort(list)
	return list[len(list)/2]
}
