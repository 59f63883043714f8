package heap

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
)

var long = flag.Bool("long", false, "try thousands of random graphs")

// checks sets how many random cases package rapid tries, unless that is told.
func checks(t *testing.T, few, many int) {
	t.Helper()
	told := false
	flag.Visit(func(f *flag.Flag) { told = told || f.Name == "rapid.checks" })
	if told {
		return
	}
	n := few
	if *long {
		n = many
	}
	must(t, flag.Lookup("rapid.checks").Value.Set(fmt.Sprint(n)))
}

// collecting runs the collector all the time, until it is told to stop.
func collecting() (stop func()) {
	done, ended := make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// churned is garbage.
var churned [][]byte

// churn takes the memory that is free, and fills it with what no pointer is.
func churn() {
	churned = nil
	for n := 8; n <= 4096; n *= 2 {
		for range 20 {
			churned = append(churned, bytes.Repeat([]byte{0xff}, n))
		}
	}
}

// TestCollected does the same as TestAnyGraph in processes that collect garbage all the time, and
// overwrite what is freed: memory that is allocated as something else than it is shows then.
func TestCollected(t *testing.T) {
	n := 150
	if *long {
		n = 2000
	}
	for _, debug := range []string{"clobberfree=1", "clobberfree=1,gccheckmark=1"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestAnyGraph$", fmt.Sprint("-rapid.checks=", n))
		cmd.Env = append(os.Environ(), "HEAP_TEST_ROLE=collect", "GODEBUG="+debug)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("with GODEBUG=%s: %v\n%s", debug, err, out[:min(len(out), 6000)])
		}
	}
}
