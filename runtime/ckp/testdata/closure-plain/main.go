// The original of ../closure: a func literal that is alive at a checkpoint, and
// shares variables with the function around it and with another one.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

var (
	handlers []func(int) bool
	last     error = io.EOF
	out            = io.Writer(os.Stdout)
	errOdd         = errors.New("odd")
)

func forEach(n int, f func(int) bool) int {
	hits := 0
	for i := 0; i < n; i++ {
		if f(i) {
			hits++
		}
	}
	return hits
}

func main() {
	total := 0
	var seen []int
	handlers = append(handlers, func(i int) bool {
		total += i * i
		seen = append(seen, i)
		fmt.Fprintln(out, "seen", i, total)
		if len(os.Args) > 1 {
			time.Sleep(10 * time.Millisecond)
		}
		return total%2 == 0
	})
	hits := forEach(20, handlers[0])
	last2 := errOdd
	more := forEach(5, handlers[0])
	fmt.Fprintln(out, hits, more, total, seen, last == io.EOF, last2 == errOdd, handlers[0](1), total)
}
