package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// penalty is what a residue of a gap costs, in thousandths.
type penalty int64

const unit penalty = 1000

// parsePenalty reads a decimal number of at most three decimals.
func parsePenalty(text string) (penalty, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > 3 {
		return 0, fmt.Errorf("penalty %q: at most 3 decimals", text)
	}
	digits := whole + fraction + "000"[len(fraction):]
	value, err := strconv.ParseUint(digits, 10, 40)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("penalty %q is too large", text)
	case err != nil || whole+fraction == "":
		return 0, fmt.Errorf("penalty %q is not a number from 0 on, like 16 or 0.5", text)
	}
	return penalty(value), nil
}

// String is the shortest form, as in the arguments.
func (p penalty) String() string { return decimal(int64(p), int64(unit)) }

// decimal writes value/scale in its shortest form. The scale divides 1000.
func decimal(value, scale int64) string {
	thousandths := value * (int64(unit) / scale)
	sign := ""
	if thousandths < 0 {
		sign, thousandths = "-", -thousandths
	}
	text := fmt.Sprintf("%s%d.%03d", sign, thousandths/int64(unit), thousandths%int64(unit))
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// scoring is an alignment's scores as integers: all of them times scale, the least factor that
// makes the penalties whole.
type scoring struct {
	scale        int64
	open, extend int32
	score        [codes][codes]int32
}

// worst stands for a score that cannot be: lower than all that can, and so far from the end of the
// range that a penalty can still be taken from it.
const worst = math.MinInt32 / 2

// newScoring prepares the scores for sequences of these lengths. A 32-bit cell must hold whatever
// can occur: a penalty that could exceed it is an error.
func newScoring(open, extend penalty, rows, columns int) (*scoring, error) {
	if extend > open {
		return nil, fmt.Errorf("gap-extend %v exceeds gap-open %v", extend, open)
	}
	common := gcd(gcd(unit, open), extend)
	scale := int64(unit / common)

	// A path through the matrix has at most rows+columns steps, each of which changes the score by
	// at most a match or an extended gap; twice a gap may be opened besides, and once more in E and
	// F. The cells of global are shifted up, by an extended gap for each step.
	steps := float64(rows) + float64(columns)
	reach := (5*float64(scale)+2*float64(extend/common))*(steps+1) + 3*float64(open/common)
	if reach >= -worst {
		return nil, fmt.Errorf("sequences of %d and %d letters with gap-open %v and gap-extend %v: the scores can exceed 32-bit cells", rows, columns, open, extend)
	}

	s := &scoring{scale: scale, open: int32(open / common), extend: int32(extend / common)}
	for a := range codes {
		for b := range codes {
			s.score[a][b] = int32(scale) * int32(ednafull[a][b])
		}
	}
	return s, nil
}

func gcd(a, b penalty) penalty {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// gap is the score of a gap of this length.
func (s *scoring) gap(length int) int32 {
	if length == 0 {
		return 0
	}
	return -(s.open + int32(length-1)*s.extend)
}
