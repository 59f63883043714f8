package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// encode is the sequence of a string of letters.
func encode(text string) []byte {
	seq := make([]byte, len(text))
	for i := range text {
		seq[i] = codeOf[text[i]]
	}
	return seq
}

// mustScore prepares the scores for two sequences.
func mustScore(t testing.TB, open, extend penalty, a, b []byte) *scoring {
	t.Helper()
	s, err := newScoring(open, extend, len(a), len(b))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sequential compares two sequences with the bands and blocks of a parallel run, in one loop.
func sequential(c criterion, s *scoring, a, b []byte, processes, width int) string {
	p := partition{rows: len(a), columns: len(b), width: width, processes: processes}
	kernels := make([]kernel, processes)
	for i := range kernels {
		first, end := p.rowsOf(i)
		kernels[i] = c.kernel(s, a[first:end], first)
	}
	for block := range p.blocks() {
		first, end := p.columnsOf(block)
		border := make([]int32, c.planes()*(end-first))
		kernels[0].top(first, border)
		for _, k := range kernels {
			k.block(b[first:end], border)
		}
	}
	parts := make([]int64, processes)
	for i, k := range kernels {
		parts[i] = k.part()
	}
	return c.value(s, len(b), parts)
}

// naive compares two sequences by the definition of the criterion, cell by cell.
func naive(c criterion, s *scoring, a, b []byte) string {
	switch c {
	case editDistance:
		d := make([][]int64, len(a)+1)
		for i := range d {
			d[i] = make([]int64, len(b)+1)
			for j := range d[i] {
				switch {
				case i == 0:
					d[i][j] = int64(j)
				case j == 0:
					d[i][j] = int64(i)
				case a[i-1] == b[j-1]:
					d[i][j] = d[i-1][j-1]
				default:
					d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
				}
			}
		}
		return decimal(d[len(a)][len(b)], 1)
	case commonLength:
		l := make([][]int64, len(a)+1)
		for i := range l {
			l[i] = make([]int64, len(b)+1)
			for j := range l[i] {
				switch {
				case i == 0 || j == 0:
				case a[i-1] == b[j-1]:
					l[i][j] = l[i-1][j-1] + 1
				default:
					l[i][j] = max(l[i-1][j], l[i][j-1])
				}
			}
		}
		return decimal(l[len(a)][len(b)], 1)
	}

	// Alignments: H by the maximum over gaps of all lengths, in any order (Needleman and Wunsch).
	local := c == localAlignment
	h := make([][]int64, len(a)+1)
	best := int64(0)
	for i := range h {
		h[i] = make([]int64, len(b)+1)
		for j := range h[i] {
			if i == 0 && j == 0 {
				continue
			}
			v := int64(-1 << 40)
			if local {
				v = 0
			}
			if i > 0 && j > 0 {
				v = max(v, h[i-1][j-1]+int64(s.score[a[i-1]][b[j-1]]))
			}
			for g := 1; g <= i; g++ {
				v = max(v, h[i-g][j]+int64(s.gap(g)))
			}
			for g := 1; g <= j; g++ {
				v = max(v, h[i][j-g]+int64(s.gap(g)))
			}
			h[i][j] = v
			best = max(best, v)
		}
	}
	if local {
		return decimal(best, s.scale)
	}
	return decimal(h[len(a)][len(b)], s.scale)
}

var allCriteria = []criterion{editDistance, commonLength, globalAlignment, localAlignment}

// Every kernel gives what the definition gives, whatever the sequences, bands and blocks.
func TestKernelsAgainstDefinition(t *testing.T) {
	for _, c := range allCriteria {
		t.Run(string(c), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				// Long ones have several strips of words; repeats give long carries.
				draw := func(label string, longest int) []byte {
					unit := rapid.SliceOfN(rapid.ByteRange(0, codes-1), 0, 6).Draw(t, label+" unit")
					seed := rapid.Uint64().Draw(t, label+" seed")
					length := rapid.IntRange(0, longest).Draw(t, label+" length")
					change := rapid.SampledFrom([]float64{0, 0.05, 0.3, 1}).Draw(t, label+" change")
					rng := rand.New(rand.NewPCG(seed, 0))
					seq := make([]byte, length)
					for i := range seq {
						if len(unit) > 0 && rng.Float64() >= change {
							seq[i] = unit[i%len(unit)]
						} else {
							seq[i] = byte(rng.IntN(4))
						}
					}
					return seq
				}
				longest := 700
				if c.aligns() {
					longest = 150 // the definition is cubic
				}
				a, b := draw("a", longest), draw("b", longest/3)
				open, extend := c.gaps()
				if c.aligns() && rapid.Bool().Draw(t, "other penalties") {
					extend = penalty(rapid.IntRange(0, 6).Draw(t, "extend")) * unit / 2
					open = extend + penalty(rapid.IntRange(0, 30).Draw(t, "open"))*unit/2
				}
				s, err := newScoring(open, extend, len(a), len(b))
				if err != nil {
					t.Fatal(err)
				}
				processes := rapid.IntRange(1, 9).Draw(t, "processes")
				width := rapid.IntRange(1, 80).Draw(t, "width")
				if got, want := sequential(c, s, a, b, processes, width), naive(c, s, a, b); got != want {
					t.Fatalf("%s, but %s by definition", got, want)
				}
			})
		})
	}
}

