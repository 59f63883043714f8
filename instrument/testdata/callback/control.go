package callback

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing/fstest"
	"time"
)

// value is computed once. Closures of the standard library are in package variables.
var (
	computed int
	value    = sync.OnceValue(func() int { at(&computed); return 42 + computed })
	values   = sync.OnceValues(func() (int, error) { at(&computed); return computed, errLost })
	greet    = sync.OnceFunc(func() { at(&computed); show("sync.OnceFunc", computed) })
)

var errLost = errors.New("lost")

func once() {
	var o sync.Once
	n := 0
	for range 3 {
		o.Do(func() { at(&n) })
		at(&n)
		v, err := values()
		show("sync.Once", n, value(), v, err == errLost)
		greet()
	}
	fails := sync.OnceFunc(func() { at(&n); panic(fmt.Sprint("failed after ", n)) })
	for range 2 {
		func() {
			defer func() { at(&n); show("sync.OnceFunc", recover()) }()
			fails()
		}()
	}
	var m sync.Map
	m.Store("a", 1)
	m.Range(func(k, v any) bool {
		at(&n)
		m.Store("a", n)
		show("sync.Map", k, v, n)
		return true
	})
	// Whoever waits for the one who does it can join a checkpoint, too.
	var shared sync.Once
	var done sync.WaitGroup
	started := make(chan bool)
	for range 3 {
		done.Go(func() {
			shared.Do(func() {
				started <- true
				at(&n)
			})
		})
	}
	<-started
	done.Wait()
	show("sync.Once", n)
}

func walking() {
	n := 0
	dir, err := os.MkdirTemp("", "walk")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"a/b", "a/c", "d"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			panic(err)
		}
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		at(&n)
		rel, _ := filepath.Rel(dir, path)
		show("filepath.WalkDir", filepath.ToSlash(rel), d.IsDir(), err, n)
		if rel == "a" {
			return nil
		}
		if strings.HasSuffix(path, "c") {
			return filepath.SkipAll
		}
		return nil
	})
	show("filepath.WalkDir", err)
	err = filepath.Walk(dir, func(path string, info fs.FileInfo, err error) error {
		at(&n)
		show("filepath.Walk", info.IsDir(), err, n)
		return fs.SkipDir
	})
	show("filepath.Walk", err)
	files := fstest.MapFS{"x/y.txt": {Data: []byte("text")}, "z.txt": {Data: []byte("more")}}
	err = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		at(&n)
		show("fs.WalkDir", path, d.Name(), n)
		return err
	})
	show("fs.WalkDir", err)
}

// slow is a reader and a writer.
type slow struct {
	text  string
	count *int
}

func (s *slow) Read(p []byte) (int, error) {
	at(s.count)
	if s.text == "" {
		return 0, io.EOF
	}
	n := copy(p, s.text[:min(5, len(s.text))])
	s.text = s.text[n:]
	return n, nil
}

func (s *slow) Write(p []byte) (int, error) {
	at(s.count)
	s.text += string(p)
	return len(p), nil
}

func reading() {
	n := 0
	const text = "the quick brown fox jumps\nover the lazy dog\n"
	sc := bufio.NewScanner(&slow{text, &n})
	sc.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		at(&n)
		return bufio.ScanWords(data, atEOF)
	})
	for sc.Scan() {
		at(&n)
		show("bufio.Scanner", sc.Text(), n)
	}
	to := &slow{count: &n}
	copied, err := io.Copy(to, &slow{text, &n})
	show("io.Copy", copied, err, to.text == text, n)
	all, err := io.ReadAll(io.LimitReader(io.TeeReader(&slow{text, &n}, to), 12))
	show("io.ReadAll", string(all), err, n)
	r := bufio.NewReaderSize(io.MultiReader(&slow{"one\ntw", &n}, &slow{"o\n", &n}), 16)
	w := bufio.NewWriterSize(to, 16)
	for {
		line, err := r.ReadString('\n')
		at(&n)
		_, _ = w.WriteString(line)
		if err != nil {
			break
		}
	}
	show("bufio.Writer", w.Flush(), to.text, n)
	var b bytes.Buffer
	_, err = b.ReadFrom(&slow{text, &n})
	_, _ = b.WriteTo(to)
	show("bytes.Buffer", err, len(to.text), n)
	in, out := io.Pipe()
	go func() {
		_, err := io.WriteString(out, "through the pipe")
		point()
		out.CloseWithError(err)
	}()
	all, err = io.ReadAll(in)
	show("io.Pipe", string(all), err)
}

type failure struct {
	count *int
	inner error
}

func (f *failure) Error() string        { return "failure" }
func (f *failure) Is(target error) bool { at(f.count); return target == errLost }
func (f *failure) Unwrap() error        { at(f.count); return f.inner }
func (f *failure) As(target any) bool   { at(f.count); return false }

func failures() {
	n := 0
	err := error(&failure{&n, errors.Join(&failure{&n, io.EOF}, os.ErrExist)})
	var path *fs.PathError
	show("errors.Is", errors.Is(err, errLost), errors.Is(err, fs.ErrExist), errors.Is(err, io.ErrShortWrite), errors.As(err, &path), n)
}

type key struct{}

func contexts() {
	n := 0
	var lock sync.Mutex
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), key{}, "value"))
	point()
	child, stop := context.WithTimeout(ctx, time.Hour)
	defer stop()
	finished := make(chan int)
	forget := context.AfterFunc(child, func() {
		lock.Lock()
		defer lock.Unlock()
		at(&n)
		finished <- n
	})
	point()
	show("context", child.Err(), child.Value(key{}), n)
	cancel(errLost)
	point()
	<-child.Done()
	show("context", <-finished, child.Err(), context.Cause(child), forget())
}
