package heap

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

// An os.File is a pointer to what package os keeps of an open file, an os.file. Copies of one
// os.File share that, so it is what is saved: as what is needed to open the file again, at the same
// place. The os.File itself is a struct like any other.
//
// What can be opened again by its name is saved: regular files, directories, and devices that have
// no state. What has no name (pipes, sockets, files that were deleted) is refused. The standard
// streams belong to the process: what leads to one leads to that of the new process.
//
// See the package documentation for what is kept.

// innerFile is the type os.file; nil if this version of Go keeps files in a way that is not known.
var innerFile, nameField = func() (reflect.Type, uintptr) {
	rt := reflect.TypeFor[os.File]()
	if rt.Kind() != reflect.Struct || rt.NumField() != 1 || rt.Field(0).Type.Kind() != reflect.Pointer {
		return nil, 0
	}
	inner := rt.Field(0).Type.Elem()
	if inner.Kind() != reflect.Struct || typeText(inner) != fileType {
		return nil, 0
	}
	name, ok := inner.FieldByName("name")
	if !ok || name.Type.Kind() != reflect.String {
		return nil, 0
	}
	return inner, name.Offset
}()

var typeOfFile = reflect.TypeFor[os.File]()

const fileType = "os.file"

// isFile reports whether values of a type are saved as an openFile.
func isFile(rt reflect.Type) bool { return rt == innerFile || rt == innerRoot }

// An openFile is what is saved of a file.
type openFile struct {
	name   string // as the program calls it
	path   string // to open it by: absolute; empty if it is not opened by name
	offset int64
	size   int64  // of a regular file
	number uint64 // of a regular file: what the system knows it by; 0 if it has no number
	mark   uint64 // of its contents, if it is written; 0 if it can't be read
	kind   fileKind
	access access
	stream uint8 // 0 standard input, 1 output, 2 error
	append bool
	sync   bool
	read   bool // a directory: to its end
	root   bool // it is an os.Root: in the image, by the type
}

type fileKind uint8

const (
	closedFile fileKind = iota + 1
	regularFile
	directory
	device          // one without state, such as /dev/null
	standardStream  // what os.Stdin, os.Stdout or os.Stderr was at the start of the process
	streamNumber    // another os.File of the descriptor of a standard stream
	streamDuplicate // another descriptor of the same pipe, socket or terminal as a standard stream
	lastKind        = streamDuplicate
)

type access uint8

const (
	readOnly access = iota
	writeOnly
	readWrite
	lastAccess = readWrite
)

func (o *openFile) writable() bool { return o.kind == regularFile && o.access != readOnly }

// fileFields are the fields of a file in the image.
var fileFields = []struct {
	name string
	rt   reflect.Type
}{
	{"name", reflect.TypeFor[string]()},
	{"path", reflect.TypeFor[string]()},
	{"offset", reflect.TypeFor[int64]()},
	{"size", reflect.TypeFor[int64]()},
	{"number", reflect.TypeFor[uint64]()},
	{"mark", reflect.TypeFor[uint64]()},
	{"kind", reflect.TypeFor[uint8]()},
	{"access", reflect.TypeFor[uint8]()},
	{"stream", reflect.TypeFor[uint8]()},
	{"append", reflect.TypeFor[bool]()},
	{"sync", reflect.TypeFor[bool]()},
	{"read", reflect.TypeFor[bool]()},
}

// filePlaces returns their offsets, and the size, with words of a size.
func filePlaces(word uint64) (at struct {
	name, path, offset, length, number, mark, kind, access, stream, append, sync, read, size uint64
}) {
	at.path, at.offset, at.length, at.number, at.mark = 2*word, 4*word, 4*word+8, 4*word+16, 4*word+24
	end := 4*word + 32
	at.kind, at.access, at.stream, at.append, at.sync, at.read, at.size = end, end+1, end+2, end+3, end+4, end+5, end+8
	return at
}

// linkFile fills in the parts of the type of files.
func (pl *planner) linkFile(p *plan, made *[]*plan) {
	for _, f := range fileFields {
		p.Type.Fields = append(p.Type.Fields, Field{Name: f.name, pkg: "os", Type: pl.declare(f.rt, made).Type})
	}
}

// isFileType reports whether a type of an image is that of files.
func isFileType(t *Type) bool {
	if t.Name != fileType && t.Name != rootType || t.Kind != reflect.Struct || len(t.Fields) != len(fileFields) || t.size != filePlaces(t.word).size {
		return false
	}
	for i, f := range fileFields {
		if t.Fields[i].Name != f.name || t.Fields[i].Type.Kind != f.rt.Kind() {
			return false
		}
	}
	return true
}

// fileOf returns the os.File of an os.file.
func fileOf(inner unsafe.Pointer) *os.File { return (*os.File)(unsafe.Pointer(&inner)) }

// innerOf is the reverse.
func innerOf(f *os.File) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(f)) }

