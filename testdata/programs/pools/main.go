// Command pools is a test program: goroutines that use a sync.Pool all the time, whose function New takes checkpoints.
package main

import (
	"fmt"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() {
	var calls sync.Map
	pool := &sync.Pool{New: func() any {
		ckp.Checkpoint()
		return new(int)
	}}
	var wg sync.WaitGroup
	for g := range 60 {
		wg.Go(func() {
			sum := 0
			for i := range 20 {
				if (g+i)%4 == 0 {
					ckp.Checkpoint()
				}
				for range 100 {
					x := pool.Get().(*int)
					*x = g + i
					sum += *x
					pool.Put(x)
				}
			}
			calls.Store(g, sum)
		})
	}
	wg.Wait()
	for g := range 60 {
		fmt.Println(calls.Load(g))
	}
}
