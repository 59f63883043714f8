// Table1 measures what checkpoints cost a real program, as Table 1 of "Checkpointing-based Rollback
// Recovery for Parallel Applications on the InteGrade Grid Middleware" (de Camargo, Goldchleger,
// Kon and Goldman, 2004): seqsim over random pairs of sequences, in the plain build and
// instrumented, without checkpoints and with checkpoints at several intervals.
//
//	go run ./table1 [-pairs 5] [-length 100000] [-score global] [-n 1] [-rounds 3] [-intervals 60s,10s,1s]
//
// It is run in the directory bench, takes as long as it says, and prints a table in Markdown.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/bench/build"
	"github.com/ckpgen/ckpgen/bench/sidebyside"
	"github.com/ckpgen/ckpgen/store"
)

var (
	pairs     = flag.Int("pairs", 5, "random pairs that are compared")
	length    = flag.Int("length", 100_000, "letters of each sequence")
	score     = flag.String("score", "global", "criterion of the comparison")
	processes = flag.Int("n", 1, "processes; more than 1 are run by ckpgen run")
	rounds    = flag.Int("rounds", 3, "times that each variant is run")
	intervals = flag.String("intervals", "60s,10s,1s", "least times between checkpoints")
)

func main() {
	flag.Parse()
	if err := measure(); err != nil {
		fmt.Fprintf(os.Stderr, "table1: %v\n", err)
		os.Exit(1)
	}
}

func measure() error {
	if flag.NArg() > 0 || *rounds < 1 || *processes < 1 {
		return errors.New("usage: go run ./table1 [flags]; -rounds and -n are at least 1")
	}
	if *processes > 1 && build.Null() {
		return errors.New("-null is for one process")
	}
	b, done, err := build.New("table1")
	if err != nil {
		return err
	}
	defer done()
	root, err := build.Root()
	if err != nil {
		return err
	}
	plain, err := b.Plain(root, "./examples/seqsim", "seqsim")
	if err != nil {
		return err
	}
	instrumented, err := b.Instrumented(root, "./examples/seqsim", "seqsim")
	if err != nil {
		return err
	}

	e := experiment{dir: b.Dir(), ckpgen: b.Ckpgen()}
	e.add("plain", plain, "")
	e.add("instrumented, no checkpoints", instrumented, "")
	for interval := range strings.SplitSeq(*intervals, ",") {
		if _, err := time.ParseDuration(interval); err != nil {
			return fmt.Errorf("-intervals: %w", err)
		}
		e.add("checkpoint every "+interval, instrumented, interval)
	}
	times, err := sidebyside.Run(*rounds, false, e.variants, func(line string) { fmt.Fprintln(os.Stderr, line) })
	if err != nil {
		return err
	}
	return e.write(times)
}

// experiment is the variants, and what they leave.
type experiment struct {
	dir, ckpgen string
	variants    []sidebyside.Variant
	left        []checkpoints // by variant
}

// checkpoints are those of the rounds of a variant.
type checkpoints struct {
	wanted bool
	number []int   // committed, by round
	bytes  []int64 // of the last one, by round
}

// add adds the variant of a binary, with checkpoints if there is an interval.
func (e *experiment) add(name, binary, interval string) {
	i := len(e.variants)
	e.left = append(e.left, checkpoints{wanted: interval != "" && !build.Null()})
	job := func(round int) string { return filepath.Join(e.dir, fmt.Sprintf("job-%d-%d", i, round)) }
	v := sidebyside.Variant{Name: name}
	v.Command = func(round int) (*exec.Cmd, error) {
		args := []string{"-score", *score, "-random", strconv.Itoa(*length), "-pairs", strconv.Itoa(*pairs)}
		if *processes > 1 {
			launch := []string{"run", "-n", strconv.Itoa(*processes), "--no-prefix"}
			if interval != "" {
				launch = append(launch, "--dir", job(round), "--interval", interval)
			}
			launch = append(launch, binary, "--")
			return e.command(e.ckpgen, append(launch, args...), ""), nil
		}
		if interval == "" {
			return e.command(binary, args, ""), nil
		}
		return e.command(binary, args, "CKP_DIR="+job(round), "CKP_INTERVAL="+interval), nil
	}
	if e.left[i].wanted {
		v.After = func(round int) error {
			defer os.RemoveAll(job(round))
			return e.left[i].count(job(round))
		}
	}
	e.variants = append(e.variants, v)
}

// command is one in an environment without the variables of ckpgen but those given.
func (e *experiment) command(name string, args []string, variables ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = e.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "CKP_") {
			c.Env = append(c.Env, v)
		}
	}
	for _, v := range variables {
		if v != "" {
			c.Env = append(c.Env, v)
		}
	}
	return c
}

// count finds out how many checkpoints a job has committed: they are numbered from 1, and the
// last ones are kept.
func (c *checkpoints) count(dir string) error {
	number, bytes := 0, int64(0)
	if _, err := os.Stat(dir); err == nil {
		s, err := store.Open(dir, store.Options{})
		if err != nil {
			return err
		}
		entries, _, err := s.History()
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.State == store.Committed && int(entry.Seq) > number {
				number, bytes = int(entry.Seq), entry.Manifest.Bytes()
			}
		}
	}
	c.number = append(c.number, number)
	c.bytes = append(c.bytes, bytes)
	return nil
}

// write writes the table.
func (e *experiment) write(times []sidebyside.Times) error {
	table := sidebyside.Table{Head: []string{"variant", "time", "ratio", "processor time", "ratio", "checkpoints", "bytes of one"}}
	clock, processor := sidebyside.Median(times[0].Clock), sidebyside.Median(times[0].Processor)
	for i, v := range e.variants {
		t, p := sidebyside.Median(times[i].Clock), sidebyside.Median(times[i].Processor)
		number, bytes := "", ""
		if c := e.left[i]; c.wanted {
			number, bytes = fmt.Sprint(middle(c.number)), fmt.Sprint(middle(c.bytes))
		}
		table.Add(v.Name, fmt.Sprintf("%.2f s", t.Seconds()), ratio(t, clock), fmt.Sprintf("%.2f s", p.Seconds()), ratio(p, processor), number, bytes)
	}
	fmt.Printf("Seqsim, criterion %s, %d random pairs of %d letters, processes: %d. Medians of %d interleaved rounds.\nMachine: %s.\n\n",
		*score, *pairs, *length, *processes, *rounds, sidebyside.Machine())
	return table.Write(os.Stdout)
}

func ratio(a, b time.Duration) string { return fmt.Sprintf("%.3f", a.Seconds()/b.Seconds()) }
