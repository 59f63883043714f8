package bsp_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Processes are killed at any time, also while they connect, elect and restore.
// BSP_STRESS=100 kills for longer.
func TestKillAnytime(t *testing.T) {
	times, _ := strconv.Atoi(os.Getenv("BSP_STRESS"))
	for i := range max(times, 2) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			seed := rand.Uint64()
			random := rand.New(rand.NewPCG(seed, 0))
			n := 2 + random.IntN(4)
			rounds := 50 + random.IntN(100)
			l := newLauncher(t, "iterate", n, fmt.Sprint("BSP_TEST_ROUNDS=", rounds), "BSP_TEST_PAUSE=2ms",
				fmt.Sprint("CKP_INTERVAL=", []string{"0", "20ms", "100ms"}[random.IntN(3)]))
			end := make(chan bool)
			ended := make(chan bool)
			go func() {
				defer close(ended)
				for range 1 + random.IntN(5) {
					select {
					case <-end:
						return
					case <-time.After(time.Duration(random.IntN(400)) * time.Millisecond):
						l.lock.Lock()
						if len(l.processes) == n {
							l.kill(random.IntN(n))
						}
						l.lock.Unlock()
					}
				}
			}()
			statuses := l.live()
			close(end)
			<-ended
			for _, status := range statuses {
				require.Zero(t, status, "seed %d\n%s", seed, l.report())
			}
			// A process may be killed after process 0 has printed.
			require.Contains(t, l.out.String(), iterated(n, rounds)+"\n", "seed %d\n%s", seed, l.report())
		})
	}
}
