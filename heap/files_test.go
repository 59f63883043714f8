package heap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// openFiles are files in every state.
type openFiles struct {
	read, written, appended, both, closed, dir, null *os.File
	same                                             *os.File
	copied                                           os.File
	held                                             any
	root, sameRoot, closedRoot                       *os.Root
}

func newOpenFiles(t testing.TB) (v *openFiles, path string) {
	dir := t.TempDir()
	path = filepath.Join(dir, "file")
	must(t, os.WriteFile(path, []byte("0123456789"), 0o666))
	open := func(flag int) *os.File {
		f, err := os.OpenFile(path, flag, 0)
		must(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	v = &openFiles{read: open(os.O_RDONLY), written: open(os.O_WRONLY), appended: open(os.O_WRONLY | os.O_APPEND), both: open(os.O_RDWR | os.O_SYNC), closed: open(os.O_RDWR)}
	must(t, v.closed.Close())
	for i, f := range []*os.File{v.read, v.written, v.both} {
		_, err := f.Seek(int64(i+1), 0)
		must(t, err)
	}
	var err error
	v.dir, err = os.Open(dir)
	must(t, err)
	t.Cleanup(func() { v.dir.Close() })
	v.null, err = os.OpenFile(os.DevNull, os.O_RDWR, 0)
	must(t, err)
	t.Cleanup(func() { v.null.Close() })
	v.same, v.copied, v.held = v.read, *v.read, *v.both
	v.root, err = os.OpenRoot(dir)
	must(t, err)
	t.Cleanup(func() { v.root.Close() })
	v.closedRoot, err = v.root.OpenRoot(".")
	must(t, err)
	must(t, v.closedRoot.Close())
	v.sameRoot = v.root
	return v, path
}

// TestFiles has two sets of files afterwards, of which each goes on where the first was.
func TestFiles(t *testing.T) {
	v, path := newOpenFiles(t)
	w := again(t, v)
	runtime.GC()
	describeAll := func(v *openFiles) (list []openFile) {
		for _, f := range []*os.File{v.read, v.written, v.appended, v.both, v.closed, v.dir, v.null, v.same, &v.copied} {
			o, err := describe(f)
			must(t, err)
			list = append(list, *o)
		}
		for _, r := range []*os.Root{v.root, v.closedRoot} {
			o, err := describeRoot(r)
			must(t, err)
			list = append(list, *o)
		}
		return list
	}
	equal(t, describeAll(v), describeAll(w))
	check(t, w.read != v.read && w.same == w.read && innerOf(&w.copied) == innerOf(w.read) && innerOf(w.read) != innerOf(v.read))
	held := w.held.(os.File)
	check(t, innerOf(&held) == innerOf(w.both))
	_, err := w.closed.Write(nil)
	check(t, errors.Is(err, os.ErrClosed), err)
	check(t, w.root != v.root && w.sameRoot == w.root && innerOfRoot(w.root) != innerOfRoot(v.root))
	_, err = w.closedRoot.Stat(".")
	check(t, errors.Is(err, os.ErrClosed), err)
	must(t, v.root.Close())
	inRoot, err := w.root.ReadFile("file")
	must(t, err)
	equal(t, "0123456789", string(inRoot))
	must(t, w.root.Close())

	// The copy has offsets of its own.
	b := make([]byte, 2)
	for _, f := range []*os.File{v.read, w.read, w.same} {
		_, err := f.Read(b)
		must(t, err)
		t.Logf("%s", b)
	}
	equal(t, "34", string(b))
	_, err = w.written.WriteString("A")
	must(t, err)
	_, err = w.both.WriteString("B")
	must(t, err)
	_, err = w.appended.WriteString("C")
	must(t, err)
	got, err := os.ReadFile(path)
	must(t, err)
	equal(t, "01AB456789C", string(got))
	names, err := w.dir.Readdirnames(-1)
	must(t, err)
	equal(t, []string{"file"}, names)
}

// TestFilesCut is a rebuild in its steps: nothing is changed before the last.
func TestFilesCut(t *testing.T) {
	v, path := newOpenFiles(t)
	s, err := Capture([]Root{{"v", v}}, Options{})
	must(t, err)
	equal(t, 1, len(s.Written()))
	equal(t, path, s.Written()[0].Path)
	var b bytes.Buffer
	_, err = s.WriteTo(&b)
	must(t, err)
	_, err = v.appended.WriteString("later")
	must(t, err)
	im, err := Parse(b.Bytes())
	must(t, err)
	text := im.Roots()[0].Value.String()
	check(t, strings.Contains(text, `read: #`) && strings.Contains(text, "read at 1 of 10 bytes") && strings.Contains(text, "written at 2 of 10 bytes") && strings.Contains(text, ", closed)"), text)
	check(t, strings.Contains(text, fmt.Sprintf("os.Root(%q)", filepath.Dir(path))), text)
	size := func() int64 {
		info, err := os.Stat(path)
		must(t, err)
		return info.Size()
	}
	equal(t, int64(15), size())
	var later func() error
	w := new(openFiles)
	must(t, im.Rebuild([]Root{{"v", w}}, Options{Later: func(f func() error) { later = f }}))
	equal(t, int64(15), size())
	must(t, later())
	equal(t, int64(10), size())

	// One that can't be opened leaves all as they are, and none open.
	must(t, os.WriteFile(path, []byte("0123"), 0o666))
	before := descriptors(t)
	err = im.Rebuild([]Root{{"v", w}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "has 4 bytes and had 10"), err)
	equal(t, before, descriptors(t))
	must(t, os.Remove(path))
	err = im.Rebuild([]Root{{"v", w}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), path) && strings.Contains(err.Error(), "does not exist any more"), err)
}

// TestFilesReplaced moves what the program was writing to another directory, and begins another
// file of that name.
func TestFilesReplaced(t *testing.T) {
	for _, flags := range []int{0, os.O_APPEND} {
		path := filepath.Join(t.TempDir(), "log")
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|flags, 0o666)
		must(t, err)
		defer f.Close()
		_, err = f.WriteString("one\ntwo\n")
		must(t, err)
		im, err := Parse(imageOf(t, &struct{ *os.File }{f}))
		must(t, err)
		lost := func() {
			t.Helper()
			err := im.Lost(nil)
			check(t, err != nil && strings.Contains(err.Error(), path) && strings.Contains(err.Error(), "is another one now: it was replaced or begun anew since; put back its first 8 bytes"), err)
		}
		write := func(text string) { must(t, os.WriteFile(path, []byte(text), 0o666)) }

		away := filepath.Join(t.TempDir(), "log")
		must(t, os.Rename(path, away))
		write("one\ntwo\nthree\n") // a copy
		must(t, im.Lost(nil))
		write("three\nfour\n")
		lost()
		must(t, os.Rename(away, path))
		must(t, im.Lost(nil))
		// Where a file is not only appended to this can have been overwritten.
		write("three\nfour\n")
		if flags == os.O_APPEND {
			lost()
		} else {
			must(t, im.Lost(nil))
		}
	}
}

