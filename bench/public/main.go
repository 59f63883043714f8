// Public measures what polls cost in programs of public modules, which know nothing of checkpoints:
// each of them built by go build and by ckpgen build -auto=all, run without checkpoints. With
// -measured it is first measured on the same input where they should poll.
//
//	go run ./public [-rounds 7] [-measured]
//
// It is run in the directory bench, downloads the modules that instrument/testdata/public names,
// and prints a table in Markdown.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ckpgen/ckpgen/bench/build"
	"github.com/ckpgen/ckpgen/bench/sidebyside"
)

var (
	rounds   = flag.Int("rounds", 7, "times that each program is run")
	measured = flag.Bool("measured", false, "polls at the places that ckpgen measure finds")
)

// programs are the programs, what they do, and what makes their input.
var programs = []struct {
	path, what string
	args       []string // the last is a file
	input      func(root string) ([]byte, error)
}{
	{"github.com/d5/tengo/v2/cmd/tengo", "interpreter of Tengo, recursive Fibonacci numbers", []string{"fib.tengo"}, fibonacci},
	{"github.com/crillab/gophersat", "satisfiability of 190 variables in clauses of three", []string{"random.cnf"}, clauses},
	{"github.com/ulikunitz/xz/cmd/gxz", "compressor, 8 MB of Go source", []string{"-k", "-c", "source.txt"}, source},
	{"./lua", "interpreter of Lua, recursive Fibonacci numbers and a sort", []string{"work.lua"}, lua},
	{"./starlark", "interpreter of Starlark, ten queens", []string{"queens.star"}, queens},
	{"./markdown", "Markdown to HTML, 3 MB", []string{"document.md"}, document},
}

func main() {
	flag.Parse()
	if err := measure(); err != nil {
		fmt.Fprintf(os.Stderr, "public: %v\n", err)
		os.Exit(1)
	}
}

func measure() error {
	b, done, err := build.New("public")
	if err != nil {
		return err
	}
	defer done()
	root, err := build.Root()
	if err != nil {
		return err
	}
	module := filepath.Join(b.Dir(), "module") // a copy: go build may add to go.sum
	if err := os.CopyFS(module, os.DirFS(filepath.Join(root, "instrument", "testdata", "public"))); err != nil {
		return err
	}
	table := sidebyside.Table{Head: []string{"program", "go build", "ckpgen build", "processor time, ratio"}}
	for _, p := range programs {
		name := filepath.Base(p.path)
		input, err := p.input(root)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(b.Dir(), p.args[len(p.args)-1]), input, 0o666); err != nil {
			return err
		}
		auto := "-auto=all"
		if *measured {
			args := slices.Clone(p.args)
			args[len(args)-1] = filepath.Join(b.Dir(), args[len(args)-1])
			file, err := b.Measured(module, p.path, name, args...)
			if err != nil {
				return err
			}
			auto = "-auto=@" + file
		}
		plain, instrumented, err := b.Compare(build.Program{Module: module, Path: p.path, Name: name, Flags: []string{auto}, Args: p.args}, *rounds)
		if err != nil {
			return err
		}
		was, is := sidebyside.Median(plain.Processor), sidebyside.Median(instrumented.Processor)
		table.Add(p.what, seconds(was), seconds(is), fmt.Sprintf("%.3f", is.Seconds()/was.Seconds()))
	}
	fmt.Printf("Whole programs, no checkpoints taken. Medians of the processor time of %d interleaved rounds, each with another order of functions.\nMachine: %s.\n\n", *rounds, sidebyside.Machine())
	return table.Write(os.Stdout)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }

func fibonacci(string) ([]byte, error) {
	return []byte("fib := func(n) { return n < 2 ? n : fib(n-1) + fib(n-2) }\nfib(34)\n"), nil
}

// clauses returns clauses at the density at which they are hardest to satisfy, 4.26 for each
// variable.
func clauses(string) ([]byte, error) {
	const variables, number = 190, 809
	random := rand.New(rand.NewPCG(5, 0))
	var out bytes.Buffer
	fmt.Fprintf(&out, "p cnf %d %d\n", variables, number)
	for range number {
		for _, v := range random.Perm(variables)[:3] {
			fmt.Fprintf(&out, "%d ", (v+1)*(1-2*random.IntN(2)))
		}
		out.WriteString("0\n")
	}
	return out.Bytes(), nil
}

func lua(string) ([]byte, error) {
	return []byte(`local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end
print(fib(29))
local t, x = {}, 1
for i = 1, 200000 do x = x * 16807 % 2147483647; t[i] = x end
table.sort(t, function(a, b) return a > b end)
print(t[1], t[#t])
`), nil
}

func queens(string) ([]byte, error) {
	return []byte(`def place(n, row, columns):
    return len([c for c in range(n) if free(c, row, columns)]) if row == n - 1 else 0
def free(c, row, columns):
    for r in range(row):
        if columns[r] == c or abs(columns[r] - c) == row - r:
            return False
    return True
def main(n):
    found, stack = 0, [[]]
    for _ in range(1000000):
        if not stack:
            break
        p = stack.pop()
        if len(p) == n - 1:
            found += place(n, n - 1, p)
            continue
        for c in range(n):
            if free(c, len(p), p):
                stack.append(p + [c])
    print(found)
main(10)
`), nil
}

// document returns the beginning of ckpgen's own documents; the program repeats what it reads.
func document(root string) ([]byte, error) {
	all, err := texts(root, "docs/*.md")
	return all[:min(len(all), 100<<10)], err
}

// source returns the source of ckpgen, several times.
func source(root string) ([]byte, error) {
	all, err := texts(root, "*/*.go", "*/*/*.go")
	if err != nil {
		return nil, err
	}
	return bytes.Repeat(all, 8<<20/len(all)+1), nil
}

// texts returns the files that the patterns match, one after the other.
func texts(root string, patterns ...string) (all []byte, err error) {
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			all = append(all, text...)
		}
	}
	return all, nil
}
