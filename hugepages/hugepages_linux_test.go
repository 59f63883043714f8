package hugepages

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestReserve looks for what is allocated then in what the system says of the process's mappings.
func TestReserve(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil || !hasRoom(1<<26) {
		t.Skip("no huge pages can be requested here: the kernel makes none, or address space is limited")
	}
	before := onRequest
	onRequest = func() bool { return true }
	defer func() { onRequest = before }()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	Reserve(1 << 26)
	kept := make([][]byte, 1<<9)
	for i := range kept {
		kept[i] = make([]byte, 1<<16)
	}
	smaps, err := os.Open("/proc/self/smaps")
	require.NoError(t, err)
	defer smaps.Close()
	requested, inside := 0, 0
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		var begin, end uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &begin, &end); n == 2 {
			inside = 0
			for _, k := range kept {
				if at := uintptr(unsafe.Pointer(&k[0])); begin <= at && at < end {
					inside++
				}
			}
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && strings.Contains(flags+" ", " hg ") {
			requested += inside
		}
	}
	require.Greater(t, requested, len(kept)/2)
	runtime.KeepAlive(kept)
}
