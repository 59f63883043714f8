// Heap measures how fast package heap captures and rebuilds graphs of objects, beside what else Go
// has for that: encoding/gob and cbor, which keep no identity, and a plain copy of memory for flat
// data.
//
//	go run ./heap [-rounds 5] [-cases REGEXP]
//	go run ./heap -grow [-most 100000000]
//
// It is run in the directory bench, and prints tables in Markdown. With -grow it measures trees of
// growing size; the largest needs some 10 GB of memory. Capture is the time that a program stands
// still; rebuild begins with the bytes of the image and ends with the graph. Times are those of the
// processors, garbage collection included: other work on the machine makes those of the clock
// longer.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/bench/sidebyside"
)

var (
	rounds = flag.Int("rounds", 5, "times that each operation is run")
	cases  = flag.String("cases", "", "measure only the cases whose names match")
	grow   = flag.Bool("grow", false, "measure trees of growing size instead")
	most   = flag.Int("most", 100_000_000, "objects of the largest tree of -grow")
)

func subjects() []subject {
	return []subject{
		floats(12_500_000),
		floats(125_000_000),
		trees("tree", 1_000_000, func() *Node { return tree(0, 1_000_000) }),
		trees("scattered tree", 1_000_000, func() *Node { return scattered(1_000_000) }),
		maps(1_000_000),
		pointers(1_000_000),
		list(10_000_000),
		texts(1_000_000),
		interpreter(1_000_000),
	}
}

func main() {
	flag.Parse()
	run := tables
	if *grow {
		run = growth
	}
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "heap: %v\n", err)
		os.Exit(1)
	}
}

func tables() error {
	only, err := regexp.Compile(*cases)
	if err != nil {
		return err
	}
	heading := "Medians of %d interleaved rounds. Machine: %s; load when begun: %s.\n\n"
	fmt.Printf(heading, *rounds, sidebyside.Machine(), load())
	head := []string{"ns of processor", "ns on the clock", "MB/s", "bytes", "allocs", "peak, bytes"}
	table := sidebyside.Table{Head: append([]string{"case, by the"}, head...)}
	for _, s := range subjects() {
		if !only.MatchString(s.name) {
			continue
		}
		if err := one(s, &table); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return table.Write(os.Stdout)
}

// A result is what a way did with a subject.
type result struct {
	way        way
	save, load []cost
	size       int
}

func one(s subject, table *sidebyside.Table) error {
	v := s.build()
	ways := []way{heapWay}
	if s.plain {
		ways = append(ways, gobWay, cborWay)
	}
	if s.bytes > 0 {
		ways = append(ways, copyWay, warmWay())
	}
	results := make([]result, len(ways))
	order := make([]int, len(ways))
	for i := range ways {
		results[i].way, order[i] = ways[i], i
	}
	for round := range *rounds {
		rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			if err := results[i].round(s, v); err != nil {
				return fmt.Errorf("%s: %w", ways[i].name, err)
			}
			fmt.Fprintf(os.Stderr, "round %d of %d: %s, %s\n", round+1, *rounds, s.name, ways[i].name)
		}
	}
	runtime.KeepAlive(v)
	for _, r := range results {
		table.Add(s.row(r.way.name+" out", r.save, results[0].save, r.size)...)
	}
	for _, r := range results {
		if r.way.load != nil {
			table.Add(s.row(r.way.name+" in", r.load, results[0].load, r.size)...)
		}
	}
	return nil
}

func (r *result) round(s subject, v any) error {
	var copied saved
	c, err := measure(func() (err error) { copied, err = r.way.save(v); return })
	if err != nil {
		return err
	}
	r.save = append(r.save, c)
	if r.way.load == nil {
		return nil
	}
	b, err := written(copied)
	if err != nil {
		return err
	}
	copied, r.size = nil, len(b)
	back := s.empty()
	c, err = measure(func() error { return r.way.load(b, back) })
	if err != nil {
		return err
	}
	r.load = append(r.load, c)
	if !s.same(v, back) {
		return fmt.Errorf("the copy is not the same")
	}
	return nil
}

// row tells what one way cost, and how many times as much as package heap.
func (s subject) row(what string, costs, ours []cost, size int) []string {
	each := func(n float64) string { return fmt.Sprintf("%.1f", n/float64(s.objects)) }
	p, t := median(costs, processor), median(costs, clock)
	cells := []string{s.name + ", " + s.what + ": " + what, each(p) + times(p, median(ours, processor)), each(t) + times(t, median(ours, clock)), "", "", "", ""}
	if s.bytes > 0 {
		cells[1], cells[2] = fmt.Sprintf("%.2f", p/float64(s.objects))+times(p, median(ours, processor)), fmt.Sprintf("%.2f", t/float64(s.objects))+times(t, median(ours, clock))
	}
	if bytes := max(s.bytes, size); bytes > 0 {
		cells[3] = fmt.Sprintf("%.0f", float64(bytes)/1e6/(t/1e9))
	}
	if size > 0 {
		cells[4] = each(float64(size))
	}
	cells[5] = fmt.Sprintf("%.3g", median(costs, func(c cost) float64 { return float64(c.allocs) }))
	cells[6] = each(median(costs, func(c cost) float64 { return float64(c.peak) }))
	return cells
}

func times(a, b float64) string {
	if a == b || b == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.2fx)", a/b)
}

func processor(c cost) float64 { return float64(c.processor) }
func clock(c cost) float64     { return float64(c.clock) }

func median(costs []cost, of func(cost) float64) float64 {
	var all []float64
	for _, c := range costs {
		all = append(all, of(c))
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)/2]
}

// growth measures trees of growing size. Half of the objects are nodes, half are strings.
func growth() error {
	fmt.Printf("Medians of up to 9 rounds, one from 1000000 objects on; a # is 10 ns. Machine: %s; load when begun: %s.\n\n", sidebyside.Machine(), load())
	table := sidebyside.Table{Head: []string{"objects", "capture, ns an object", "", "rebuild, ns an object", "", "image, bytes an object", "peak of the capture, bytes an object"}}
	for size := 1000; size <= *most; size *= 10 {
		for _, n := range []int{size, 3 * size} {
			if n > *most {
				break
			}
			s := trees("tree", n/2, func() *Node { return tree(0, n/2) })
			v := s.build()
			r := result{way: heapWay}
			again := max(1, min(9, 1_000_000/n))
			for range again {
				if err := r.round(s, v); err != nil {
					return err
				}
			}
			runtime.KeepAlive(v)
			each := func(x float64) string { return fmt.Sprintf("%.1f", x/float64(n)) }
			bar := func(x float64) string { return strings.Repeat("#", min(40, int(x/float64(n)/10+0.5))) }
			save, load := median(r.save, processor), median(r.load, processor)
			table.Add(fmt.Sprint(n), each(save), bar(save), each(load), bar(load), each(float64(r.size)),
				each(median(r.save, func(c cost) float64 { return float64(c.peak) })))
			fmt.Fprintf(os.Stderr, "%d objects: %v\n", n, time.Duration(median(r.save, clock)))
		}
	}
	return table.Write(os.Stdout)
}
