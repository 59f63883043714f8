package store

import (
	"io"
	"os"
)

// A fileSystem is what the store asks of the operating system. Tests put one
// underneath that fails or stops at a chosen step, and forgets what was not
// synced.
type fileSystem interface {
	// MkdirAll creates a directory and its parents where they are missing.
	MkdirAll(name string) error
	// Mkdir creates one directory; that it exists already is an error that
	// matches fs.ErrExist.
	Mkdir(name string) error
	// ReadDir returns the names in a directory.
	ReadDir(name string) ([]string, error)
	// Open opens a file for reading and tells its size.
	Open(name string) (io.ReadCloser, int64, error)
	// Create opens a file for writing. An exclusive one must not exist
	// (fs.ErrExist); another is emptied.
	Create(name string, exclusive bool) (file, error)
	// Rename replaces newName by oldName in one step.
	Rename(oldName, newName string) error
	// Link gives the file oldName the second name newName, which must not
	// exist (fs.ErrExist).
	Link(oldName, newName string) error
	// Remove removes a file or an empty directory.
	Remove(name string) error
	// SyncDir puts the names in a directory on stable storage.
	SyncDir(name string) error
}

// A file is being written.
type file interface {
	io.WriteCloser
	Sync() error
}

// An image holds whatever the program had in memory: like a core dump, it is
// nobody else's business.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// osFS is the file system of the operating system.
type osFS struct{}

func (osFS) MkdirAll(name string) error { return os.MkdirAll(name, dirMode) }

func (osFS) Mkdir(name string) error { return os.Mkdir(name, dirMode) }

func (osFS) ReadDir(name string) ([]string, error) {
	d, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

func (osFS) Open(name string) (io.ReadCloser, int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		f.Close()
		return nil, 0, &os.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return f, info.Size(), nil
}

func (osFS) Create(name string, exclusive bool) (file, error) {
	flags := os.O_WRONLY | os.O_CREATE
	if exclusive {
		flags |= os.O_EXCL
	} else {
		flags |= os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, fileMode)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osFS) Rename(oldName, newName string) error { return os.Rename(oldName, newName) }

func (osFS) Link(oldName, newName string) error { return os.Link(oldName, newName) }

func (osFS) Remove(name string) error { return os.Remove(name) }

func (osFS) SyncDir(name string) error { return syncDir(name) }
