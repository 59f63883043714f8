// Notified counts its goroutines before it asks for signals, while it does, and when it does no more. Package os/signal has one of its own from
// then on.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func count(when string) {
	for range 3 {
		ckp.Checkpoint()
		buf := make([]byte, 1<<16)
		stacks := string(buf[:runtime.Stack(buf, true)])
		fmt.Println(when, runtime.NumGoroutine(), strings.Contains(stacks, "os/signal.loop"))
	}
}

func main() {
	count("before")
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	count("notified")
	signal.Stop(c)
	count("afterwards")
}
