package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// options are what the command line asks for.
type options struct {
	criterion    criterion
	open, extend penalty
	width        int      // of blocks; 0 is a good one
	files        []string // two, or none
	random       int      // length of random sequences; -1 for none
	pairs        int
	seed         uint64
}

const usage = `usage: seqsim [flags] [A.fa B.fa]
       seqsim [flags] -random LENGTH [-pairs K] [-seed S]
Compares two nucleotide sequences; without files the mitochondria of man and mouse.
  -score CRITERION    edit (default), lcs, global or local
  -gap-open X         penalty of the first residue of a gap (global 16, local 10)
  -gap-extend X       penalty of each further one (global 4, local 0.5)
  -block W            columns computed in a superstep
  -random LENGTH      compare random sequences of this length
  -pairs K            as many pairs (1)
  -seed S             of the random numbers (1)`

// parseOptions reads the command line. The error is flag.ErrHelp if that asks for help.
func parseOptions(args []string) (*options, error) {
	o := new(options)
	flags := flag.NewFlagSet("seqsim", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	score := flags.String("score", "edit", "")
	open := flags.String("gap-open", "", "")
	extend := flags.String("gap-extend", "", "")
	flags.IntVar(&o.width, "block", 0, "")
	flags.IntVar(&o.random, "random", -1, "")
	flags.IntVar(&o.pairs, "pairs", 1, "")
	flags.Uint64Var(&o.seed, "seed", 1, "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, usage)
	}
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	o.files = flags.Args()

	var err error
	if o.criterion, err = parseCriterion(*score); err != nil {
		return nil, err
	}
	if err := o.parseGaps(*open, *extend); err != nil {
		return nil, err
	}
	switch {
	case o.width < 0 || given["block"] && o.width == 0:
		return nil, fmt.Errorf("-block %d: a block has at least 1 column", o.width)
	case o.random < 0 && given["random"]:
		return nil, fmt.Errorf("-random %d: a length is at least 0", o.random)
	case o.pairs < 1:
		return nil, fmt.Errorf("-pairs %d: at least 1", o.pairs)
	case o.random < 0 && (given["pairs"] || given["seed"]):
		return nil, errors.New("-pairs and -seed are for -random")
	case o.random >= 0 && len(o.files) > 0:
		return nil, errors.New("either -random or files")
	case len(o.files) != 0 && len(o.files) != 2:
		return nil, fmt.Errorf("%d files, but a comparison takes 2 (flags come first): %s\n%s", len(o.files), strings.Join(o.files, " "), usage)
	}
	return o, nil
}

// parseGaps reads the penalties, empty where not given.
func (o *options) parseGaps(open, extend string) (err error) {
	if !o.criterion.aligns() && open+extend != "" {
		return fmt.Errorf("-gap-open and -gap-extend are for global and local, the score is %s", o.criterion)
	}
	o.open, o.extend = o.criterion.gaps()
	if open != "" {
		if o.open, err = parsePenalty(open); err != nil {
			return fmt.Errorf("-gap-open: %w", err)
		}
	}
	if extend != "" {
		if o.extend, err = parsePenalty(extend); err != nil {
			return fmt.Errorf("-gap-extend: %w", err)
		}
	}
	if o.extend > o.open {
		return fmt.Errorf("-gap-extend %v exceeds -gap-open %v: a gap must not become cheaper by being opened anew", o.extend, o.open)
	}
	return nil
}
