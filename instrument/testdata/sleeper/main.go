// Sleeper has one goroutine, which starts no other, and sleeps.
package main

import (
	"fmt"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() {
	ckp.Checkpoint()
	fmt.Println("sleeps")
	time.Sleep(time.Hour)
}
