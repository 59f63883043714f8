package main

import "slices"

// middle is the median of whole numbers, the lower one of two.
func middle[T int | int64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}
