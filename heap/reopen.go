package heap

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"unsafe"
)

// How a rebuild opens files again. It opens them when it makes the objects, without changing
// anything outside of the process but for copies (putback.go), so that all that can go wrong goes
// wrong then. When everything else has succeeded, and the caller has nothing left to do that could
// fail either ([Options].Later), files are cut back to the size that they had.
//
// That is safe for checkpoints other than the one that is rebuilt. A later one is void: whoever
// rebuilds has made that sure before (package store: an epoch is claimed with the checkpoint that
// it starts from). An earlier one needs less of a file, or as much more as the program itself has
// cut since; for bytes below the size that the file had at this checkpoint are not touched.

// A reopened file is one of a rebuild.
type reopened struct {
	file *os.File // nil if it is an os.Root
	io.Closer
	openFile
}

// files goes over the files of the image.
func (im *Image) files(visit func(g *group, k uint64, o openFile) error) error {
	for i := range im.groups {
		g := &im.groups[i]
		if !isFileType(g.typ) {
			continue
		}
		for k := range g.n {
			b := g.at(k)
			if isZeroBytes(b) {
				continue
			}
			if err := visit(g, k, im.openFile(g.typ, b)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Lost returns a *[FileError] for a file that the program was writing, and that is gone or shorter
// than it was, and can't be put back, from the given files ([Options].Files) or where it is now;
// nil if there is none.
func (im *Image) Lost(files []string) error {
	return im.files(func(_ *group, _ uint64, o openFile) error {
		if !o.written() {
			return nil
		}
		if _, err := o.find(o.path); errors.As(err, new(*lostError)) && o.kept(files) == "" {
			return &FileError{o.text(), err, true}
		}
		return nil
	})
}

// written reports whether it is a file that the program writes to.
func (o *openFile) written() bool { return o.kind == regularFile && o.access != readOnly }

// verifyFiles makes sure that files are described sensibly.
func (im *Image) verifyFiles() error {
	return im.files(func(g *group, k uint64, o openFile) error {
		named := o.kind == regularFile || o.kind == directory || o.kind == device
		if g.elements(k) != 1 || g.box || o.kind < closedFile || o.kind > lastKind || o.access > lastAccess ||
			int(o.stream) >= len(streams) || o.offset < 0 || o.size < 0 || named != (o.path != "") ||
			o.root && o.kind != directory && o.kind != closedFile {
			return damaged(secData, "object %d is not a file", g.first+k)
		}
		return nil
	})
}

// openFile reads a file from the image.
func (im *Image) openFile(t *Type, b []byte) openFile {
	at := filePlaces(im.word)
	text := func(at uint64) string {
		v := Value{im: im, typ: t.Fields[0].Type, b: b[at:]}
		s, _ := v.Text(v.Len())
		return s
	}
	return openFile{
		name: text(at.name), path: text(at.path),
		offset: int64(le.Uint64(b[at.offset:])), size: int64(le.Uint64(b[at.length:])),
		number: le.Uint64(b[at.number:]), mark: le.Uint64(b[at.mark:]),
		kind: fileKind(b[at.kind]), access: access(b[at.access]), stream: b[at.stream],
		append: b[at.append] == 1, sync: b[at.sync] == 1, read: b[at.read] == 1,
		root: t.Name == rootType,
	}
}

// makeFile makes the kth object of a group if it is more than a zero file.
func (b *builder) makeFile(g *group, k uint64) (made bool, err error) {
	bytes := g.at(k)
	if isZeroBytes(bytes) {
		return false, nil
	}
	o := b.openFile(g.typ, bytes)
	var opened interface {
		io.Closer
		Name() string
	}
	var inner, name unsafe.Pointer
	r := &reopened{openFile: o}
	if o.root {
		var root *os.Root
		if root, err = o.openRoot(); err == nil {
			opened, inner = root, innerOfRoot(root)
			name = unsafe.Add(inner, rootFields.name)
		}
	} else if r.file, err = b.open(&o); err == nil {
		opened, inner = r.file, innerOf(r.file)
		name = unsafe.Add(inner, nameField)
	}
	if err != nil {
		return false, &FileError{o.text(), err, o.written() && errors.As(err, new(*lostError))}
	}
	r.Closer = opened
	b.files[inner] = r
	if o.kind != standardStream {
		if *(*string)(name) != opened.Name() {
			return false, errors.New("heap: this version of Go keeps files in a way that is not known")
		}
		*(*string)(name) = o.name
	}
	b.ptrs[g.first+k] = inner
	return true, nil
}

// text is how messages name a file.
func (o *openFile) text() string {
	if o.path == "" || o.path == o.name {
		return fmt.Sprintf("%q", o.name)
	}
	return fmt.Sprintf("%q (%s)", o.name, o.path)
}

// typeText is the type that the program has of it.
func (o *openFile) typeText() string {
	if o.root {
		return "os.Root"
	}
	return "os.File"
}

// fileText describes an os.File or os.Root for people.
func (v Value) fileText() (string, bool) {
	if v.typ.Name != "os.File" && v.typ.Name != "os.Root" || v.NumField() != 1 {
		return "", false
	}
	inner, ok := v.FieldAt(0).Value.Elem()
	if !ok || inner.kind() == reflect.Invalid || !isFileType(inner.typ) {
		return "", false
	}
	o := v.im.openFile(inner.typ, inner.b)
	switch o.kind {
	case closedFile:
		return fmt.Sprintf("%s(%s, closed)", o.typeText(), o.text()), true
	case regularFile:
		how := map[access]string{readOnly: "read", writeOnly: "written", readWrite: "read and written"}[o.access]
		return fmt.Sprintf("os.File(%s, %s at %d of %d bytes)", o.text(), how, o.offset, o.size), true
	}
	return fmt.Sprintf("%s(%s)", o.typeText(), o.text()), true
}

const putBack = "put it back as it was, or start from the beginning"

// open opens the file. The error continues a sentence that begins with the file.
func (b *builder) open(o *openFile) (f *os.File, err error) {
	switch o.kind {
	case closedFile:
		if f, err = os.Open(os.DevNull); err == nil {
			err = f.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("and closed, can't be made: %w", err)
		}
		return f, nil
	case standardStream:
		if f = streams[o.stream]; f == nil {
			return nil, errors.New("is a standard stream, which this process does not have")
		}
		return f, nil
	case streamNumber, streamDuplicate:
		return o.openStream()
	}
	name := o.path
	if o.kind == device && (name == "/dev/null" || name == "NUL") {
		name = os.DevNull // of whichever system
	}
	switch {
	case o.kind == device && !slices.Contains(stateless, name):
		return nil, errors.New("is not a device that programs share")
	case o.kind != device && !filepath.IsAbs(name):
		return nil, errors.New("has no name that this system knows; continue on one like that of the checkpoint")
	}
	if o.kind == regularFile {
		if name, err = b.placeOf(o); err != nil {
			return nil, err
		}
	}
	info, err := o.find(name)
	if err != nil {
		return nil, err
	}
	if f, err = os.OpenFile(name, o.flags(), 0); errors.Is(err, fs.ErrPermission) {
		f, err = o.openPermitted(name, info.Mode(), err)
	}
	if err != nil {
		return nil, fmt.Errorf("can't be opened: %w", err)
	}
	if o.offset > 0 {
		_, err = f.Seek(o.offset, io.SeekStart)
	}
	if o.read {
		_, err = f.Readdirnames(-1)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("can't be read: %w", err)
	}
	return f, nil
}

// find looks whether a name still leads to what it did. It does not open it: a pipe would wait for
// its other end.
func (o *openFile) find(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &lostError{"does not exist any more; " + putBack}
	case err != nil:
		return nil, fmt.Errorf("can't be found: %w", err)
	case o.kind == regularFile && !info.Mode().IsRegular(), o.kind == directory && !info.IsDir(), o.kind == device && info.Mode()&os.ModeCharDevice == 0:
		return nil, errors.New("is something else now; " + putBack)
	case o.kind == regularFile && info.Size() < o.size:
		return nil, &lostError{fmt.Sprintf("has %d bytes and had %d: it was cut or replaced since; put back its first %d bytes, or start from the beginning", info.Size(), o.size, o.size)}
	case o.written() && o.replaced(name, info):
		return nil, &lostError{fmt.Sprintf("is another one now: it was replaced or begun anew since; put back its first %d bytes, or start from the beginning", o.size)}
	}
	return info, nil
}

// replaced reports whether the file that has the name now is not the one that the program was
// writing, as after a log was renamed and another one begun. It is the same if it has the same
// number, or the same contents where it has been copied to another place. What a program has
// overwritten in place since makes no difference, but for a file that it only appends to: that one
// was cut and begun anew.
func (o *openFile) replaced(name string, info fs.FileInfo) bool {
	if o.mark == 0 || !o.append && o.number == fileNumber(info) {
		return false
	}
	mark := markOf(name, o.size)
	return mark != 0 && mark != o.mark
}

// A lostError says that a file, or part of it, is not there any more.
type lostError struct{ text string }

func (e *lostError) Error() string { return e.text }

// openPermitted opens a file whose mode does not let the program open it as it has: one that it
// made, by a mode without the permission, or has protected since it is open. Its owner can have the
// permission while it is opened.
func (o *openFile) openPermitted(name string, mode fs.FileMode, denied error) (f *os.File, err error) {
	need := map[access]fs.FileMode{readOnly: 0o400, writeOnly: 0o200, readWrite: 0o600}[o.access]
	if o.kind != regularFile || mode&need == need || os.Chmod(name, mode|need) != nil {
		return nil, fmt.Errorf("%w; permit it to the user that the program runs as", denied)
	}
	f, err = os.OpenFile(name, o.flags(), 0)
	if cerr := os.Chmod(name, mode); err == nil && cerr != nil {
		f.Close()
		return nil, cerr
	}
	return f, err
}

func (o *openFile) openStream() (*os.File, error) {
	s := streams[o.stream]
	if s == nil {
		return nil, errors.New("is a standard stream, which this process does not have")
	}
	fd, err := number(s)
	if err == nil && o.kind == streamDuplicate {
		fd, err = duplicateOf(s)
	}
	if err != nil {
		return nil, fmt.Errorf("is another file of a standard stream, which can't be made: %w", err)
	}
	return os.NewFile(fd, o.name), nil
}

// flags returns what the file is opened with: nothing that creates or changes it.
func (o *openFile) flags() int {
	flags := map[access]int{readOnly: os.O_RDONLY, writeOnly: os.O_WRONLY, readWrite: os.O_RDWR}[o.access]
	if o.append {
		flags |= os.O_APPEND
	}
	if o.sync {
		flags |= os.O_SYNC
	}
	return flags
}

// cut cuts the files that are open for writing back to their size at the checkpoint. Those that are
// open twice are cut once: nobody wrote to them between two looks at their size.
func (b *builder) cut() error {
	if err := b.putBack(); err != nil {
		return err
	}
	for _, r := range b.files {
		if !r.writable() {
			continue
		}
		info, err := r.file.Stat()
		if err == nil && info.Size() > r.size {
			// A file that is appended to can't be cut by its descriptor everywhere, and by its name
			// only if its mode permits it.
			if err = r.file.Truncate(r.size); err != nil {
				err = os.Truncate(r.path, r.size)
			}
		}
		if err != nil {
			return fmt.Errorf("heap: file %s can't be cut back to the %d bytes that it had at the checkpoint: %w", r.text(), r.size, err)
		}
	}
	return nil
}

// closeFiles closes what a rebuild has opened that failed later.
func (b *builder) closeFiles() {
	for _, r := range b.files {
		if r.kind == regularFile || r.kind == directory || r.kind == device || r.kind == streamDuplicate {
			r.Close()
		}
	}
	b.removeCopies()
}
