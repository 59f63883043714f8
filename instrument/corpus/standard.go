package corpus

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// CopyTests makes a module in dir of packages of the standard library and their tests, and of the
// packages internal to Go that these import, so that they are rewritten as a user's are. Their paths
// begin with std.test/. root is Go's installation, and standins a folder with packages in place of
// internal ones that are written in assembly, or belong to the runtime.
func CopyTests(root, standins, dir string, packages []string) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module std.test\n\ngo "+language()+"\n"), 0o666); err != nil {
		return err
	}
	todo, copied := slices.Clone(packages), make(map[string]bool)
	for _, p := range packages {
		copied[p] = true
	}
	moved := func(p string) (string, bool) {
		if !slices.Contains(strings.Split(p, "/"), "internal") && !slices.Contains(packages, p) {
			return "", false
		}
		if !copied[p] {
			copied[p] = true
			todo = append(todo, p)
		}
		return path.Join("std.test", p), true
	}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		name := filepath.FromSlash(p)
		standin := os.DirFS(filepath.Join(standins, name))
		if _, err := fs.Stat(standin, "."); err == nil {
			if err := os.CopyFS(filepath.Join(dir, name), standin); err != nil {
				return err
			}
			continue
		}
		if err := copyPackage(filepath.Join(root, "src", name), filepath.Join(dir, name), moved); err != nil {
			return err
		}
	}
	return nil
}

// copyPackage copies the files of a package, and the folder with what its tests read.
func copyPackage(from, to string, moved func(path string) (string, bool)) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	list, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range list {
		name := filepath.Join(from, e.Name())
		if e.IsDir() {
			if e.Name() == "testdata" {
				if err := os.CopyFS(filepath.Join(to, e.Name()), os.DirFS(name)); err != nil {
					return err
				}
			}
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".go") {
			syntax, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
			if err != nil {
				return err
			}
			text = withImports(text, syntax, moved)
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