// streams are the standard streams of the process.
var streams = [3]*os.File{os.Stdin, os.Stdout, os.Stderr}

// file visits the os.file or os.root at x.
func (w *walker) file(x unsafe.Pointer, p *plan, q unsafe.Pointer) error {
	if w.files[x] != nil {
		return nil
	}
	var o *openFile
	var err error
	if p.rt == innerRoot {
		o, err = describeRoot(rootOf(x))
	} else {
		o, err = describe(fileOf(x))
	}
	if err != nil {
		w.note(q)
		return &refusal{o.typeText(), fmt.Sprintf("%q %v", o.name, err)}
	}
	w.files[x] = o
	w.visit(x, p, 1, byPointer, q)
	for _, s := range []string{o.name, o.path} {
		if s != "" {
			w.visit(unsafe.Pointer(unsafe.StringData(s)), w.bytes(), len(s), byString, q)
		}
	}
	return nil
}

// file writes the os.file or os.root at q.
func (e *encoder) file(dst []byte, q unsafe.Pointer) {
	at := filePlaces(e.planner.word)
	clear(dst[:at.size])
	o := e.files[q]
	if o == nil {
		return // a zero one
	}
	for at, s := range map[uint64]string{at.name: o.name, at.path: o.path} {
		if s != "" {
			e.put(dst[at:], e.address(unsafe.Pointer(unsafe.StringData(s)), e.bytes()))
			putNumber(dst[at+e.planner.word:], e.planner.word, uint64(len(s)))
		}
	}
	le.PutUint64(dst[at.offset:], uint64(o.offset))
	le.PutUint64(dst[at.length:], uint64(o.size))
	le.PutUint64(dst[at.number:], o.number)
	le.PutUint64(dst[at.mark:], o.mark)
	dst[at.kind], dst[at.access], dst[at.stream] = uint8(o.kind), uint8(o.access), o.stream
	for at, set := range map[uint64]bool{at.append: o.append, at.sync: o.sync, at.read: o.read} {
		if set {
			dst[at] = 1
		}
	}
}

// describe returns what is needed to open a file again. The error continues a sentence that begins
// with its name.
func describe(f *os.File) (*openFile, error) {
	o := &openFile{name: f.Name()}
	for i, s := range streams {
		if s != nil && innerOf(s) == innerOf(f) {
			o.kind, o.stream = standardStream, uint8(i)
			return o, nil
		}
	}
	info, err := f.Stat()
	if errors.Is(err, os.ErrClosed) {
		o.kind = closedFile
		return o, nil
	}
	if err != nil {
		return o, fmt.Errorf("tells nothing of itself: %w", err)
	}
	fd, err := number(f)
	if err != nil {
		return o, fmt.Errorf("has no descriptor: %w", err)
	}
	path, byName := locate(o.name, fd, info)
	if i, ok := streamOf(fd); ok && !byName {
		o.kind, o.stream = streamNumber, i
		return o, nil
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return o, o.regular(f, fd, path, info)
	case mode.IsDir():
		return o, o.directory(f, path)
	case o.device(info):
		o.access, _, _, err = openedFor(f, fd)
		return o, err
	case o.duplicate(f, fd, info):
		return o, nil
	}
	return o, fmt.Errorf("is %s, which belongs to the process; close it before the checkpoint and open it again afterwards", kindOf(info.Mode()))
}

var errUnnamed = errors.New("was deleted, renamed or replaced while it is open, so that a new process could not open it by name; close it before the checkpoint")

func (o *openFile) regular(f *os.File, fd uintptr, path string, info os.FileInfo) (err error) {
	if path == "" {
		return errUnnamed
	}
	o.kind, o.path, o.size = regularFile, path, info.Size()
	if o.access, o.append, o.sync, err = openedFor(f, fd); err != nil {
		return fmt.Errorf("does not tell how it was opened: %w", err)
	}
	if o.offset, err = f.Seek(0, io.SeekCurrent); err != nil {
		return fmt.Errorf("does not tell its offset: %w", err)
	}
	o.number = fileNumber(info)
	if o.writable() {
		o.mark = markOf(path, o.size)
	}
	return nil
}

// markOf sums up the first bytes of a file and the last before a size: those of another file are
// others. It is 0 if they can't be read.
func markOf(path string, size int64) uint64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	var b [4096]byte
	h := fnv.New64a()
	for _, at := range []int64{0, max(0, size-int64(len(b)))} {
		part := b[:min(int64(len(b)), size-at)]
		if _, err := f.ReadAt(part, at); err != nil {
			return 0
		}
		h.Write(part)
	}
	return h.Sum64()
}

func (o *openFile) directory(f *os.File, path string) error {
	if path == "" {
		return errUnnamed
	}
	o.kind, o.path = directory, path
	begun, ended := readDirectory(innerOf(f))
	if begun && !ended {
		return errors.New("is a directory that has been read in part; read it to its end before the checkpoint, or close it")
	}
	o.read = ended
	return nil
}

