package main

import (
	"runtime"
	"testing"
)

// The same graphs, smaller, as benchmarks: for profiles, and to see that they run.
func benchmarks() []subject {
	return []subject{
		floats(1_000_000), trees("tree", 100_000, func() *Node { return tree(0, 100_000) }),
		trees("scattered tree", 100_000, func() *Node { return scattered(100_000) }),
		maps(100_000), pointers(100_000), list(1_000_000), texts(100_000), interpreter(100_000),
	}
}

func waysOf(s subject) []way {
	if s.plain {
		return []way{heapWay, gobWay, cborWay}
	}
	return []way{heapWay}
}

func BenchmarkCapture(b *testing.B) {
	for _, s := range benchmarks() {
		for _, w := range waysOf(s) {
			b.Run(s.name+"/"+w.name, func(b *testing.B) {
				v := s.build()
				b.ReportAllocs()
				for b.Loop() {
					if _, err := w.save(v); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.objects), "ns/"+s.what)
				runtime.KeepAlive(v)
			})
		}
	}
}

func BenchmarkRebuild(b *testing.B) {
	for _, s := range benchmarks() {
		for _, w := range waysOf(s) {
			b.Run(s.name+"/"+w.name, func(b *testing.B) {
				v := s.build()
				saved, err := w.save(v)
				if err != nil {
					b.Fatal(err)
				}
				data, err := written(saved)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					back := s.empty()
					if err := w.load(data, back); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(data))/float64(s.objects), "bytes/"+s.what)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.objects), "ns/"+s.what)
			})
		}
	}
}

// TestCopies makes sure that what is measured works.
func TestCopies(t *testing.T) {
	for _, s := range benchmarks() {
		v := s.build()
		for _, w := range waysOf(s) {
			saved, err := w.save(v)
			if err != nil {
				t.Fatal(s.name, w.name, err)
			}
			data, err := written(saved)
			if err != nil {
				t.Fatal(s.name, w.name, err)
			}
			back := s.empty()
			if err := w.load(data, back); err != nil {
				t.Fatal(s.name, w.name, err)
			}
			if !s.same(v, back) {
				t.Errorf("%s by %s: the copy is not the same", s.name, w.name)
			}
		}
	}
}
