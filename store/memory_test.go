package store

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"sort"
	"sync"
)

var (
	errCrashed  = errors.New("the machine has stopped")
	errInjected = errors.New("injected fault")
)

// A memoryFS is a file system that keeps what POSIX promises and no more: the
// contents of a file survive a crash if they were synced, a name if its
// directory was. All else survives or not, as chance has it.
//
// Steps are counted. At step stopAt the machine stops: the step may have been
// done or not, or half, and each later one fails. At step failAt, one step
// fails.
type memoryFS struct {
	mu      sync.Mutex
	rng     *rand.Rand
	dirs    map[string]*memoryDir
	removed map[string]*memoryDir // whose names a crash may bring back
	step    int
	stopAt  int // 0: never
	failAt  int
	stopped bool
	links   bool // hard links work
}

type memoryDir struct {
	names   map[string]*memoryFile // a directory has a nil file
	durable map[string]*memoryFile
	pending []change // not synced
}

// A change of names happens as a whole or not at all.
type change struct {
	remove, add string
	file        *memoryFile
}

type memoryFile struct {
	data, durable []byte
}

func newMemoryFS(seed uint64) *memoryFS {
	m := &memoryFS{rng: rand.New(rand.NewPCG(seed, 1)), dirs: make(map[string]*memoryDir), removed: make(map[string]*memoryDir), links: true}
	m.dirs["/"] = newMemoryDir()
	return m
}

func newMemoryDir() *memoryDir {
	return &memoryDir{names: map[string]*memoryFile{}, durable: map[string]*memoryFile{}}
}

func (c change) apply(names map[string]*memoryFile) {
	if c.remove != "" {
		delete(names, c.remove)
	}
	if c.add != "" {
		names[c.add] = c.file
	}
}

func (d *memoryDir) change(c change) {
	c.apply(d.names)
	d.pending = append(d.pending, c)
}

// begin counts a step. done tells whether to do it.
func (m *memoryFS) begin() (done bool, err error) {
	if m.stopped {
		return false, errCrashed
	}
	m.step++
	if m.step == m.stopAt {
		m.stopped = true
		return m.rng.IntN(2) == 0, errCrashed
	}
	if m.step == m.failAt {
		return false, errInjected
	}
	return true, nil
}

// crash loses what was not synced and starts the machine again.
func (m *memoryFS) crash() {
	for name, d := range m.removed {
		m.dirs[name] = d // unless its parent does without it
	}
	m.removed = make(map[string]*memoryDir)
	for _, d := range m.dirs {
		for _, c := range d.pending {
			if m.rng.IntN(2) == 0 {
				c.apply(d.durable)
			}
		}
	}
	dirs := map[string]*memoryDir{"/": m.dirs["/"]}
	paths := make([]string, 0, len(m.dirs))
	for p := range m.dirs {
		paths = append(paths, p)
	}
	sort.Strings(paths) // parents first
	for _, p := range paths {
		parent := dirs[filepath.Dir(p)]
		if parent == nil {
			continue
		}
		if _, ok := parent.durable[filepath.Base(p)]; ok || p == "/" {
			dirs[p] = m.dirs[p]
		}
	}
	m.dirs = dirs
	seen := make(map[*memoryFile]bool)
	for _, d := range m.dirs {
		d.names, d.pending = make(map[string]*memoryFile), nil
		for name, f := range d.durable {
			d.names[name] = f
			if f == nil || seen[f] || bytes.Equal(f.data, f.durable) {
				continue
			}
			seen[f] = true
			switch m.rng.IntN(3) {
			case 0: // all of it came through
			case 1: // a part, in place
				n := m.rng.IntN(len(f.data) + 1)
				f.data = append(append([]byte(nil), f.data[:n]...), make([]byte, len(f.data)-n)...)
			case 2:
				f.data = append([]byte(nil), f.durable...)
			}
			f.durable = append([]byte(nil), f.data...)
		}
	}
	m.stopped, m.stopAt, m.failAt, m.step = false, 0, 0, 0
}