// stateless are devices of which one is like the other.
var stateless = []string{os.DevNull, "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

func (o *openFile) device(info os.FileInfo) bool {
	if info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	for _, name := range stateless {
		if other, err := os.Stat(name); err == nil && (o.name == name || os.SameFile(info, other)) {
			o.kind, o.path = device, name
			return true
		}
	}
	return false
}

// duplicate reports whether a standard stream is the same pipe, socket or terminal, used the same
// way.
func (o *openFile) duplicate(f *os.File, fd uintptr, info os.FileInfo) bool {
	how, _, _, err := openedFor(f, fd)
	if err != nil || !canDuplicate {
		return false
	}
	for _, i := range []uint8{1, 2, 0} {
		s := streams[i]
		if s == nil {
			continue
		}
		other, err := s.Stat()
		if err != nil || !os.SameFile(info, other) {
			continue
		}
		n, err := number(s)
		if err != nil {
			continue
		}
		if same, _, _, err := openedFor(s, n); err == nil && same == how {
			o.kind, o.stream = streamDuplicate, i
			return true
		}
	}
	return false
}

func kindOf(mode os.FileMode) string {
	switch {
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	case mode&os.ModeDevice != 0:
		return "a device"
	}
	return "neither a regular file nor a directory"
}

// number returns the descriptor of a file. Method Fd would change its mode.
func number(f *os.File) (fd uintptr, err error) {
	c, err := f.SyscallConn()
	if err == nil {
		err = c.Control(func(n uintptr) { fd = n })
	}
	return fd, err
}

// streamOf returns the standard stream that has a descriptor.
func streamOf(fd uintptr) (uint8, bool) {
	for i, n := range []uintptr{uintptr(syscall.Stdin), uintptr(syscall.Stdout), uintptr(syscall.Stderr)} {
		if n == fd {
			return uint8(i), true
		}
	}
	return 0, false
}

// locate returns a name by which a file that is open can be opened: the one that it was opened by,
// if that still leads to it, or the one that the system knows; "" if there is none.
func locate(name string, fd uintptr, info os.FileInfo) (path string, byName bool) {
	leads := func(path string) bool {
		there, err := os.Stat(path)
		return err == nil && os.SameFile(info, there)
	}
	if name != "" && !aliasOfDescriptor(name) {
		if path, err := filepath.Abs(name); err == nil && leads(path) {
			return path, true
		}
	}
	if path, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)); err == nil && filepath.IsAbs(path) && leads(path) {
		return path, false
	}
	return "", false
}

// aliasOfDescriptor reports whether a name is one for a descriptor of the process, whatever that
// leads to.
func aliasOfDescriptor(name string) bool {
	return strings.HasPrefix(name, "/dev/std") || strings.HasPrefix(name, "/dev/fd/") ||
		strings.HasPrefix(name, "/proc/") && strings.Contains(name, "/fd/")
}

// directoryFields tell where an os.file refers to what was read of a directory and is not used yet.
var directoryFields = sync.OnceValue(func() (at struct {
	info, buf       uintptr
	known, buffered bool
}) {
	f, ok := innerFile.FieldByName("dirinfo")
	if !ok || f.Type.Size() != unsafe.Sizeof(uintptr(0)) {
		return at
	}
	at.info, at.known = f.Offset, true
	if f.Type.Kind() != reflect.Struct || genericOf(f.Type) != "sync/atomic.Pointer" || f.Type.Field(0).Type.Kind() != reflect.Array {
		return at
	}
	info := f.Type.Field(0).Type.Elem().Elem()
	if buf, ok := info.FieldByName("buf"); ok && buf.Type.Kind() == reflect.Pointer {
		at.buf, at.buffered = buf.Offset, true
	}
	return at
})

// readDirectory reports whether the entries of a directory have been read, and whether all have.
func readDirectory(inner unsafe.Pointer) (begun, ended bool) {
	at := directoryFields()
	if !at.known {
		return true, false
	}
	info := *(*unsafe.Pointer)(unsafe.Add(inner, at.info))
	if info == nil {
		return false, false
	}
	// The buffer is given back when there is no more to read.
	return true, at.buffered && *(*unsafe.Pointer)(unsafe.Add(info, at.buf)) == nil
}

// opened returns the files that are open, and those of them that are for writing.
func (w *walker) opened() (all []string, written []WrittenFile) {
	seen := make(map[string]bool) // and whether it is among those that are written
	for inner, o := range w.files {
		if o.kind != regularFile {
			continue
		}
		listed, known := seen[o.path]
		if !known {
			all = append(all, o.path)
		}
		if o.writable() && !listed {
			written = append(written, WrittenFile{fileOf(inner), o.path})
		}
		seen[o.path] = listed || o.writable()
	}
	return all, written
}
