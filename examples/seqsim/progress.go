package main

import (
	"fmt"
	"os"
	"time"

	"github.com/ckpgen/ckpgen/bsp"
)

// progress is a line on a terminal that says how far a comparison is.
type progress struct {
	start, shown time.Duration
	line         bool // there is one
}

func (p *progress) begin() {
	p.start = bsp.Time()
	p.shown = p.start
}

// show tells how many of the supersteps are done of a comparison of so many cells, not more often
// than can be read.
func (p *progress) show(done, supersteps int, cells float64) {
	const readable = 200 * time.Millisecond
	now := bsp.Time()
	if now-p.shown < readable || !isTerminal(os.Stderr) {
		return
	}
	p.shown, p.line = now, true
	part := float64(done) / float64(supersteps)
	spent := now - p.start
	left := time.Duration(float64(spent) * (1 - part) / part)
	fmt.Fprintf(os.Stderr, "\r\x1b[K%3.0f%%  superstep %d of %d  %v left  %s cells/s",
		100*part, done, supersteps, left.Round(time.Second), prefixed(cells*part/spent.Seconds()))
}

// end takes the line away.
func (p *progress) end() {
	if p.line && isTerminal(os.Stderr) {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}

// isTerminal says whether a file is a terminal; that it is true for the null device as well does no
// harm.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// prefixed writes a number in thousands, millions and so on.
func prefixed(x float64) string {
	for _, prefix := range []string{"", "k", "M", "G"} {
		if x < 1000 {
			return fmt.Sprintf("%.3g %s", x, prefix)
		}
		x /= 1000
	}
	return fmt.Sprintf("%.3g T", x)
}
