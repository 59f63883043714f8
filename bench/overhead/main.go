// Overhead measures what the instrumentation itself costs, on small programs where it costs most:
// each of them built by go build and by ckpgen, run without checkpoints.
//
//	go run ./overhead [-rounds 9] [-auto] [kernel...]
//
// It is run in the directory bench, and prints a table in Markdown. The programs are in
// bench/kernels.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/ckpgen/ckpgen/bench/build"
	"github.com/ckpgen/ckpgen/bench/sidebyside"
)

// kernels are the programs, and what they are.
var kernels = []struct{ name, what string }{
	{"queens", "n-queens, recursive, a checkpoint at each solution"},
	{"treesum", "sum over a binary tree, recursive, a checkpoint at each leaf"},
	{"tenlocals", "function with ten locals, called ten million times"},
	{"jacobi", "Jacobi iteration, a checkpoint an iteration"},
	{"matmul", "matrix multiplication, a checkpoint a row"},
}

// programs call no checkpoint function; they are measured with polls.
var programs = []struct{ name, what string }{
	{"nbody", "planets, nested loops over a few structs"},
	{"spectral", "spectral norm, nested counting loops with a call"},
	{"fannkuch", "permutations, short loops of no known length"},
	{"trees", "binary trees, recursion and garbage"},
	{"mandelbrot", "Mandelbrot set, three nested loops"},
	{"words", "words counted in a map, a closure called for each"},
	{"sorting", "quicksort and a heap"},
	{"colouring", "graph coloured in all ways, a literal that calls itself"},
}

var (
	rounds = flag.Int("rounds", 9, "times that each program is run")
	auto   = flag.Bool("auto", false, "build with polls")
)

func main() {
	flag.Parse()
	if err := measure(flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "overhead: %v\n", err)
		os.Exit(1)
	}
}

func measure(names []string) error {
	b, done, err := build.New("overhead")
	if err != nil {
		return err
	}
	defer done()
	bench, err := build.Bench()
	if err != nil {
		return err
	}
	selected := make(map[string]bool)
	for _, name := range names {
		selected[name] = true
	}
	table := sidebyside.Table{Head: []string{"program", "go build", "ckpgen build", "ratio", "processor time, ratio"}}
	var flags []string
	if *auto {
		flags = []string{"-auto"}
		kernels = append(kernels, programs...)
	}
	for _, k := range kernels {
		if len(names) > 0 && !selected[k.name] {
			continue
		}
		delete(selected, k.name)
		plain, instrumented, err := b.Compare(build.Program{Module: bench, Path: "./kernels/" + k.name, Name: k.name, Flags: flags}, *rounds)
		if err != nil {
			return err
		}
		p, i := sidebyside.Median(plain.Clock), sidebyside.Median(instrumented.Clock)
		cp, ci := sidebyside.Median(plain.Processor), sidebyside.Median(instrumented.Processor)
		table.Add(k.what, seconds(p), seconds(i), ratio(i, p), ratio(ci, cp))
	}
	for name := range selected {
		return fmt.Errorf("there is no kernel %s", name)
	}
	fmt.Printf("Whole programs, no checkpoints taken. Medians of %d interleaved rounds, each with another order of functions.\nMachine: %s.\n\n", *rounds, sidebyside.Machine())
	return table.Write(os.Stdout)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }

func ratio(a, b time.Duration) string { return fmt.Sprintf("%.3f", a.Seconds()/b.Seconds()) }
