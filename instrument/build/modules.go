package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// The copies are the modules of the module cache of which packages are rewritten. The go
// command refuses overlays of what lies there. So a copy of the module is made in a folder
// of ckpgen's cache, and the overlay has a go.mod that replaces the module by it.
type copies struct {
	entries folder
	trim    bool                        // -trimpath
	modules map[string]*packages.Module // by folder in the module cache
	used    map[string]bool
}

// copiesFor returns the modules of a program that could be copied.
func copiesFor(p *load.Program, trim bool) (*copies, error) {
	entries, err := openFolder("module")
	if err != nil {
		return nil, err
	}
	s := &copies{entries: entries, trim: trim, modules: make(map[string]*packages.Module), used: make(map[string]bool)}
	for _, pkg := range p.All {
		if load.Cached(pkg) {
			s.modules[pkg.Module.Dir] = pkg.Module
		}
	}
	return s, nil
}

// of returns the folder in the module cache of the module that a file belongs to, and the name
// of the file in the copy. ok is false for other files.
func (s *copies) of(name string) (dir, copied string, ok bool) {
	for dir = filepath.Dir(name); ; dir = filepath.Dir(dir) {
		if s.modules[dir] != nil {
			rel, err := filepath.Rel(dir, name)
			return dir, filepath.Join(s.folder(dir), rel), err == nil
		}
		if dir == filepath.Dir(dir) {
			return "", "", false
		}
	}
}

func (s *copies) folder(dir string) string {
	sum := sha256.Sum256([]byte(fmt.Sprintf("module 1\n%s\n%s\ntrim %t\n", dir, s.modules[dir].GoMod, s.trim)))
	return s.entries.path(hex.EncodeToString(sum[:20]))
}

// line returns the name of a file for line directives. With -trimpath the compiler knows how to
// shorten the names of files in the folder of the package, and only those.
func (s *copies) line(name string) string {
	if _, copied, ok := s.of(name); ok && s.trim {
		return copied
	}
	return name
}

// move returns the files with those of modules in the module cache in their copies, which
// are made.
func (s *copies) move(files map[string][]byte) (map[string][]byte, error) {
	moved := make(map[string][]byte)
	for name, text := range files {
		dir, copied, ok := s.of(name)
		if !ok {
			moved[name] = text
			continue
		}
		moved[copied] = text
		s.used[dir] = true
	}
	for dir := range s.used {
		if err := s.make(dir); err != nil {
			return nil, fmt.Errorf("copy of module %s: %w", s.modules[dir].Path, err)
		}
	}
	return moved, nil
}

// folders returns the copies that are used.
func (s *copies) folders() []string {
	var list []string
	for dir := range s.used {
		list = append(list, s.folder(dir))
	}
	return list
}

// make makes the copy of the module in a folder, if there is none yet.
func (s *copies) make(dir string) error {
	to := s.folder(dir)
	key := filepath.Base(to)
	if s.entries.use(key) {
		return nil
	}
	return s.entries.add(key, func(tmp string) error {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, name)
			if err != nil {
				return err
			}
			dest := filepath.Join(tmp, rel)
			switch {
			case d.IsDir():
				return os.MkdirAll(dest, 0o777)
			case !d.Type().IsRegular() || rel == "go.mod":
				return nil
			case strings.HasSuffix(name, ".go") && !s.trim:
				return copyGo(name, dest)
			}
			return duplicate(name, dest)
		})
		if err != nil {
			return err
		}
		text, err := os.ReadFile(s.modules[dir].GoMod) // old modules have none in their own folder
		if errors.Is(err, fs.ErrNotExist) {
			text, err = []byte("module "+s.modules[dir].Path+"\n"), nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(tmp, "go.mod"), text, 0o666)
	})
}

// copyGo copies a Go file, and has it say that it is the original.
func copyGo(name, dest string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	mark, rest := "", text
	if after, ok := bytes.CutPrefix(text, []byte("\ufeff")); ok {
		mark, rest = "\ufeff", after
	}
	text = append([]byte(mark+"//line "+name+":1:1\n"), rest...)
	return os.WriteFile(dest, text, 0o666)
}

// duplicate makes dest the same file as name, which never changes, or a copy if they
// can't be the same.
func duplicate(name, dest string) error {
	if os.Link(name, dest) == nil {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(dest, text, 0o666)
}

// modFile returns the name of the file that says which modules are built: a go.work, a go.mod, or
// what -modfile names; "" if there is none.
func (set *setting) modFile(dir string, c *CommandLine) string {
	for _, flag := range append(strings.Fields(set.GOFLAGS), c.Load...) {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if name == "modfile" {
			if !filepath.IsAbs(value) {
				value = filepath.Join(dir, value)
			}
			return value
		}
	}
	switch {
	case set.GOWORK != "" && set.GOWORK != "off":
		return set.GOWORK
	case set.GOMOD == os.DevNull:
		return ""
	}
	return set.GOMOD
}

// replaced returns the contents of the file that says which modules are built, with the modules
// that are used replaced by their copies.
func (s *copies) replaced(name string) ([]byte, error) {
	if name == "" {
		return nil, errors.New("packages of other modules have to be rewritten, but there is no go.mod")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("replace modules by their copies: %w", err)
	}
	var f interface {
		AddReplace(oldPath, oldVersion, newPath, newVersion string) error
		SortBlocks()
		Cleanup()
	}
	var syntax *modfile.FileSyntax
	if filepath.Ext(name) == ".work" {
		work, err := modfile.ParseWork(name, text, nil)
		if err != nil {
			return nil, err // it names the file
		}
		f, syntax = work, work.Syntax
	} else {
		mod, err := modfile.Parse(name, text, nil)
		if err != nil {
			return nil, err
		}
		f, syntax = mod, mod.Syntax
	}
	for _, dir := range slices.Sorted(maps.Keys(s.used)) {
		m := s.modules[dir]
		if err := f.AddReplace(m.Path, m.Version, s.folder(dir), ""); err != nil {
			return nil, fmt.Errorf("replace %s by its copy: %w", m.Path, err)
		}
	}
	f.SortBlocks()
	f.Cleanup()
	return modfile.Format(syntax), nil
}

// updates reports whether flags have the go command write go.mod. It has done so when the program
// was loaded. As it builds what is written for the program, which imports the packages of its
// variables' types, it would take modules that are in there for the sake of others for those of the
// program, and say so in the user's go.mod, or refuse to, if that is part of the overlay.
func updates(flags []string) bool {
	mod := ""
	for _, flag := range flags {
		if name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "="); name == "mod" {
			mod = value
		}
	}
	return mod == "mod"
}

// trims reports whether the program is built with -trimpath.
func (set *setting) trims(c *CommandLine) bool {
	trim := false
	for _, flag := range append(strings.Fields(set.GOFLAGS), c.Flags...) {
		name, value, given := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if name != "trimpath" {
			continue
		}
		if v, err := strconv.ParseBool(value); err == nil || !given {
			trim = v || !given
		}
	}
	return trim
}
