// Markov computes the states of a Markov chain: 100 vectors, each the one before times a matrix of
// transitions, and takes a checkpoint after each vector. It is the experiment of V. Ha and É.
// Renault, "Discontinuous Incremental: A New Approach Towards Extremely Lightweight Checkpoints"
// (2011).
//
// Nearly all of its memory is the matrix, which never changes after it was filled. With increments
// that is found out, and a checkpoint has the vector that was computed, and little else:
//
//	ckpgen run --dir job --interval 0 --increments 100 ./examples/markov -n 3320
//
// (and smaller still with --compress zstd).
//
// Nothing in the program says so. It could do without the import as well: in place of the call of
// ckp.Checkpoint, and with no flag --interval, the line
//
//	//ckp:save vector
//
// takes a checkpoint there, and is a comment for go build. Were there a part that writes to all of
// a large array, the lines //ckp:stop and //ckp:start before and after it would keep that from
// being tracked.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	_ "github.com/ckpgen/ckpgen/runtime/ckp/zstd" // for CKP_COMPRESS
)

func main() {
	n := flag.Int("n", 3320, "states of the chain")
	steps := flag.Int("vectors", 100, "vectors to compute")
	flag.Parse()
	if *n < 1 || *steps < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "markov: -n and -vectors are at least 1, and there are no other arguments")
		os.Exit(2)
	}
	c := newChain(*n, *steps)
	for step := range *steps {
		c.step(step)
		ckp.Checkpoint()
	}
	last := c.vector(*steps)
	sum := 0.0
	for _, x := range last {
		sum += float64(x)
	}
	fmt.Printf("%d states, %d vectors: the first state has %.9g of %.6f\n", *n, *steps, last[0], sum)
}

// A chain is a matrix of transitions and the vectors so far.
type chain struct {
	n       int
	matrix  []float32 // n rows of n: row i has the probabilities of all states after state i
	vectors []float32 // one after the other
}

// newChain makes a chain that begins in its first state.
func newChain(n, steps int) *chain {
	c := &chain{n: n, matrix: make([]float32, n*n), vectors: make([]float32, (steps+1)*n)}
	seed := uint32(2011)
	for i := range n {
		row := c.matrix[i*n : (i+1)*n]
		sum := float32(0)
		for j := range row {
			seed = seed*1664525 + 1013904223
			row[j] = float32(seed>>8) / (1 << 24)
			sum += row[j]
		}
		for j := range row {
			row[j] /= sum
		}
	}
	c.vectors[0] = 1
	return c
}

func (c *chain) vector(i int) []float32 { return c.vectors[i*c.n : (i+1)*c.n] }

// step computes the vector after the given one.
func (c *chain) step(i int) {
	now, next := c.vector(i), c.vector(i+1)
	for i, p := range now {
		row := c.matrix[i*c.n : (i+1)*c.n]
		for j := range next {
			next[j] += p * row[j]
		}
	}
}
