package load

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// The go command takes a third of a second to say which files belong to the program. Who has asked
// it before (Config.Files) need not wait for it to have them parsed.

// An ahead parses files before they are asked for.
type ahead struct {
	parse func(fset *token.FileSet, name string, src []byte) (*ast.File, error)
	files map[string]*early
	work  sync.WaitGroup
}

// An early file is parsed once, by whoever comes first.
type early struct {
	once sync.Once
	src  []byte
	file *ast.File
	err  error
}

// startAhead begins to parse files, one on each processor.
func startAhead(fset *token.FileSet, names []string, parse func(*token.FileSet, string, []byte) (*ast.File, error)) *ahead {
	a := &ahead{parse: parse, files: make(map[string]*early, len(names))}
	for _, name := range names {
		a.files[name] = new(early)
	}
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		a.work.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				e := a.files[names[i]]
				e.once.Do(func() {
					src, err := os.ReadFile(names[i])
					if err == nil {
						e.src = src
						e.file, e.err = parse(fset, names[i], src)
					}
				})
			}
		})
	}
	return a
}

// file is the ParseFile of a packages.Config with the same file set. It is for one program, which
// has each file once.
func (a *ahead) file(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	if e := a.files[name]; e != nil {
		e.once.Do(func() {
			e.src = src
			e.file, e.err = a.parse(fset, name, src)
		})
		if bytes.Equal(e.src, src) && (e.file != nil || e.err != nil) {
			return e.file, e.err
		}
	}
	return a.parse(fset, name, src)
}
