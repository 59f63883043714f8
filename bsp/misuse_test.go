package bsp_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/bsp"
)

// Each of these is wrong, on one process or on all. The comment at the line of
// the call is what the message is expected to name.
var misuses = map[string]struct {
	do   func(me, n int)
	says string // pattern
}{
	"put to nobody": {func(me, n int) {
		r := bsp.PushRegister(make([]int, 3))
		bsp.Sync()
		if me == 1 {
			bsp.Put(n, []int{1}, r, 0) // here
		}
		bsp.Sync()
	}, `bsp: Put by process 1 \(HERE\): there is no process 3, the job has processes 0 to 2`},
	"put outside": {func(me, n int) {
		r := bsp.PushRegister(make([]int64, 3+me))
		bsp.Sync()
		if me == 2 {
			bsp.Put(1, []int64{1, 2}, r, 3) // here
		}
		bsp.Sync()
	}, `bsp: Put by process 2 \(HERE\): elements 3 to 4 of the \[\]int64 that process 1 registered \(.*misuse_test.go:\d+\), which has 4`},
	"put outside here": {func(me, n int) {
		r := bsp.PushRegister(make([]int64, 3))
		bsp.Sync()
		if me == 2 {
			bsp.Put(2, []int64{1, 2}, r, 2) // here
		}
		bsp.Sync()
	}, `bsp: Put by process 2 \(HERE\): elements 2 to 3 of the \[\]int64 that process 2 registered .* which has 3`},
	"get from nil": {func(me, n int) {
		var s []byte
		if me > 0 {
			s = make([]byte, 1)
		}
		r := bsp.PushRegister(s)
		bsp.Sync()
		if me == 1 {
			bsp.Get(0, r, 0, s) // here
		}
		bsp.Sync()
	}, `bsp: Get by process 1 \(HERE\): elements 0 to 0 of the \[\]uint8 that process 0 registered .* which has 0`},
	"negative offset": {func(me, n int) {
		s := make([]int, 3)
		r := bsp.PushRegister(s)
		bsp.Sync()
		if me == 0 {
			bsp.Get(1, r, -1, s) // here
		}
		bsp.Sync()
	}, `bsp: Get by process 0 \(HERE\): the offset -1 is not an index`},
	"too early": {func(me, n int) {
		r := bsp.PushRegister(make([]int, 3))
		if me == 1 {
			bsp.Put(0, []int{1}, r, 0) // here
		}
		bsp.Sync()
	}, `bsp: Put by process 1 \(HERE\): the registration \(.*:\d+\) takes effect after the next Sync`},
	"too late": {func(me, n int) {
		r := bsp.PushRegister(make([]int, 3))
		bsp.Sync()
		bsp.PopRegister(r)
		bsp.Sync()
		if me == 1 {
			bsp.Put(0, []int{1}, r, 0) // here
		}
		bsp.Sync()
	}, `bsp: Put by process 1 \(HERE\): the slice is not registered any more`},
	"newest popped": {func(me, n int) {
		s := make([]byte, 10)
		r := bsp.PushRegister(s[:4])
		bsp.PushRegister(s)
		bsp.Sync()
		bsp.PopRegister(r)
		bsp.Sync()
		if me == 2 {
			bsp.Put(1, []byte{1, 2}, r, 3) // here
		}
		bsp.Sync()
	}, `bsp: Put by process 2 \(HERE\): elements 3 to 4 of the \[\]uint8 that process 1 registered .* which has 4`},
	"popped twice": {func(me, n int) {
		r := bsp.PushRegister(make([]int, 3))
		bsp.Sync()
		bsp.PopRegister(r)
		if me == 2 {
			bsp.PopRegister(r) // here
		}
		bsp.Sync()
	}, `bsp: PopRegister by process 2 \(HERE\): the slice is not registered any more`},
	"zero": {func(me, n int) {
		if me == 2 {
			bsp.Put(0, []string{}, bsp.Reg[string]{}, 0) // nothing: a no-op
			bsp.Put(0, []int{1}, bsp.Reg[int]{}, 0)      // here
		}
		bsp.Sync()
	}, `bsp: Put by process 2 \(HERE\): the Reg is zero`},
	"pointers": {func(me, n int) {
		type inner struct{ names [2]string }
		type outer struct {
			n int
			i inner
		}
		if me == 1 {
			bsp.PushRegister([]outer{{n: 1, i: inner{names: [2]string{"a", "b"}}}}) // here
		}
		bsp.Sync()
	}, `bsp: PushRegister by process 1 \(HERE\): elements of type bsp_test.outer can't be sent .*: bsp_test.outer.i.names\[i\] is a string`},
	"other sequence": {func(me, n int) {
		if me == 2 {
			bsp.PushRegister(make([]int, 3))
		}
		bsp.Sync()
	}, `bsp: Sync by process 2 .* registered differently: process 2 called PushRegister of a \[\]int \(.*misuse_test.go:\d+\), process 0 called Sync instead`},
	"other type": {func(me, n int) {
		if me == 1 {
			bsp.PushRegister(make([]int, 3))
		} else {
			bsp.PushRegister(make([]int32, 3))
		}
		bsp.Sync()
	}, `bsp: Sync by process 1 .* registered differently: process 1 called PushRegister of a \[\]int \(.*\), process 0 called PushRegister of a \[\]int32 \(`},
	"other pop": {func(me, n int) {
		a, b := bsp.PushRegister(make([]int, 3)), bsp.PushRegister(make([]int, 3))
		bsp.Sync()
		if me == 2 {
			a = b
		}
		bsp.PopRegister(a)
		bsp.Sync()
	}, `.*process 2 called PopRegister of registration 2, a \[\]int \(.*\), process 0 called PopRegister of registration 1`},
	"other tag size": {func(me, n int) {
		bsp.SetTagSize(me / 2)
		bsp.Sync()
	}, `bsp: Sync by process 2 .*: process 2 has set the tag size 1, process 0 the tag size 0`},
	"tag size": {func(me, n int) {
		if me == 1 {
			bsp.Send(0, int32(1), []int{}) // here
		}
		bsp.Sync()
	}, `bsp: Send by process 1 \(HERE\): the tag, a int32, has 4 bytes, the tag size of this superstep is 0`},
	"no message": {func(me, n int) {
		if me == 1 {
			bsp.Move([]int{0}) // here
		}
		bsp.Sync()
	}, `bsp: Move by process 1 \(HERE\): there is no message`},
	"half an element": {func(me, n int) {
		bsp.Send(1, struct{}{}, []byte{1, 2, 3})
		bsp.Sync()
		if me == 1 {
			bsp.Move([]int16{0, 0}) // here
		}
		bsp.Sync()
	}, `bsp: Move by process 1 \(HERE\): the payload has 3 bytes, which are not whole elements of 2`},
	"end early": {func(me, n int) {
		if me == 1 {
			return
		}
		bsp.Sync()
	}, `bsp: (Sync|End) by process \d .*process \d has called (End|Sync) instead`},
	"begin twice": {func(me, n int) {
		if me == 1 {
			bsp.Begin() // here
		}
		bsp.Sync()
	}, `bsp: Begin by process 1 \(HERE\): it was called before`},
	"abort": {func(me, n int) {
		if me == 1 {
			bsp.Abort("no bread, %d bottles", 3) // here
		}
		for { // the others compute
			time.Sleep(time.Millisecond)
		}
	}, `bsp: Abort by process 1 \(HERE\): no bread, 3 bottles`},
}

