//go:build !unix && !windows

package heap

import (
	"errors"
	"os"
)

const canDuplicate = false

var errNoMode = errors.New("this system has no means for that")

func openedFor(*os.File, uintptr) (how access, appends, syncs bool, err error) {
	return 0, false, false, errNoMode
}

func duplicateOf(*os.File) (uintptr, error) { return 0, errNoMode }

func fileNumber(os.FileInfo) uint64 { return 0 }
