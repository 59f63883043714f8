package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
)

// input is a pair to compare.
type input struct {
	a, b sequence
}

//go:embed humanMito.fa
var humanMito string

//go:embed mouseMito.fa
var mouseMito string

// input gets a pair: from the files, from random numbers, or else the one that comes with the
// program. It makes sure that its scores can be computed.
func (o *options) input(pair int) (in *input, err error) {
	in = new(input)
	switch {
	case o.random >= 0:
		in.a, in.b = o.randomPair(pair)
	case len(o.files) > 0:
		if in.a, err = readFASTA(o.files[0]); err != nil {
			return nil, err
		}
		if in.b, err = readFASTA(o.files[1]); err != nil {
			return nil, err
		}
	default:
		if in.a, err = parseFASTA("humanMito.fa", strings.NewReader(humanMito)); err != nil {
			return nil, err
		}
		if in.b, err = parseFASTA("mouseMito.fa", strings.NewReader(mouseMito)); err != nil {
			return nil, err
		}
	}
	if _, err := newScoring(o.open, o.extend, len(in.a.seq), len(in.b.seq)); err != nil {
		return nil, fmt.Errorf("%s and %s: %w", in.a.id, in.b.id, err)
	}
	return in, nil
}

// randomPair makes the pair with this number: the same for the same seed and length.
func (o *options) randomPair(pair int) (a, b sequence) {
	const bases = 4 // the first codes
	rng := rand.New(rand.NewPCG(o.seed, uint64(pair)))
	draw := func(name string) sequence {
		s := sequence{id: fmt.Sprintf("random%d%s", pair+1, name), seq: make([]byte, o.random)}
		for i := range s.seq {
			s.seq[i] = byte(rng.IntN(bases))
		}
		return s
	}
	return draw("a"), draw("b")
}
