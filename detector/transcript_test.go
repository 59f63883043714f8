package detector

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
)

// TestTranscripts runs the conversations in testdata. Heartbeats are not shown.
//
//	new size=N               nodes 0 to N-1 at epoch 1
//	run for=D                let D pass
//	kill ID [seen=died|closed]
//	pause ID, resume ID      a zombie: its messages wait
//	cut A B, heal            messages between two nodes get lost
//	leave ID                 the process ends normally
//	refuse                   the store grants nothing
//	state
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var c *cluster
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			id := func(i int) int {
				var v int
				_, err := fmt.Sscan(d.CmdArgs[i].Key, &v)
				require.NoError(t, err)
				return v
			}
			if c != nil {
				c.log = func(format string, args ...any) {
					fmt.Fprintf(&out, "%v"+format, append([]any{c.now}, args...)...)
				}
			}
			switch d.Cmd {
			case "new":
				var size int
				d.ScanArgs(t, "size", &size)
				c = newCluster(size, 1)
			case "run":
				var s string
				d.ScanArgs(t, "for", &s)
				p, err := time.ParseDuration(s)
				require.NoError(t, err)
				c.run(p)
			case "kill":
				how := ""
				d.MaybeScanArgs(t, "seen", &how)
				c.kill(id(0), how)
			case "pause":
				c.paused[id(0)] = true
			case "resume":
				delete(c.paused, id(0))
			case "cut":
				c.cut[[2]int{id(0), id(1)}], c.cut[[2]int{id(1), id(0)}] = true, true
			case "heal":
				clear(c.cut)
			case "leave":
				c.nodes[id(0)].Leave(c.now)
				c.carry(id(0))
				c.nodes[id(0)] = nil
			case "refuse":
				c.refuse = true
			case "state":
				out.WriteString(c.String() + "\n")
			default:
				t.Fatalf("no command %s", d.Cmd)
			}
			require.Empty(t, c.broken)
			return out.String()
		})
	})
}
