package load

import (
	"context"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/directive"
	"github.com/ckpgen/ckpgen/instrument/polls"
)

// A Config says what to load and how.
type Config struct {
	// Dir is the directory that patterns and errors are relative to; the
	// working directory if it is empty.
	Dir string
	// Env is the environment of the go command; that of this process if it
	// is nil.
	Env []string
	// Flags are flags of the go command that decide which packages and files
	// belong to the program, such as -tags=x and -race.
	Flags []string
	// Auto makes checkpoints possible where no checkpoint call stands: see
	// package closure.
	Auto bool
	// Dependencies makes the packages of all modules rewritable, and has checkpoints
	// in them where no checkpoint call stands, with Auto.
	Dependencies bool
	// Polled are patterns of the packages that have such checkpoints, if not all of the user's own:
	// see Polled. Those of other modules are rewritable.
	Polled []string
	// Choice has the places of such checkpoints, if they were chosen from what was measured of the
	// program. The packages with them are rewritable.
	Choice *polls.Choice
	// OwnOnly leaves dependencies as they are even if they call the user's functions
	// back.
	OwnOnly bool
	// Tests loads the test variants of the named packages too.
	Tests bool
	// Overlay maps absolute file names to contents that are read instead
	// of those on disk; the files need not exist.
	Overlay map[string][]byte
	// Files are Go files that are likely to belong to the program, by their absolute names. They
	// are parsed at once. Others are found all the same.
	Files []string
	// Standard is set if packages of the standard library are likely to be rewritten. What has to
	// be loaded for that is then loaded while the program is analysed.
	Standard bool
}

// A Program is a set of named packages and everything that they import.
type Program struct {
	Fset *token.FileSet
	// Initial are the packages that the patterns name, in the order of their
	// import paths.
	Initial []*packages.Package
	// All are the packages of the program; each stands after those that it
	// imports.
	All []*packages.Package
	// Choice is that of the Config.
	Choice *polls.Choice

	dependencies bool              // see Config
	added        map[string]bool   // paths of dependencies that are rewritten all the same
	polled       map[string]bool   // paths of the packages that poll, if Config names them
	excluded     map[string]string // and of those that are not, with the reason
	config       *packages.Config  // with which it was loaded
	bones        *skeleton         // of it
	standard     bool              // see RewriteStandard
	aside        *skeleton         // of what is loaded for that
	apart        func() ([]*packages.Package, error)
	demanded     map[string]bool // see Demand
	beside       []*packages.Package
	patched      map[string][]byte // files of the standard library that were changed before the analysis
	directives   map[string]*directive.Expansion
}

// Load loads the packages that the patterns name (import paths, directories,
// patterns with "...", or .go files of one package) and their dependencies. If
// the program has errors, it returns an *Error with the text that go build
// would print.
func Load(ctx context.Context, cfg Config, patterns ...string) (*Program, error) {
	dir := cfg.Dir
	if dir == "" {
		wd, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("load: %w", err)
		}
		dir = wd
	}
	cfg.Dir = dir
	bones := newSkeleton(ctx, cfg)
	fset := token.NewFileSet()
	early := startAhead(fset, cfg.Files, bones.parse)
	pcfg := &packages.Config{
		Context:    ctx,
		Mode:       packages.LoadAllSyntax | packages.NeedModule | packages.NeedEmbedFiles | packages.NeedEmbedPatterns,
		Dir:        dir,
		Env:        cfg.Env,
		BuildFlags: cfg.Flags,
		Fset:       fset,
		ParseFile:  early.file,
		Tests:      cfg.Tests,
		Overlay:    cfg.Overlay,
	}
	initial, err := packages.Load(pcfg, patterns...)
	early.work.Wait()
	pcfg.ParseFile = nil // it is for this once
	if err != nil {
		return nil, listError(err)
	}
	if len(initial) == 0 {
		return nil, &Error{Text: fmt.Sprintf("ckpgen: %s matched no packages", strings.Join(patterns, " "))}
	}
	p := &Program{
		Fset: fset, Initial: initial, config: pcfg, bones: bones,
		dependencies: cfg.Dependencies, added: make(map[string]bool), excluded: bones.unknown, demanded: make(map[string]bool), patched: bones.patched,
		directives: bones.directives, Choice: cfg.Choice,
	}
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		p.All = append(p.All, pkg)
	})
	bones.forgive(p.All)
	if err, broken := errorsIn(p.All, dir); err != nil {
		if cfg.Tests {
			err.divide(initial, broken)
		}
		if cfg.Tests || cfg.Overlay != nil {
			return nil, err
		}
		return nil, inGoWords(ctx, cfg, patterns, err)
	}
	if err := p.setPolled(dir, cfg.Polled); err != nil {
		return nil, err
	}
	if cfg.Choice != nil {
		p.setChosen(cfg.Choice)
	}
	if cfg.Standard {
		p.beginStandard()
	}
	return p, nil
}

// Begin begins to load a program, and returns a function that waits for what Load returns.
func Begin(ctx context.Context, cfg Config, patterns ...string) func() (*Program, error) {
	wait := sync.OnceValues(func() (*Program, error) { return Load(ctx, cfg, patterns...) })
	go wait()
	return wait
}

// Mains returns the named packages that are main packages of a program. The
// generated main package of a test is not among them.
func (p *Program) Mains() []*packages.Package {
	var mains []*packages.Package
	for _, pkg := range p.Initial {
		if pkg.Name == "main" && !TestMain(pkg) {
			mains = append(mains, pkg)
		}
	}
	return mains
}

// Links reports whether a package of the program has this import path.
func (p *Program) Links(path string) bool {
	return slices.ContainsFunc(p.All, func(pkg *packages.Package) bool { return pkg.PkgPath == path })
}

// Linux reports whether the program is built for Linux.
func (p *Program) Linux() bool {
	pkg := p.Package("runtime")
	return pkg != nil && slices.ContainsFunc(pkg.GoFiles, func(name string) bool { return filepath.Base(name) == "os_linux.go" })
}

// Package returns the package of the program with this import path, nil if there is none. Variants
// for tests are not looked at.
func (p *Program) Package(path string) *packages.Package {
	i := slices.IndexFunc(p.All, func(pkg *packages.Package) bool { return pkg.PkgPath == path && !Variant(pkg) })
	if i < 0 {
		return nil
	}
	return p.All[i]
}

// TestMain reports whether pkg is the main package that the go command generates
// for a test.
func TestMain(pkg *packages.Package) bool {
	return pkg.Name == "main" && strings.HasSuffix(pkg.ID, ".test")
}

// Variant reports whether pkg is a package as it is compiled for a test: with
// its _test.go files, an external test package, or a package that was compiled
// again because it imports one that is.
func Variant(pkg *packages.Package) bool {
	return strings.HasSuffix(pkg.ID, ".test]")
}

// FileName returns the function that turns the absolute name of a file of pkg
// into the name that is recorded for it: the same on every machine, with the
// path of its module in front.
func FileName(pkg *packages.Package) func(string) string {
	dir, prefix := pkg.Dir, pkg.PkgPath
	if m := pkg.Module; m != nil && m.Dir != "" {
		dir, prefix = m.Dir, m.Path
	} else if pkg.PkgPath == "command-line-arguments" {
		prefix = ""
	}
	return func(name string) string {
		rel, err := filepath.Rel(dir, name)
		if err != nil || strings.HasPrefix(rel, "..") {
			rel = filepath.Base(name)
		}
		rel = filepath.ToSlash(rel)
		if prefix == "" {
			return rel
		}
		return prefix + "/" + rel
	}
}
