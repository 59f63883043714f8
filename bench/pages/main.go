// Pages counts what polls cost in programs of a page each, as they are written every day: the instructions that they execute, built by go build and by
// ckpgen build -auto, without those of a process that only starts.
//
//	go run ./pages [program...]
//
// It is run in the directory bench, needs valgrind, takes some minutes, and prints a table in Markdown. The programs are in bench/kernels/pages. Instructions don't depend
// on what else the machine does, but they are no times: one that the processor finds nothing to do in, as between the places that branches lead to, counts as any.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ckpgen/ckpgen/bench/build"
	"github.com/ckpgen/ckpgen/bench/sidebyside"
)

func main() {
	flag.Parse()
	if err := measure(flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "pages: %v\n", err)
		os.Exit(1)
	}
}

// A page is a program, and what it executed.
type page struct {
	name, what string
	plain      int // instructions
	ratio      float64
}

func measure(names []string) error {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return fmt.Errorf("instructions are counted by valgrind: %w", err)
	}
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
	polled, err := b.Instrumented(bench, "./kernels/pages", "pages", "-auto")
	if err != nil {
		return err
	}
	plainStart, list, err := count(b.Dir(), plain)
	if err != nil {
		return err
	}
	polledStart, _, err := count(b.Dir(), polled)
	if err != nil {
		return err
	}
	var pages []page
	for line := range strings.Lines(list) {
		name, what, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		p, out, err := count(b.Dir(), plain, name)
		if err != nil {
			return err
		}
		i, same, err := count(b.Dir(), polled, name)
		if err != nil {
			return err
		}
		if out != same {
			return fmt.Errorf("%s prints %q, and %q with polls", name, out, same)
		}
		p, i = p-plainStart, i-polledStart
		pages = append(pages, page{name, what, p, float64(i) / float64(p)})
		fmt.Fprintf(os.Stderr, "%s: %d, with polls %d\n", name, p, i)
	}
	for _, name := range names {
		if !slices.ContainsFunc(pages, func(p page) bool { return p.name == name }) {
			return fmt.Errorf("there is no program %s: 'go run ./kernels/pages' lists them", name)
		}
	}
	return write(pages)
}

// write prints the table, the greatest ratio first.
func write(pages []page) error {
	slices.SortStableFunc(pages, func(a, b page) int { return cmp.Compare(b.ratio, a.ratio) })
	table := sidebyside.Table{Head: []string{"program", "", "millions of instructions", "with polls, ratio"}}
	for _, p := range pages {
		table.Add(p.name, p.what, fmt.Sprintf("%.1f", float64(p.plain)/1e6), fmt.Sprintf("%.3f", p.ratio))
	}
	fmt.Printf("Instructions without the start, go build and ckpgen build -auto. Median of %d ratios: %.3f.\nMachine: %s.\n\n", len(pages), pages[len(pages)/2].ratio, sidebyside.Machine())
	return table.Write(os.Stdout)
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// count runs a binary with one processor, without collections of garbage and without preemption, and returns how many instructions it executed and what it printed.
func count(dir, binary string, args ...string) (instructions int, output string, err error) {
	c := exec.Command("valgrind", append([]string{"--tool=callgrind", "--callgrind-out-file=/dev/null", binary}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off") // valgrind does not know every instruction
	var out, told bytes.Buffer
	c.Stdout, c.Stderr = &out, &told
	if err := c.Run(); err != nil {
		return 0, "", fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, told.Bytes())
	}
	m := collected.FindSubmatch(told.Bytes())
	if m == nil {
		return 0, "", fmt.Errorf("%s: valgrind tells no number of instructions\n%s", strings.Join(c.Args, " "), told.Bytes())
	}
	instructions, err = strconv.Atoi(string(m[1]))
	return instructions, out.String(), err
}
