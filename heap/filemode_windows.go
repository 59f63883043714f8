package heap

import (
	"errors"
	"os"
	"reflect"
	"syscall"
	"unsafe"
)

const canDuplicate = false

// openedFor returns how a file was opened: what it was not opened for fails, also for no bytes.
func openedFor(f *os.File, fd uintptr) (how access, appends, syncs bool, err error) {
	var n uint32
	none := []byte{}
	reads := syscall.ReadFile(syscall.Handle(fd), none, &n, nil)
	writes := syscall.WriteFile(syscall.Handle(fd), none, &n, nil)
	switch {
	case reads == nil && writes == nil:
		how = readWrite
	case writes == nil:
		how = writeOnly
	case reads != nil:
		return 0, false, false, writes
	}
	mode, ok := innerFile.FieldByName("appendMode")
	if !ok || mode.Type.Kind() != reflect.Bool {
		return 0, false, false, errors.New("this version of Go keeps files in a way that is not known")
	}
	return how, *(*bool)(unsafe.Add(innerOf(f), mode.Offset)), false, nil
}

func duplicateOf(*os.File) (uintptr, error) {
	return 0, errors.New("streams are not duplicated on this system")
}

// fileNumber is 0: what os.Stat tells has no number.
func fileNumber(os.FileInfo) uint64 { return 0 }
