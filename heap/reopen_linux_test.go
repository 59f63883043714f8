package heap

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// TestFilesProtected has files open that their modes do not let anybody open so: they can be opened
// again, and cut, and have their modes afterwards.
func TestFilesProtected(t *testing.T) {
	dir, err := os.MkdirTemp("", "heap-protected-")
	must(t, err)
	defer os.RemoveAll(dir)
	if os.Geteuid() == 0 {
		// Modes mean nothing to root. The goroutine's thread works on files as somebody else.
		const nobody = 65534
		must(t, os.Chown(dir, nobody, nobody))
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		must(t, syscall.Setfsuid(nobody))
		defer syscall.Setfsuid(0)
	}
	type files struct{ written, appended, read *os.File }
	open := func(name string, flags int, mode os.FileMode) *os.File {
		f, err := os.OpenFile(filepath.Join(dir, name), flags|os.O_CREATE, mode)
		must(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	v := &files{open("written", os.O_WRONLY, 0o444), open("appended", os.O_RDWR|os.O_APPEND, 0), open("read", os.O_RDONLY, 0o200)}
	for _, f := range []*os.File{v.written, v.appended} {
		_, err := f.WriteString("before")
		must(t, err)
	}
	if f, err := os.OpenFile(v.written.Name(), os.O_WRONLY, 0); err == nil {
		f.Close()
		t.Skip("modes mean nothing here")
	}
	image := imageOf(t, v)
	_, err = v.appended.WriteString("later")
	must(t, err)
	im, err := Parse(image)
	must(t, err)
	w := new(files)
	must(t, im.Rebuild([]Root{{"world", w}}, Options{}))
	for _, f := range []*os.File{w.written, w.appended} {
		_, err := f.WriteString(" and after")
		must(t, err)
		info, err := f.Stat()
		must(t, err)
		equal(t, int64(len("before and after")), info.Size())
	}
	for name, mode := range map[string]os.FileMode{"written": 0o444, "appended": 0, "read": 0o200} {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		equal(t, mode, info.Mode().Perm())
	}
}
