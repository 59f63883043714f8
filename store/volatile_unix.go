//go:build unix

package store

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Volatile returns a store whose files have no names, and are gone when no process has them open
// any more, however it ends. They lie in the directory for temporary files.
func Volatile() *Store {
	return open("temporary files", Options{}, &volatileFS{entries: make(map[string]*os.File)})
}

// HandOver prepares a store that [Volatile] has returned for a process that takes the place of this
// one by an exec, and returns what that one must give to [Inherit].
func (s *Store) HandOver() (string, error) {
	v := s.fsys.(*volatileFS)
	v.mu.Lock()
	defer v.mu.Unlock()
	var list []string
	for name, f := range v.entries {
		n := -1
		if f != nil {
			var err error
			if n, err = syscall.Dup(int(f.Fd())); err != nil { // the copy stays open in the new process
				return "", fmt.Errorf("hand the checkpoint over: %w", err)
			}
		}
		list = append(list, fmt.Sprintf("%s=%d", name, n))
	}
	slices.Sort(list)
	return strings.Join(list, ","), nil
}

// Inherit returns the store that the process before this one has handed over.
func Inherit(list string) (*Store, error) {
	s := Volatile()
	v := s.fsys.(*volatileFS)
	for item := range strings.SplitSeq(list, ",") {
		name, number, _ := strings.Cut(item, "=")
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("inherited checkpoint: %q is not a file", item)
		}
		v.entries[name] = nil
		if n >= 0 {
			syscall.CloseOnExec(n)
			v.entries[name] = os.NewFile(uintptr(n), name)
		}
	}
	return s, nil
}

// Discard deletes a store that is [Volatile].
func (s *Store) Discard() {
	v := s.fsys.(*volatileFS)
	v.mu.Lock()
	defer v.mu.Unlock()
	for name := range v.entries {
		v.remove(name)
	}
}

// volatileFS is a file system in memory, but for what is in its files. Nothing of it needs to be
// put on stable storage.
type volatileFS struct {
	mu      sync.Mutex
	entries map[string]*os.File // by name; nil: a directory
}

func failed(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

func (v *volatileFS) MkdirAll(name string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.entries[name] = nil
	return nil
}

func (v *volatileFS) Mkdir(name string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ok := v.entries[name]; ok {
		return failed("mkdir", name, fs.ErrExist)
	}
	if _, ok := v.entries[filepath.Dir(name)]; !ok {
		return failed("mkdir", name, fs.ErrNotExist)
	}
	v.entries[name] = nil
	return nil
}

func (v *volatileFS) ReadDir(name string) ([]string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ok := v.entries[name]; !ok {
		return nil, failed("open", name, fs.ErrNotExist)
	}
	var list []string
	for entry := range v.entries {
		if filepath.Dir(entry) == name {
			list = append(list, filepath.Base(entry))
		}
	}
	return list, nil
}

func (v *volatileFS) Open(name string) (io.ReadCloser, int64, error) {
	v.mu.Lock()
	f := v.entries[name]
	v.mu.Unlock()
	if f == nil {
		return nil, 0, failed("open", name, fs.ErrNotExist)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	return io.NopCloser(io.NewSectionReader(f, 0, info.Size())), info.Size(), nil
}

func (v *volatileFS) Create(name string, exclusive bool) (file, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ok := v.entries[name]; ok && exclusive {
		return nil, failed("create", name, fs.ErrExist)
	}
	f, err := nameless()
	if err != nil {
		return nil, err
	}
	v.remove(name)
	v.entries[name] = f
	return volatileFile{f}, nil
}

// unlinked makes a temporary file and removes its name.
func unlinked() (*os.File, error) {
	f, err := os.CreateTemp("", "ckpgen-torture-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func (v *volatileFS) Rename(oldName, newName string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	f := v.entries[oldName]
	if f == nil {
		return failed("rename", oldName, fs.ErrNotExist)
	}
	v.remove(newName)
	v.entries[newName] = f
	delete(v.entries, oldName)
	return nil
}

func (v *volatileFS) Link(oldName, newName string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	f := v.entries[oldName]
	switch _, ok := v.entries[newName]; {
	case f == nil:
		return failed("link", oldName, fs.ErrNotExist)
	case ok:
		return failed("link", newName, fs.ErrExist)
	}
	v.entries[newName] = f
	return nil
}

func (v *volatileFS) Remove(name string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ok := v.entries[name]; !ok {
		return failed("remove", name, fs.ErrNotExist)
	}
	v.remove(name)
	return nil
}

func (v *volatileFS) SyncDir(string) error { return nil }

// remove removes a name, and the file with its last one.
func (v *volatileFS) remove(name string) {
	f := v.entries[name]
	delete(v.entries, name)
	if f == nil {
		return
	}
	for _, other := range v.entries {
		if other == f {
			return
		}
	}
	_ = f.Close()
}

// A volatileFile is being written. It stays open.
type volatileFile struct{ *os.File }

func (volatileFile) Close() error { return nil }
func (volatileFile) Sync() error  { return nil }
