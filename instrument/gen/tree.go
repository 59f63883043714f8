package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// listName is the file in the output folder that lists what was written.
const listName = ".ckpgen"

const listHeader = "# Written by ckpgen gen, which removes these files when they are no longer needed.\n"

// A tree is an output folder.
type tree struct {
	dir   string
	owned map[string]bool // absolute names of files that ckpgen wrote
}

// openTree looks for what was written to the folder before. It need not exist.
func openTree(dir string) (*tree, error) {
	t := &tree{dir: dir, owned: make(map[string]bool)}
	list, err := os.ReadFile(filepath.Join(dir, listName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("output folder: %w", err)
	}
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && filepath.IsLocal(filepath.FromSlash(line)) {
			t.owned[filepath.Join(dir, filepath.FromSlash(line))] = true
		}
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == dir:
			return filepath.SkipAll
		case err != nil:
			return err
		case d.Type().IsRegular() && strings.HasSuffix(name, ".go"):
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if bytes.HasPrefix(text, []byte(header)) {
				t.owned[name] = true
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("output folder: %w", err)
	}
	return t, nil
}

// goFiles returns the Go files that were written before.
func (t *tree) goFiles() []string {
	var list []string
	for name := range t.owned {
		if strings.HasSuffix(name, ".go") {
			list = append(list, name)
		}
	}
	return list
}

// update makes the folder consist of the given files and of those that are not
// ckpgen's. Files that are as they should be are not touched.
func (t *tree) update(files map[string][]byte) (*Result, error) {
	for name := range files {
		if _, err := os.Lstat(name); err == nil && !t.owned[name] {
			return nil, fmt.Errorf("%s is in the way and was not written by ckpgen; move it, or choose another folder with -o", name)
		}
	}
	// The list always has at least what is there, so nothing is lost sight of if
	// this is interrupted.
	all := make(map[string][]byte, len(files))
	for name := range t.owned {
		all[name] = nil
	}
	for name := range files {
		all[name] = nil
	}
	if err := t.writeList(all); err != nil {
		return nil, err
	}
	r := &Result{Files: len(files)}
	for _, name := range sorted(files) {
		changed, err := write(name, files[name])
		if err != nil {
			return nil, fmt.Errorf("output folder: %w", err)
		}
		if changed {
			r.Changed++
		}
	}
	for name := range t.owned {
		if _, needed := files[name]; needed {
			continue
		}
		if err := os.Remove(name); err == nil {
			r.Removed++
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("output folder: %w", err)
		}
		for dir := filepath.Dir(name); dir != t.dir && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
		}
	}
	return r, t.writeList(files)
}

func (t *tree) writeList(files map[string][]byte) error {
	var b bytes.Buffer
	b.WriteString(listHeader)
	for _, name := range sorted(files) {
		rel, err := filepath.Rel(t.dir, name)
		if err != nil {
			return fmt.Errorf("output folder: %w", err)
		}
		fmt.Fprintln(&b, filepath.ToSlash(rel))
	}
	if _, err := write(filepath.Join(t.dir, listName), b.Bytes()); err != nil {
		return fmt.Errorf("output folder: %w", err)
	}
	return nil
}

func sorted(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// write gives a file its contents, at once or not at all, and reports whether it was
// different.
func write(name string, text []byte) (changed bool, err error) {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return false, err
	}
	tmp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".ckpgen-%d-%s", os.Getpid(), filepath.Base(name)))
	defer os.Remove(tmp) // does nothing after the renaming
	if err := os.WriteFile(tmp, text, 0o666); err != nil {
		return false, err
	}
	return true, os.Rename(tmp, name)
}