// TestFilesPutBack takes what the program was writing out of its place, as programs do when a file
// is complete or needed no more, and may begin the next one.
func TestFilesPutBack(t *testing.T) {
	type files struct{ written, again, other *os.File }
	for _, c := range []struct {
		what    string
		linked  bool
		take    func(draft, complete, elsewhere string) error
		left    string // what is found by the name complete then
		begins  string // the next one
		nothing bool   // it is lost
	}{
		{what: "renamed", take: func(draft, complete, _ string) error { return os.Rename(draft, complete) }, left: "one\ntwo\nthree\n"},
		{what: "renamed, and the next begun", take: func(draft, complete, _ string) error { return os.Rename(draft, complete) }, left: "one\ntwo\nthree\n", begins: "next"},
		{what: "renamed, with a name kept", linked: true, take: func(draft, complete, _ string) error { return os.Rename(draft, complete) }, left: "one\ntwo\nthree\n", begins: "next"},
		{what: "deleted", take: func(draft, _, _ string) error { return os.Remove(draft) }, begins: "next", nothing: true},
		{what: "deleted, with a name kept", linked: true, take: func(draft, _, _ string) error { return os.Remove(draft) }},
		{what: "moved, with a name kept", linked: true, take: func(draft, _, elsewhere string) error { return os.Rename(draft, elsewhere) }, begins: "next"},
		{what: "overwritten, with a name kept", linked: true, take: func(draft, complete, _ string) error {
			must(t, os.Rename(draft, complete))
			must(t, os.WriteFile(draft, []byte("a longer one\n"), 0o666))
			return os.Rename(draft, complete)
		}, left: "a longer one\n", begins: "and the next but one"},
	} {
		dir, away := t.TempDir(), t.TempDir()
		draft, complete, other := filepath.Join(dir, "draft"), filepath.Join(dir, "complete"), filepath.Join(dir, "other")
		v := new(files)
		var err error
		v.written, err = os.OpenFile(draft, os.O_WRONLY|os.O_CREATE, 0o640)
		must(t, err)
		if info, err := v.written.Stat(); err != nil || fileNumber(info) == 0 {
			t.Skip("files have no numbers here", err)
		}
		v.again, err = os.OpenFile(draft, os.O_WRONLY|os.O_APPEND, 0)
		must(t, err)
		v.other, err = os.Create(other)
		must(t, err)
		_, err = v.written.WriteString("one\ntwo\n")
		must(t, err)
		im, err := Parse(imageOf(t, v))
		must(t, err)
		kept := []string{filepath.Join(away, "none")}
		if c.linked {
			kept = append(kept, filepath.Join(away, "kept"))
			must(t, os.Link(draft, kept[1]))
		}
		_, err = v.written.WriteString("three\n")
		must(t, err)
		must(t, c.take(draft, complete, filepath.Join(away, "elsewhere")))
		if c.begins != "" {
			must(t, os.WriteFile(draft, []byte(c.begins), 0o666))
		}
		are := func(want map[string]string) {
			t.Helper()
			if want["complete"] == "" {
				delete(want, "complete")
			}
			got := make(map[string]string)
			list, err := os.ReadDir(dir)
			must(t, err)
			for _, e := range list {
				b, err := os.ReadFile(filepath.Join(dir, e.Name()))
				must(t, err)
				got[e.Name()] = string(b)
			}
			equal(t, want, got)
		}

		if c.nothing {
			var lost *FileError
			check(t, errors.As(im.Lost(kept), &lost) && lost.Lost, c.what)
			err = im.Rebuild([]Root{{"world", new(files)}}, Options{Files: kept})
			check(t, errors.As(err, &lost) && lost.Lost, c.what, err)
			continue
		}
		must(t, im.Lost(kept))
		w := new(files)
		var later func() error
		must(t, im.Rebuild([]Root{{"world", w}}, Options{Later: func(f func() error) { later = f }, Files: kept}))
		if c.begins == "" {
			_, err := os.Stat(draft)
			check(t, os.IsNotExist(err), c.what, err)
		}
		must(t, later())
		are(map[string]string{"draft": "one\ntwo\n", "complete": c.left, "other": ""})
		info, err := os.Stat(draft)
		must(t, err)
		equal(t, os.FileMode(0o640), info.Mode())
		_, err = w.written.WriteString("3")
		must(t, err)
		_, err = w.again.WriteString("4")
		must(t, err)
		// The next process finds it as well, if this one dies now.
		must(t, im.Rebuild([]Root{{"world", new(files)}}, Options{Files: kept}))
		are(map[string]string{"draft": "one\ntwo\n", "complete": c.left, "other": ""})
		if !c.linked {
			continue
		}
		// So it does if this one dies when it has renamed the file again.
		must(t, os.Rename(draft, complete))
		must(t, im.Rebuild([]Root{{"world", new(files)}}, Options{Files: kept}))
		are(map[string]string{"draft": "one\ntwo\n", "complete": "one\ntwo\n", "other": ""})

		// One that can't be rebuilt for another reason leaves nothing behind.
		must(t, os.Remove(draft))
		must(t, os.Remove(other))
		err = im.Rebuild([]Root{{"world", new(files)}}, Options{Files: kept[:1]})
		check(t, err != nil, c.what)
		must(t, os.Mkdir(other, 0o777))
		err = im.Rebuild([]Root{{"world", new(files)}}, Options{Files: kept})
		check(t, err != nil && strings.Contains(err.Error(), other), c.what, err)
		must(t, os.Remove(other))
		are(map[string]string{"complete": "one\ntwo\n"})
	}
}

