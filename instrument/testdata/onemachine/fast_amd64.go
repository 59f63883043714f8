package main

func vectors(n int) int { return same(n) * 3 }

func fast(n int) int { return vectors(n) }

// counter returns a function that counts.
func counter(n int) func() int {
	return func() int {
		n++
		return same(n)
	}
}
