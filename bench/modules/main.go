// Modules counts what polls cost in libraries: the instructions of the benchmarks that public
// modules have of themselves, built by go test and by ckpgen test -auto, which has polls in all
// packages of the module.
//
//	go run ./modules [-most n] [module@version...]
//
// It is run in the directory bench, needs valgrind, downloads the modules, those that are named
// here if none is given (which takes seven minutes), and prints a table in Markdown. Of each
// package with benchmarks, three at most, it takes some, evenly among those that take 20 ns to 20
// ms.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ckpgen/ckpgen/bench/build"
	"github.com/ckpgen/ckpgen/bench/instructions"
	"github.com/ckpgen/ckpgen/bench/sidebyside"
)

var most = flag.Int("most", 3, "benchmarks of a package")

// modules are of many kinds, and need few others for their tests.
var modules = []string{
	"github.com/CloudyKit/jet/v6@v6.3.3",
	"github.com/Masterminds/semver/v3@v3.5.0",
	"github.com/Shopify/go-lua@v0.0.0-20250718183320-1e37f32ad7d0",
	"github.com/andybalholm/brotli@v1.2.0",
	"github.com/andybalholm/cascadia@v1.3.4",
	"github.com/aymanbagabas/go-udiff@v0.2.0",
	"github.com/blevesearch/segment@v0.9.1",
	"github.com/bmatcuk/doublestar/v4@v4.6.1",
	"github.com/casbin/govaluate@v1.3.0",
	"github.com/clipperhouse/displaywidth@v0.11.0",
	"github.com/coregx/ahocorasick@v0.3.1",
	"github.com/d5/tengo/v2@v2.17.0",
	"github.com/deckarep/golang-set/v2@v2.6.0",
}

func main() {
	flag.Parse()
	if err := measure(flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "modules: %v\n", err)
		os.Exit(1)
	}
}

// A benchmark of a module, and the instructions of one iteration.
type benchmark struct {
	module, name  string
	plain, polled float64
}

func (b benchmark) ratio() float64 { return b.polled / b.plain }

func measure(list []string) error {
	if len(list) == 0 {
		list = modules
	}
	if err := instructions.Look(); err != nil {
		return err
	}
	b, done, err := build.New("modules")
	if err != nil {
		return err
	}
	defer done()
	os.Setenv("GOFLAGS", "-mod=mod") // what their tests need is in no go.sum of ours
	var all []benchmark
	for _, module := range list {
		of, err := countModule(b, module)
		if err != nil {
			return fmt.Errorf("%s: %w", module, err)
		}
		all = append(all, of...)
	}
	if len(all) == 0 {
		return fmt.Errorf("these modules have no benchmarks of 20 ns to 20 ms")
	}
	return write(all)
}

// countModule downloads a module and counts the benchmarks of its packages.
func countModule(b *build.Builder, module string) (list []benchmark, err error) {
	dir, err := download(b.Dir(), module)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	packages, err := withBenchmarks(dir)
	if err != nil {
		return nil, err
	}
	for _, pkg := range packages[:min(3, len(packages))] {
		plain, err := b.PlainTest(pkg, "module")
		if err != nil {
			return nil, err
		}
		polled, err := b.InstrumentedTest(pkg, "module", "-auto")
		if err != nil {
			return nil, err
		}
		of, err := choose(pkg, plain)
		if err != nil {
			return nil, err
		}
		for _, c := range of {
			counted := benchmark{module: module, name: c.name}
			if counted.plain, err = c.perIteration(pkg, plain); err != nil {
				return nil, err
			}
			if counted.polled, err = c.perIteration(pkg, polled); err != nil {
				return nil, err
			}
			fmt.Fprintf(os.Stderr, "%s %s: %.0f, with polls %.0f\n", module, c.name, counted.plain, counted.polled)
			list = append(list, counted)
		}
	}
	return list, nil
}