// Sequences of no letters and of one, and fewer letters than processes.
func TestKernelsOnShortSequences(t *testing.T) {
	for _, c := range allCriteria {
		for _, pair := range [][2]string{{"", ""}, {"A", ""}, {"", "A"}, {"A", "A"}, {"A", "C"}, {"ACG", ""}, {"", "ACG"}, {"AC", "GACT"}, {"n", "N"}} {
			a, b := encode(pair[0]), encode(pair[1])
			s := mustScore(t, 10*unit, unit/2, a, b)
			for _, processes := range []int{1, 2, 3, 4, 7} {
				if got, want := sequential(c, s, a, b, processes, 2), naive(c, s, a, b); got != want {
					t.Errorf("%s of %q with %d processes: %s, but %s by definition", c, pair, processes, got, want)
				}
			}
		}
	}
}

// The border hands carries over bands exactly: a carry that runs through everything.
func TestLongCarry(t *testing.T) {
	a := encode(strings.Repeat("A", 64*9))
	b := encode(strings.Repeat("A", 64*9+5))
	s := mustScore(t, 0, 0, a, b)
	for _, processes := range []int{1, 2, 3, 4, 7, 9} {
		if got := sequential(commonLength, s, a, b, processes, 7); got != "576" {
			t.Errorf("lcs with %d processes: %s", processes, got)
		}
		if got := sequential(editDistance, s, a, b, processes, 7); got != "5" {
			t.Errorf("edit with %d processes: %s", processes, got)
		}
	}
}

// The rate of each kernel in the middle of a genome.
func BenchmarkKernel(bench *testing.B) {
	for _, c := range allCriteria {
		bench.Run(string(c), func(bench *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			rows, columns := 64*1024, 8192
			if c.aligns() {
				rows, columns = 8192, 1024
			}
			a, b := make([]byte, rows), make([]byte, columns)
			for i := range a {
				a[i] = byte(rng.IntN(4))
			}
			for i := range b {
				b[i] = byte(rng.IntN(4))
			}
			s := mustScore(bench, 16*unit, 4*unit, a, b)
			k := c.kernel(s, a, 0)
			border := make([]int32, c.planes()*columns)
			for bench.Loop() {
				k.top(0, border)
				k.block(b, border)
			}
			cells := float64(rows) * float64(columns) * float64(bench.N)
			bench.ReportMetric(cells/bench.Elapsed().Seconds()/1e9, "Gcells/s")
		})
	}
}
