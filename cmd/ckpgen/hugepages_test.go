//go:build linux

package main

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

// TestHugePages looks for what is allocated after a request in what the system says of the process's mappings.
func TestHugePages(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	requestHugePages(1 << 26)
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
