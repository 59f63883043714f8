package heap

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A program that is careful with its files writes one under another name, and gives it its own when
// it is complete:
//
//	f, err := os.Create("state.new")
//	...
//	err = os.Rename("state.new", "state")
//
// Others write what they need for a while, and delete it. If the program dies behind that, and the
// file was open at the last checkpoint, it is not there by its name any more; another may be, which
// the program has begun since. But the checkpoint may have kept a name of it ([Options].Files), or
// it is still in the same directory; with the same number, and with what it had at the checkpoint
// at its beginning. So that is copied to where it was, in the place of one that was begun since:
// that is done again, as what was written to any file after the checkpoint. What has become of the
// file itself stays as it is. A file that has got the number later is one that the mark tells. If
// the program dies once more, the copy has the mark as well, or is lost as the file was.
//
// One that was only read, and is needed no more, is deleted as well. It gets its name back where
// nothing has that now, as what has it could be another program's. No copy is needed of it.
//
// The copy is made when the file is opened, beside its place. It is put there when files are cut:
// before that the rebuild can fail.

// beside is what the name of a copy ends with until it is in its place.
const beside = ".putback"

// kept returns a name that leads to a file which the program had open, where its own does no
// longer: one of the given ones, or, if it was written, the one that it has now in the directory
// that it was in; or "".
func (o *openFile) kept(files []string) string {
	if o.number == 0 || o.written() && o.mark == 0 {
		return ""
	}
	is := func(name string) bool {
		info, err := os.Lstat(name)
		return err == nil && info.Mode().IsRegular() && fileNumber(info) == o.number && info.Size() >= o.size && (!o.written() || markOf(name, o.size) == o.mark)
	}
	for _, name := range files {
		if is(name) {
			return name
		}
	}
	if !o.written() {
		return ""
	}
	dir := filepath.Dir(o.path)
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if name := filepath.Join(dir, e.Name()); e.Type().IsRegular() && is(name) {
			return name
		}
	}
	return ""
}

// placeOf returns the name by which a regular file is to be opened: its own, or that of a copy.
func (b *builder) placeOf(o *openFile) (string, error) {
	if name, ok := b.copies[o.path]; ok {
		return name, nil
	}
	if _, err := o.find(o.path); !errors.As(err, new(*lostError)) {
		return o.path, nil
	}
	if !o.written() && exists(o.path) {
		return o.path, nil
	}
	name := o.kept(b.kept)
	if name == "" {
		return o.path, nil
	}
	b.copies[o.path] = o.path + beside
	copied := copyFile
	if !o.written() {
		copied = linkFile
	}
	if err := copied(o.path+beside, name, o.size); err != nil {
		return "", fmt.Errorf("is %q now, which can't be copied: %w", name, err)
	}
	return o.path + beside, nil
}

// copyFile makes a copy of the first bytes of a file, with its mode.
func copyFile(to, from string, size int64) (err error) {
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
	_, err = io.CopyN(w, r, size)
	if err == nil {
		err = w.Chmod(info.Mode())
	}
	if err == nil {
		err = w.Sync() // the file was
	}
	return errors.Join(err, w.Close())
}

// linkFile makes another name of a file.
func linkFile(to, from string, _ int64) error {
	_ = os.Remove(to) // of a process that has died here
	return os.Link(from, to)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// putBack puts the copies where the files were.
func (b *builder) putBack() error {
	for own, name := range b.copies {
		if err := os.Rename(name, own); err != nil {
			return fmt.Errorf("heap: a file that is gone can't be put back: %w", err)
		}
		delete(b.copies, own)
	}
	return nil
}

// removeCopies removes those that are not in their places.
func (b *builder) removeCopies() {
	for _, name := range b.copies {
		_ = os.Remove(name)
	}
}
