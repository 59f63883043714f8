//go:build !windows && !plan9 && !js && !wasip1

package store

import (
	"errors"
	"os"
	"syscall"
)

// syncDir fsyncs a directory. Some file systems (FUSE, SMB) have no such
// operation and say so; their renames are durable by themselves or not at all.
func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	err = d.Sync()
	d.Close()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
