package visits

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func take(in chan int, done *sync.WaitGroup) {
	defer done.Done()
	<-in
}

// The trace is that of this program: a goroutine waits in take, the one of the test runs.
func TestWaitingIn(t *testing.T) {
	in := make(chan int)
	var done sync.WaitGroup
	done.Add(1)
	go take(in, &done)
	defer done.Wait()
	defer close(in)
	buf := make([]byte, 1<<20)
	for range 1000 {
		for c := range waitingIn(buf[:runtime.Stack(buf, true)]) {
			if strings.HasSuffix(c.function, "/visits.TestWaitingIn") {
				t.Fatalf("%+v runs, or has only started others", c)
			}
			if strings.HasSuffix(c.function, "/visits.take") && strings.HasSuffix(c.file, "stacks_test.go") && c.line == 13 {
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("no goroutine waits in take:\n%s", buf[:runtime.Stack(buf, true)])
}
