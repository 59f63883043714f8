// Sharedlog is a job whose processes all append to one file. One of them dies twice.
package main

import (
	"fmt"
	"os"
	"syscall"

	"github.com/ckpgen/ckpgen/bsp"
)

// epoch is the incarnation of the job that the process belongs to.
//
//ckp:transient
var epoch = os.Getenv("CKP_EPOCH")

func main() {
	bsp.Begin()
	defer bsp.End()
	f, err := os.OpenFile("shared.log", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		bsp.Abort("%v", err)
	}
	for step := range 60 {
		for i := range 20 {
			if _, err := fmt.Fprintf(f, "process %d step %d line %d\n", bsp.PID(), step, i); err != nil {
				bsp.Abort("%v", err)
			}
			dies := map[string]int{"1": 23, "2": 41}[epoch]
			if bsp.PID() == 1 && step == dies && i == 10 {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}
		bsp.Sync()
	}
}
