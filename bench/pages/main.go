// Pages counts what polls cost in programs of a page each, as they are written every day: the
// instructions that they execute, built by go build and by ckpgen build -auto, without those of a
// process that only starts.
//
//	go run ./pages [-rounds n] [program...]
//
// It is run in the directory bench, needs valgrind, takes some minutes, and prints a table in
// Markdown. The programs are in bench/kernels/pages. Instructions don't depend on what else the
// machine does, but they are no times: one that the processor finds nothing to do in, as between
// the places that branches lead to, counts as any. With -rounds times are measured instead: each
// program runs as often as takes a second, in rounds in which the two take turns.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/bench/build"
	"github.com/ckpgen/ckpgen/bench/instructions"
	"github.com/ckpgen/ckpgen/bench/sidebyside"
)

var rounds = flag.Int("rounds", 0, "measure the processor time in this many `rounds`, not instructions")

func main() {
	flag.Parse()
	if err := measure(flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "pages: %v\n", err)
		os.Exit(1)
	}
}

// A page is a program, and what it cost.
type page struct {
	name, what    string
	plain, polled float64 // instructions, or seconds
}

func (p page) ratio() float64 { return p.polled / p.plain }

func measure(names []string) error {
	b, done, err := build.New("pages")
	if err != nil {
		return err
	}
	defer done()
	bench, err := build.Bench()
	if err != nil {
		return err
	}
	plain, err := b.Plain(bench, "./kernels/pages", "pages")
	if err != nil {
		return err
	}
	pages, err := list(plain, names)
	if err != nil {
		return err
	}
	if *rounds > 0 {
		err = takeTimes(b, bench, plain, pages)
	} else {
		err = countAll(b, bench, plain, pages)
	}
	if err != nil {
		return err
	}
	return write(pages)
}

// list returns the programs of a binary, or those of the given names.
func list(binary string, names []string) ([]page, error) {
	out, err := exec.Command(binary).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", binary, err)
	}
	var pages []page
	for line := range strings.Lines(string(out)) {
		name, what, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if len(names) == 0 || slices.Contains(names, name) {
			pages = append(pages, page{name: name, what: what})
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(pages, func(p page) bool { return p.name == name }) {
			return nil, fmt.Errorf("there is no program %s: 'go run ./kernels/pages' lists them", name)
		}
	}
	return pages, nil
}

// countAll counts the instructions of each program, without those of a process that only starts.
func countAll(b *build.Builder, bench, plain string, pages []page) error {
	if err := instructions.Look(); err != nil {
		return err
	}
	polled, err := b.Instrumented(bench, "./kernels/pages", "pages", "-auto")
	if err != nil {
		return err
	}
	plainStart, _, err := instructions.Count(b.Dir(), plain)
	if err != nil {
		return err
	}
	polledStart, _, err := instructions.Count(b.Dir(), polled)
	if err != nil {
		return err
	}
	for i := range pages {
		name := pages[i].name
		p, out, err := instructions.Count(b.Dir(), plain, name)
		if err != nil {
			return err
		}
		q, same, err := instructions.Count(b.Dir(), polled, name)
		if err != nil {
			return err
		}
		if out != same {
			return fmt.Errorf("%s prints %q, and %q with polls", name, out, same)
		}
		pages[i].plain, pages[i].polled = float64(p-plainStart), float64(q-polledStart)
		fmt.Fprintf(os.Stderr, "%s: %d, with polls %d\n", name, p-plainStart, q-polledStart)
	}
	return nil
}

// takeTimes measures the processor time of a run of each program.
func takeTimes(b *build.Builder, bench, plain string, pages []page) error {
	for i := range pages {
		name := pages[i].name
		runs, err := runsPerSecond(plain, name)
		if err != nil {
			return err
		}
		p, q, err := b.Compare(build.Program{Module: bench, Path: "./kernels/pages", Name: "pages", Args: []string{name, strconv.Itoa(runs)}, Flags: []string{"-auto"}}, *rounds)
		if err != nil {
			return err
		}
		pages[i].plain = sidebyside.Median(p.Processor).Seconds() / float64(runs)
		pages[i].polled = sidebyside.Median(q.Processor).Seconds() / float64(runs)
	}
	return nil
}

// runsPerSecond returns how often a program is to run in one process, for that to take a second of
// processor time: what a process takes to start is then of no account.
func runsPerSecond(binary, name string) (int, error) {
	for runs := 1; ; runs *= 4 {
		c := exec.Command(binary, name, strconv.Itoa(runs))
		if err := c.Run(); err != nil {
			return 0, fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
		}
		if took := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); took > 200*time.Millisecond {
			return max(1, int(float64(runs)/took.Seconds())), nil
		}
	}
}

// write prints the table, the greatest ratio first.
func write(pages []page) error {
	slices.SortStableFunc(pages, func(a, b page) int { return cmp.Compare(b.ratio(), a.ratio()) })
	what, unit, size := "Instructions without the start", "millions of instructions", 1e6
	if *rounds > 0 {
		what, unit, size = fmt.Sprintf("Processor time, medians of %d rounds", *rounds), "ms", 1e-3
	}
	table := sidebyside.Table{Head: []string{"program", "", unit, "with polls, ratio"}}
	for _, p := range pages {
		table.Add(p.name, p.what, fmt.Sprintf("%.3g", p.plain/size), fmt.Sprintf("%.3f", p.ratio()))
	}
	fmt.Printf("%s, go build and ckpgen build -auto. Median of %d ratios: %.3f.\nMachine: %s.\n\n", what, len(pages), pages[len(pages)/2].ratio(), sidebyside.Machine())
	return table.Write(os.Stdout)
}