// TestFilesReadPutBack takes a file out of its place that the program was reading.
func TestFilesReadPutBack(t *testing.T) {
	type files struct{ read *os.File }
	dir := t.TempDir()
	name, kept := filepath.Join(dir, "input"), filepath.Join(t.TempDir(), "kept")
	must(t, os.WriteFile(name, []byte("one\ntwo\n"), 0o444))
	f, err := os.Open(name)
	must(t, err)
	defer f.Close()
	if info, err := f.Stat(); err != nil || fileNumber(info) == 0 {
		t.Skip("files have no numbers here", err)
	}
	_, err = f.Seek(4, io.SeekStart)
	must(t, err)
	s, err := Capture([]Root{{"world", &files{f}}}, Options{})
	must(t, err)
	equal(t, []string{name}, s.Opened())
	equal(t, 0, len(s.Written()))
	im, err := Parse(imageOf(t, &files{f}))
	must(t, err)
	must(t, os.Link(name, kept))
	must(t, os.Remove(name))
	rebuild := func(kept ...string) (string, error) {
		w := new(files)
		if err := im.Rebuild([]Root{{"world", w}}, Options{Files: kept}); err != nil {
			return "", err
		}
		rest, err := io.ReadAll(w.read)
		must(t, err)
		must(t, w.read.Close())
		return string(rest), nil
	}
	_, err = rebuild()
	check(t, err != nil && strings.Contains(err.Error(), "does not exist any more"), err)
	rest, err := rebuild(kept)
	must(t, err)
	equal(t, "two\n", rest)
	must(t, os.Remove(name)) // the program can do it again

	// Another one of that name is not the program's.
	must(t, os.WriteFile(name, []byte("1"), 0o666))
	_, err = rebuild(kept)
	check(t, err != nil && strings.Contains(err.Error(), "has 1 bytes and had 8"), err)
	b, err := os.ReadFile(name)
	must(t, err)
	equal(t, "1", string(b))
}