// download copies the source of a module into a directory of its own below dir.
func download(dir, module string) (string, error) {
	c := exec.Command("go", "mod", "download", "-json", module)
	c.Dir = dir
	out, err := c.Output() // on failure, too, it tells why
	var source struct{ Dir, Error string }
	if err := json.Unmarshal(out, &source); err != nil {
		return "", fmt.Errorf("what go mod download tells: %w", err)
	}
	if err != nil {
		return "", fmt.Errorf("go mod download: %w: %s", err, source.Error)
	}
	to, err := os.MkdirTemp(dir, "module-")
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(to, os.DirFS(source.Dir)); err != nil {
		return "", err
	}
	// Those of the cache can't be written to.
	return to, filepath.WalkDir(to, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Chmod(name, 0o777)
		}
		return os.Chmod(name, 0o666)
	})
}

// withBenchmarks returns the directories of a module whose tests have benchmarks.
func withBenchmarks(dir string) (list []string, err error) {
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "vendor" || e.Name() == "testdata"):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, "_test.go") || slices.Contains(list, filepath.Dir(name)):
			return nil
		}
		text, err := os.ReadFile(name)
		if bytes.Contains(text, []byte("\nfunc Benchmark")) {
			list = append(list, filepath.Dir(name))
		}
		return err
	})
	return list, err
}

// A choice is a benchmark that is counted, with so many iterations.
type choice struct {
	name       string
	iterations int
}

var result = regexp.MustCompile(`(?m)^(Benchmark\S+)\s+\d+\s+([0-9.]+) ns/op`)

// choose returns some of the benchmarks of a binary, evenly.
func choose(dir, binary string) (list []choice, err error) {
	c := exec.Command(binary, "-test.run=^$", "-test.bench=.", "-test.benchtime=1ms", "-test.cpu=1", "-test.timeout=2m")
	c.Dir = dir
	out, err := c.Output()
	if err != nil && !bytes.Contains(out, []byte("ns/op")) {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, out)
	}
	for _, m := range result.FindAllSubmatch(out, -1) {
		if ns, err := strconv.ParseFloat(string(m[2]), 64); err == nil && ns > 20 && ns < 20e6 {
			list = append(list, choice{string(m[1]), max(2, int(3e6/ns))})
		}
	}
	if len(list) > *most {
		for i := range *most {
			list[i] = list[i*len(list) / *most]
		}
		list = list[:*most]
	}
	return list, nil
}

// perIteration counts the instructions of one iteration, by a run with some of them and one with
// twice as many. Both begin with as many collections (package testing makes one before it runs a
// benchmark, and once it has run one iteration, another one).
func (c choice) perIteration(dir, binary string) (float64, error) {
	var parts []string
	for part := range strings.SplitSeq(c.name, "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	var counts [2]int
	for i, iterations := range []int{c.iterations, 2 * c.iterations} {
		n, _, err := instructions.Count(dir, binary, "-test.run=^$", "-test.bench="+strings.Join(parts, "/"), "-test.cpu=1", fmt.Sprintf("-test.benchtime=%dx", iterations))
		if err != nil {
			return 0, err
		}
		counts[i] = n
	}
	return float64(counts[1]-counts[0]) / float64(c.iterations), nil
}

// write prints the table, the greatest ratio first.
func write(list []benchmark) error {
	slices.SortStableFunc(list, func(a, b benchmark) int { return cmp.Compare(b.ratio(), a.ratio()) })
	table := sidebyside.Table{Head: []string{"module", "benchmark", "instructions", "with polls, ratio"}}
	within := 0
	for _, b := range list {
		table.Add(b.module, b.name, fmt.Sprintf("%.0f", b.plain), fmt.Sprintf("%.3f", b.ratio()))
		if b.ratio() <= 1.05 {
			within++
		}
	}
	fmt.Printf("Instructions of an iteration, go test and ckpgen test -auto. Median of %d ratios: %.3f; %d are at most 1.05.\nMachine: %s.\n\n", len(list), list[len(list)/2].ratio(), within, sidebyside.Machine())
	return table.Write(os.Stdout)
}
