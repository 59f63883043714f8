// Package limit has a limit that its own function changes.
package limit

var N = 1 << 21

// Lower makes the limit smaller.
func Lower() { N -= 2 }
