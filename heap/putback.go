package heap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A program that is careful with its files writes one under another name, and gives it its own when it is complete:
//
//	f, err := os.Create("state.new")
//	...
//	err = os.Rename("state.new", "state")
//
// If it dies behind that, and the file was open at the last checkpoint, and at those before if it took long to write, it is not there by its name any
// more; another may be, which the program has begun since. But it is still in the same directory, with the same number, and begins with what it had at
// the checkpoint. So it gets its name back, in the place of one that was begun since: that is done again, as what was written to any file after the
// checkpoint. The program is going to rename it again, and until then others find a copy of the complete one under the name that they know. It is not the
// copy that is put back, since the number has to be the same if the program dies once more. A file that has got the number later is one that the mark tells.
//
// The copy is made when the file is opened, beside the one that it is of. Names are changed when files are cut: before that the rebuild can fail.

// beside is what the name of a copy ends with until it is in its place.
const beside = ".putback"

// renamed returns the name that a file which the program was writing has now, in the directory that it was in, or "".
func (o *openFile) renamed() string {
	if o.number == 0 || o.mark == 0 {
		return ""
	}
	dir := filepath.Dir(o.path)
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil || fileNumber(info) != o.number || info.Size() < o.size {
			continue
		}
		if name := filepath.Join(dir, e.Name()); markOf(name, o.size) == o.mark {
			return name
		}
	}
	return ""
}

// placeOf returns the name by which a file that the program was writing is to be opened: its own, or the one that it was given since.
func (b *builder) placeOf(o *openFile) (string, error) {
	if name, ok := b.renames[o.path]; ok {
		return name, nil
	}
	if _, err := o.find(o.path); !errors.As(err, new(*lostError)) {
		return o.path, nil
	}
	name := o.renamed()
	if name == "" {
		return o.path, nil
	}
	b.renames[o.path] = name
	if err := copyFile(name+beside, name); err != nil {
		return "", fmt.Errorf("was renamed to %q, which can't be copied: %w", name, err)
	}
	return name, nil
}

// copyFile makes a copy of a file, with its mode.
func copyFile(to, from string) (err error) {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	_ = os.Remove(to) // of a process that has died here
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	if err == nil {
		err = w.Chmod(info.Mode())
	}
	if err == nil {
		err = w.Sync() // it may have been
	}
	return errors.Join(err, w.Close())
}

// putBack gives files their names back, and copies those that the files had.
func (b *builder) putBack() error {
	for own, name := range b.renames {
		err := os.Rename(name, own)
		if err == nil {
			err = os.Rename(name+beside, name)
		}
		if err != nil {
			return fmt.Errorf("heap: a file that was renamed since can't be put back: %w", err)
		}
		delete(b.renames, own)
	}
	return nil
}

// removeCopies removes those that are not in their places.
func (b *builder) removeCopies() {
	for _, name := range b.renames {
		_ = os.Remove(name + beside)
	}
}