func (m *memoryFS) dir(name string) (*memoryDir, error) {
	if d := m.dirs[name]; d != nil {
		return d, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (m *memoryFS) MkdirAll(name string) error {
	if _, err := m.dir(name); err == nil {
		return nil
	}
	if err := m.MkdirAll(filepath.Dir(name)); err != nil {
		return err
	}
	return m.Mkdir(name)
}

func (m *memoryFS) Mkdir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	done, err := m.begin()
	if !done {
		return err
	}
	d, derr := m.dir(filepath.Dir(name))
	if derr != nil {
		return derr
	}
	if _, ok := d.names[filepath.Base(name)]; ok {
		return fs.ErrExist
	}
	d.change(change{add: filepath.Base(name)})
	m.dirs[name] = newMemoryDir()
	delete(m.removed, name)
	return err
}

func (m *memoryFS) ReadDir(name string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.begin(); err != nil {
		return nil, err
	}
	d, err := m.dir(name)
	if err != nil {
		return nil, err
	}
	var names []string
	for n := range d.names {
		names = append(names, n)
	}
	m.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names, nil
}

func (m *memoryFS) lookup(name string) (*memoryFile, *memoryDir, error) {
	d, err := m.dir(filepath.Dir(name))
	if err != nil {
		return nil, nil, err
	}
	f := d.names[filepath.Base(name)]
	if f == nil {
		return nil, d, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f, d, nil
}

func (m *memoryFS) Open(name string) (io.ReadCloser, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.begin(); err != nil {
		return nil, 0, err
	}
	f, _, err := m.lookup(name)
	if err != nil {
		return nil, 0, err
	}
	return io.NopCloser(bytes.NewReader(f.data)), int64(len(f.data)), nil
}

func (m *memoryFS) Create(name string, exclusive bool) (file, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	done, err := m.begin()
	if !done {
		return nil, err
	}
	f, d, _ := m.lookup(name)
	switch {
	case d == nil:
		return nil, fs.ErrNotExist
	case f != nil && exclusive:
		return nil, fs.ErrExist
	case f != nil:
		f.data = nil
	default:
		f = new(memoryFile)
		d.change(change{add: filepath.Base(name), file: f})
	}
	return memoryHandle{m, f}, err
}

func (m *memoryFS) Rename(oldName, newName string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	done, err := m.begin()
	if !done {
		return err
	}
	f, d, lerr := m.lookup(oldName)
	if lerr != nil {
		return lerr
	}
	d.change(change{remove: filepath.Base(oldName), add: filepath.Base(newName), file: f})
	return err
}

func (m *memoryFS) Link(oldName, newName string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.links {
		return errors.ErrUnsupported
	}
	done, err := m.begin()
	if !done {
		return err
	}
	f, d, lerr := m.lookup(oldName)
	if lerr != nil {
		return lerr
	}
	if d.names[filepath.Base(newName)] != nil {
		return fs.ErrExist
	}
	d.change(change{add: filepath.Base(newName), file: f})
	return err
}

func (m *memoryFS) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	done, err := m.begin()
	if !done {
		return err
	}
	if d := m.dirs[name]; d != nil {
		if len(d.names) > 0 {
			return errors.New("directory not empty")
		}
		delete(m.dirs, name)
		m.removed[name] = d
	} else if _, _, err := m.lookup(name); err != nil {
		return err
	}
	m.dirs[filepath.Dir(name)].change(change{remove: filepath.Base(name)})
	return err
}

func (m *memoryFS) SyncDir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	done, err := m.begin()
	if !done {
		return err
	}
	d, derr := m.dir(name)
	if derr != nil {
		return derr
	}
	for _, c := range d.pending {
		c.apply(d.durable)
	}
	d.pending = nil
	return err
}

type memoryHandle struct {
	m *memoryFS
	f *memoryFile
}

func (h memoryHandle) Write(b []byte) (int, error) {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	done, err := h.m.begin()
	if !done {
		b = b[:len(b)/2] // torn
	}
	h.f.data = append(h.f.data, b...)
	return len(b), err
}

func (h memoryHandle) Sync() error {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	done, err := h.m.begin()
	if done {
		h.f.durable = append([]byte(nil), h.f.data...)
	}
	return err
}

func (h memoryHandle) Close() error {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	_, err := h.m.begin()
	return err
}
