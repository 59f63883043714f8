// Notified counts its goroutines before it asks for signals, while it does, and when it does no more. Package os/signal has one of its own from
// then on. As it sorts by a function, packages of the standard library are rewritten, and with them what tells goroutines is in one of these.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sort"
	"strings"
	"syscall"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func count(when string) {
	for range 3 {
		ckp.Checkpoint()
		buf := make([]byte, 1<<16)
		stacks := string(buf[:runtime.Stack(buf, true)])
		fmt.Println(when, runtime.NumGoroutine(), strings.Contains(stacks, "os/signal.loop"), strings.Count(stacks, "ckpgen/runtime"), strings.Count(stacks, "main.main()"))
	}
}

func sorted(list ...int) []int {
	sort.Slice(list, func(i, j int) bool {
		ckp.Checkpoint()
		return list[i] < list[j]
	})
	return list
}

func main() {
	fmt.Println(sorted(3, 1, 2))
	count("before")
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	count("notified")
	signal.Stop(c)
	count("afterwards")
}
