package ckp

import "testing"

// Goroutines that come one after the other, but come, are waited for; few that don't are not.
func TestManyCome(t *testing.T) {
	for _, c := range []struct {
		before, now int
		want        bool
	}{
		{100000, 80000, true},
		{100000, 100000, false},
		{100000, 99000, false},
		{50, 1, false},
	} {
		if got := come(c.before, c.now); got != c.want {
			t.Errorf("of %d goroutines %d are still missing: waits for them %v, want %v", c.before, c.now, got, c.want)
		}
	}
}