func init() {
	programs["misuse"] = func() {
		bsp.Begin()
		misuses[os.Getenv("BSP_TEST_MISUSE")].do(bsp.PID(), bsp.NProcs())
		bsp.End()
	}
	programs["outside"] = func() {
		r := bsp.Reg[int]{}
		bsp.Put(0, []int{}, r, 0)
	}
	programs["after"] = func() {
		bsp.Begin()
		bsp.End()
		if bsp.NProcs() != 2 || bsp.PID() > 1 {
			os.Exit(5)
		}
		bsp.Sync()
	}
}

func TestMisuse(t *testing.T) {
	for name, m := range misuses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := start(t, "misuse", 3, "BSP_TEST_MISUSE="+name).wait()
			said := ""
			for rank, r := range all {
				require.Equal(t, 1, r.status, "status of process %d: %s", rank, r.err)
				said += r.err
			}
			pattern := "^" + strings.Replace(m.says, "HERE", `.*misuse_test.go:(\d+)`, 1)
			found := regexp.MustCompile(pattern).FindStringSubmatch(said)
			require.NotNil(t, found, "said %q, want %s", said, pattern)
			if len(found) > 1 && strings.Contains(m.says, "HERE") {
				require.Contains(t, line(t, found[1]), "// here")
			}
			if name != "end early" { // where both are entitled to complain
				require.Equal(t, 1, strings.Count(said, "\n"), "more than one message: %s", said)
			}
		})
	}
}

func line(t *testing.T, number string) string {
	source, err := os.ReadFile("misuse_test.go")
	require.NoError(t, err)
	n := 0
	for _, c := range number {
		n = 10*n + int(c-'0')
	}
	return strings.Split(string(source), "\n")[n-1]
}

func TestOutside(t *testing.T) {
	r := start(t, "outside", 1).wait()[0]
	require.Equal(t, 1, r.status)
	require.Regexp(t, `^bsp: Put by process 0 \(.*misuse_test.go:\d+\): it was called before Begin\n$`, r.err)
	for rank, r := range start(t, "after", 2).wait() {
		require.Equal(t, 1, r.status)
		require.Regexp(t, `^bsp: Sync by process `+string(rune('0'+rank))+` \(.*misuse_test.go:\d+\): it was called after End\n$`, r.err)
	}
}
