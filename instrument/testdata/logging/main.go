// Logging writes numbered lines to two files, one of them through a buffer, and takes its time.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() {
	f, err := os.OpenFile("direct.log", os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		panic(err)
	}
	g, err := os.Create("buffered.log")
	if err != nil {
		panic(err)
	}
	w := bufio.NewWriterSize(g, 100)
	for i := range 1500 {
		fmt.Fprintf(f, "line %d\n", i)
		fmt.Fprintf(w, "line %d\n", i)
		time.Sleep(time.Millisecond)
		ckp.Checkpoint()
	}
	if err := w.Flush(); err != nil {
		panic(err)
	}
}
