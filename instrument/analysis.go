package instrument

import (
	"context"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/closure"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// An Analysis is a loaded program and its closure.
type Analysis struct {
	Program *load.Program
	Closure *closure.Closure

	// File, if not nil, returns the name under which a file is recorded in
	// checkpoints; load.FileName otherwise.
	File func(name string) string
	// Line, if not nil, returns the name of a file for line directives; the
	// absolute name otherwise.
	Line func(name string) string
	// Read, if not nil, returns the contents of a source file; os.ReadFile
	// otherwise.
	Read func(name string) ([]byte, error)
	// Required is set if the program's module requires ckpgen's, whether the program
	// imports it or not: the new sources import the runtime from there.
	Required bool
	// Unread is set if only the compiler will read the new sources, which then are not formatted.
	Unread bool
	// OwnOnly leaves dependencies as they are: see load.Config.
	OwnOnly bool
	// Tests is set if the program is that of tests: see load.Config.
	Tests bool

	used map[types.Object]bool // see uses; made when needed
}

// Analyze loads the program that the patterns name and computes its closure. If
// the program does not build, the error is a *load.Error.
func Analyze(ctx context.Context, cfg load.Config, patterns ...string) (*Analysis, error) {
	p, err := load.Load(ctx, cfg, patterns...)
	if err != nil {
		return nil, err
	}
	return AnalyzeProgram(p, cfg)
}

// AnalyzeProgram computes the closure of a program that was loaded as cfg says.
func AnalyzeProgram(p *load.Program, cfg load.Config) (*Analysis, error) {
	a := &Analysis{Program: p, Closure: closure.Of(p, cfg.Auto), OwnOnly: cfg.OwnOnly, Tests: cfg.Tests}
	if cfg.OwnOnly {
		return a, a.Closure.Misplaced()
	}
	// What calls the user's functions back is on the stack with them, what keeps func values is
	// saved with them, and in what has goroutines these have to join. With the last, there may be
	// more of the first.
	if !a.Closure.Empty() {
		for p.Add(slices.Concat(a.Closure.Dependencies(), a.Closure.Keeping(), a.Closure.Joining())) {
			a.Closure = a.Closure.Again()
		}
	}
	tests := cfg.Tests && !a.Closure.Empty()
	if tests {
		p.Demand([]string{TestingPath})
		if p.Add(a.Closure.TestRunners()) {
			a.Closure = a.Closure.Again()
		}
	}
	if needed, demanded := a.Closure.ThroughStandard(); needed || tests {
		p.Demand(demanded)
		if err := p.RewriteStandard(); err != nil {
			return nil, err
		}
		a.Closure = a.Closure.Again()
		// A method of the program's that has no loop polls if it calls itself by way of what is
		// rewritten now, as the Write of a writer around another one may through package bufio.
		// What calls it has not been asked for yet.
		for demandsMore(p, a.Closure) {
			a.Closure = a.Closure.Again()
		}
	}
	return a, a.Closure.Misplaced()
}

// demandsMore demands those packages of the standard library that the closure needs and that were
// not demanded before, and reports whether there are any.
func demandsMore(p *load.Program, c *closure.Closure) (more bool) {
	_, demanded := c.ThroughStandard()
	for _, path := range demanded {
		more = more || !p.Demanded(path)
	}
	p.Demand(demanded)
	return more
}

// isRoot reports whether pkg is the main package of a program in which a checkpoint can be reached:
// from its main function, in goroutines, or by functions that are called back by code which is not
// rewritten. Checkpoints of the last are refused, which only the runtime can tell.
func (a *Analysis) isRoot(pkg *packages.Package) bool {
	if pkg.Name != "main" || load.TestMain(pkg) {
		return false
	}
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if ok && fn.Recv == nil && fn.Name.Name == "main" {
				return a.Closure.Func(fn) || a.Closure.Concurrent() || a.reaches(pkg)
			}
		}
	}
	return false
}

// reaches reports whether a function of pkg, or of a package that it imports, can reach a
// checkpoint.
func (a *Analysis) reaches(pkg *packages.Package) (found bool) {
	packages.Visit([]*packages.Package{pkg}, func(pkg *packages.Package) bool {
		if !found && a.Program.Rewrites(pkg) {
			for _, file := range pkg.Syntax {
				ast.Inspect(file, func(n ast.Node) bool {
					found = found || a.Closure.Func(n)
					return !found
				})
			}
		}
		return !found
	}, nil)
	return found
}
