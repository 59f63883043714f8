package main

import (
	"fmt"
	"math"
	"slices"
)

// A criterion says how two sequences are compared.
type criterion string

const (
	editDistance    criterion = "edit"   // the least number of insertions, deletions and substitutions
	commonLength    criterion = "lcs"    // the length of the longest common subsequence
	globalAlignment criterion = "global" // the score of the best alignment of the whole sequences
	localAlignment  criterion = "local"  // the score of the best alignment of any parts of them
)

// parseCriterion finds a criterion by its name.
func parseCriterion(name string) (criterion, error) {
	all := []criterion{editDistance, commonLength, globalAlignment, localAlignment}
	if c := criterion(name); slices.Contains(all, c) {
		return c, nil
	}
	return "", fmt.Errorf("score %q is none of %s, %s, %s, %s", name, all[0], all[1], all[2], all[3])
}

// gaps are the penalties of a criterion where the user gives none: those of EMBOSS, of stretcher
// for global and of water for local.
func (c criterion) gaps() (open, extend penalty) {
	switch c {
	case globalAlignment:
		return 16 * unit, 4 * unit
	case localAlignment:
		return 10 * unit, unit / 2
	}
	return 0, 0
}

// aligns says whether the criterion has penalties at all.
func (c criterion) aligns() bool { return c == globalAlignment || c == localAlignment }

// planes is the number of values that pass from band to band for each column.
func (c criterion) planes() int {
	if c.aligns() {
		return 2
	}
	return 1
}

// cellsPerBlock is how many cells are a block of about a tenth of a second.
func (c criterion) cellsPerBlock() int {
	if c.aligns() {
		return 80_000_000
	}
	return min(4_000_000_000, math.MaxInt)
}

// kernel is the one that computes the band whose first row is the given one of all.
func (c criterion) kernel(s *scoring, band []byte, first int) kernel {
	switch c {
	case editDistance:
		return newEdit(band)
	case commonLength:
		return newLCS(band)
	case globalAlignment:
		return newGlobal(s, band, first)
	default:
		return newLocal(s, band)
	}
}

// value puts together what the bands contribute, and writes it in its shortest form.
func (c criterion) value(s *scoring, columns int, parts []int64) string {
	value, scale := int64(0), int64(1)
	switch c {
	case editDistance:
		value = int64(columns)
	case globalAlignment:
		value, scale = int64(s.gap(columns)), s.scale
	case localAlignment:
		scale = s.scale
	}
	for _, part := range parts {
		if c == localAlignment {
			value = max(value, part)
		} else {
			value += part
		}
	}
	return decimal(value, scale)
}