// descriptors counts those that are open, where the system tells.
func descriptors(t *testing.T) int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Log(err)
	}
	return len(list)
}

// TestFilesHostile changes each byte of an image with files, in one way or with -long in five: no
// panic, and nothing happens to the file.
func TestFilesHostile(t *testing.T) {
	v, path := newOpenFiles(t)
	good := imageOf(t, v)
	tried := 0
	for i := range good {
		for k, x := range []byte{0, 1, 7, good[i] + 1, 0xff} {
			if !*long && k != i%5 {
				continue
			}
			b := bytes.Clone(good)
			b[i] = x
			im, err := Parse(reseal(b))
			if err != nil {
				continue
			}
			_ = im.Roots()[0].Value.String()
			if hasStreamNumber(im) {
				continue // the collector would close a stream of this process
			}
			_ = im.Rebuild([]Root{{"world", new(openFiles)}}, Options{Named: StandardNamed(), Later: func(func() error) {}})
			if tried++; tried%100 == 0 {
				runtime.GC() // closes what is open
			}
		}
	}
	got, err := os.ReadFile(path)
	must(t, err)
	equal(t, "0123456789", string(got))
}

func hasStreamNumber(im *Image) bool {
	for i := range im.groups {
		g := &im.groups[i]
		for k := range g.n {
			if _, b := im.content(g.first + k); isFileType(g.typ) && fileKind(b[filePlaces(im.word).kind]) == streamNumber {
				return true
			}
		}
	}
	return false
}
