package heap

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"unsafe"
)

// An os.Root is a pointer to what package os keeps of a directory, an os.root, as an os.File is to
// an os.file. That is saved as an openFile, too: the directory is opened again by its name.

// innerRoot is the type os.root, and rootFields are offsets in it; nil if this version of Go keeps
// roots in a way that is not known.
var innerRoot, rootFields = func() (_ reflect.Type, at struct{ name, fd, closed uintptr }) {
	rt := reflect.TypeFor[os.Root]()
	if rt.Kind() != reflect.Struct || rt.NumField() != 1 || rt.Field(0).Type.Kind() != reflect.Pointer {
		return nil, at
	}
	inner := rt.Field(0).Type.Elem()
	if inner.Kind() != reflect.Struct || typeText(inner) != rootType {
		return nil, at
	}
	name, named := inner.FieldByName("name")
	fd, open := inner.FieldByName("fd") // an int or a handle
	closed, told := inner.FieldByName("closed")
	if !named || !open || !told || name.Type.Kind() != reflect.String || fd.Type.Size() != unsafe.Sizeof(uintptr(0)) || closed.Type.Kind() != reflect.Bool {
		return nil, at
	}
	at.name, at.fd, at.closed = name.Offset, fd.Offset, closed.Offset
	return inner, at
}()

var typeOfRoot = reflect.TypeFor[os.Root]()

const rootType = "os.root"

// rootOf returns the os.Root of an os.root.
func rootOf(inner unsafe.Pointer) *os.Root { return (*os.Root)(unsafe.Pointer(&inner)) }

// innerOfRoot is the reverse.
func innerOfRoot(r *os.Root) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(r)) }

// describeRoot returns what is needed to open a root again. The error continues a sentence that
// begins with its name.
func describeRoot(r *os.Root) (*openFile, error) {
	o := &openFile{name: r.Name(), root: true}
	inner := innerOfRoot(r)
	if *(*bool)(unsafe.Add(inner, rootFields.closed)) {
		o.kind = closedFile
		return o, nil
	}
	info, err := r.Stat(".")
	if err != nil {
		return o, fmt.Errorf("tells nothing of itself: %w", err)
	}
	o.kind = directory
	if o.path, _ = locate(o.name, *(*uintptr)(unsafe.Add(inner, rootFields.fd)), info); o.path == "" {
		return o, errUnnamed
	}
	return o, nil
}

// openRoot opens the root. The error continues a sentence that begins with it.
func (o *openFile) openRoot() (*os.Root, error) {
	name := o.path
	if o.kind == closedFile {
		name = string(filepath.Separator) // there is always one
	} else if !filepath.IsAbs(name) {
		return nil, errors.New("has no name that this system knows; continue on one like that of the checkpoint")
	} else if _, err := o.find(name); err != nil {
		return nil, err
	}
	r, err := os.OpenRoot(name)
	if err == nil && o.kind == closedFile {
		err = r.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("can't be opened: %w", err)
	}
	return r, nil
}
