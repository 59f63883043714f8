package ckp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/ckpgen/ckpgen/heap"
)

// durable puts what the program has written to its files on stable storage before a checkpoint is
// committed that relies on it. Files that the program has closed are not known any more: those are
// as safe as it has made them.
type durable struct {
	synced map[string]syncedFile // by path
	fsync  func(*os.File) error  // (*os.File).Sync if nil
}

// A syncedFile is how a file was before it was synced.
type syncedFile struct {
	info    os.FileInfo
	settled bool // it had not been written just then
}

// settling is how long the clock of a file system may stand still: what is written
// within it after a sync does not show in the time of modification.
const settling = 2 * time.Second

// sync syncs files, except those that were synced and not written since.
func (d *durable) sync(files []heap.WrittenFile) error {
	now := make(map[string]syncedFile)
	for _, w := range files {
		is, err := d.syncFile(w, d.synced[w.Path])
		if err != nil {
			return fmt.Errorf("file %s, which the program has open, can't be put on stable storage: %w", w.Path, err)
		}
		now[w.Path] = is
	}
	d.synced = now
	return nil
}

func (d *durable) syncFile(w heap.WrittenFile, was syncedFile) (is syncedFile, err error) {
	file := w.File
	info, err := file.Stat()
	if errors.Is(err, os.ErrClosed) {
		// By the program, since the checkpoint. Any descriptor of the file will do.
		file, err = os.OpenFile(w.Path, os.O_WRONLY, 0)
		if errors.Is(err, fs.ErrPermission) { // the program has made it one that is only read
			file, err = os.Open(w.Path)
		}
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return is, nil // and deleted: there is nothing to sync
			}
			return is, err
		}
		defer file.Close()
		info, err = file.Stat()
	}
	if err != nil {
		return is, err
	}
	is = syncedFile{info, time.Since(info.ModTime()) > settling}
	known := was.info != nil && os.SameFile(was.info, info)
	if known && was.settled && was.info.Size() == info.Size() && was.info.ModTime().Equal(info.ModTime()) {
		return is, nil
	}
	fsync := d.fsync
	if fsync == nil {
		fsync = (*os.File).Sync
	}
	err = fsync(file)
	if err == nil && !known {
		err = syncName(w.Path)
	}
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // file systems that have no such operation
	}
	return is, err
}

// syncName puts the name of a file that may be new on stable storage. Systems that can't open a
// directory for that have no need of it.
func syncName(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
