package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/blocking"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// Sources are the new sources of a program.
type Sources struct {
	// Files maps absolute file names to their new contents. The names are
	// those of the user's files, and in each package that changes that of one
	// or two new files.
	Files map[string][]byte
	// Packages are the packages that were offered to the rewriter.
	Packages []*packages.Package
	// Unsaved are the import paths of packages that have variables which
	// may change and are not saved, with Analysis.OwnOnly; ordered.
	Unsaved []string
	// Hashing are the import paths of packages of other modules that hash by functions of Go's
	// runtime, with keys that each process draws, with Analysis.OwnOnly; ordered.
	Hashing []string
	// HashesValues is set if packages hash values by functions of package ckp that are in the place
	// of those of Go's runtime: they stand on package hash/maphash.
	HashesValues bool
	// Left tell of packages of other modules whose variables should be saved and can't be
	// registered; ordered by position.
	Left []rewrite.Refusal
	// Renamed are the embedded fields that have another name to reflection than in the user's
	// source; ordered by position.
	Renamed []rewrite.Refusal
	// Carried is set if the program does not import the runtime itself, so that the new
	// sources import its packages from below the path [Carried].
	Carried bool
	// Leaf is set if packages of the standard library are rewritten: the new sources import the
	// packages of [Leaf] from below that path, whatever the program imports.
	Leaf bool
}

// shadowPath returns the import path of package shadow in the program.
func (s *Sources) shadowPath() string {
	if s.Carried || s.Leaf {
		path, _ := carriedPath(rewrite.ShadowPath)
		return path
	}
	return rewrite.ShadowPath
}

// Refused is the error of a program that has constructs which can't be
// rewritten.
type Refused struct {
	Refusals []rewrite.Refusal // ordered by position
}

// Error names all the refusals, one a line.
func (r *Refused) Error() string {
	lines := make([]string, len(r.Refusals))
	for i, refusal := range r.Refusals {
		lines[i] = Describe(refusal, "")
	}
	return strings.Join(lines, "\n")
}

// Describe returns a refusal as one line: position, reason and way out, with file
// names relative to dir.
func Describe(r rewrite.Refusal, dir string) string {
	s := fmt.Sprintf("%s: %s", load.Position(r.Pos, dir), r.Reason)
	if r.WayOut != "" {
		s += "; " + r.WayOut
	}
	return s
}

// Rewrite rewrites the packages of the program. If the closure is empty there is
// nothing to do and Files is empty. The error is a *Refused, with all there is to mend, also
// directives that can't be followed: what is refused else is so whatever these were to mean.
//
// A package of another module that has something which can't be rewritten is left as it is,
// and the closure is then that of a program in which it is. Its variables are saved nevertheless.
func (a *Analysis) Rewrite() (*Sources, error) {
	for {
		out, refusals, err := a.attempt()
		if err != nil {
			if list := a.misdirected(); len(list) > 0 { // it may come from these
				err = &Refused{Refusals: list}
			}
			return nil, err
		}
		again := false
		var own []rewrite.Refusal
		for _, r := range refusals {
			switch {
			case !r.dependency:
				own = append(own, r.Refusal)
			case a.Program.Excluded(r.path) == "":
				again = true
				a.Program.Exclude(r.path, fmt.Sprintf("%s: %s", load.Position(r.Pos, ""), r.Reason))
			default:
				r.Reason = "the variables of package " + r.path + " are not saved: " + r.Reason
				out.Left = append(out.Left, r.Refusal)
			}
		}
		if again {
			a.Closure = a.Closure.Again()
			continue
		}
		own = append(own, a.misdirected()...)
		for _, list := range [][]rewrite.Refusal{own, out.Left, out.Renamed} {
			sort.SliceStable(list, func(i, j int) bool { return before(list[i].Pos, list[j].Pos) })
		}
		if len(own) > 0 {
			return nil, &Refused{Refusals: own}
		}
		return out, nil
	}
}

// A refusal is one of a package.
type refusal struct {
	rewrite.Refusal
	path       string // of the package
	dependency bool
}

// attempt rewrites the packages of the program as far as possible.
func (a *Analysis) attempt() (*Sources, []refusal, error) {
	out := &Sources{Files: make(map[string][]byte)}
	if a.Closure.Empty() {
		return out, nil, nil
	}
	out.Packages = a.rewritten()
	out.Carried = !a.Required && !a.Program.Links(rewrite.RootPath)
	out.Leaf = a.Program.Standard()
	done := make(map[string]bool) // files
	rewrittenPath := make(map[*types.Package]bool)
	for _, pkg := range out.Packages {
		rewrittenPath[pkg.Types] = !a.Program.StandardLibrary(pkg)
	}
	names := a.testNames()
	carriers, linked := a.carriers(), make(registered)
	hidden := newHiddenTypes(a.Program, out.Packages)
	if !a.OwnOnly {
		hidden.others(a.Program)
	}
	iterators, originals, elsewhere := a.iterators(out.Packages), a.originals(out.Packages), a.elsewhere()
	convert := a.conversionsFor(out.Packages)
	var refusals []refusal
	refuse := func(pkg *packages.Package, list ...rewrite.Refusal) {
		for _, r := range list {
			refusals = append(refusals, refusal{r, pkg.PkgPath, load.Dependency(pkg) || a.Program.StandardLibrary(pkg)})
		}
	}
	state := newState(a.Program, a.Closure)
	unchanged := state.packages(out.Packages)
	if a.OwnOnly {
		for _, pkg := range unchanged {
			out.Unsaved = append(out.Unsaved, pkg.PkgPath)
		}
		unchanged, state.stateful = nil, nil
	} else {
		unchanged = append(unchanged, a.unsafePackages(out.Packages, unchanged)...)
	}
	var tasks []*task
	for i, pkg := range slices.Concat(out.Packages, unchanged) {
		part, whole := without(pkg, done)
		if part == nil {
			continue
		}
		for _, name := range part.CompiledGoFiles {
			done[name] = true
		}
		in := rewrite.Input{
			Pkg:     part,
			Closure: a.Closure,
			Root:    whole && a.isRoot(pkg),
			File:    a.File,
			Line:    a.Line,
			Read:    a.source,
			Unread:  a.Unread,
			Taken:   names[pkg.PkgPath],
			Hidden:  hidden.name,
			Tested:  a.Tests,
			Unmarks: a.Program.Linux(),

			Iterators: iterators,
			Originals: originals,
			Elsewhere: elsewhere,
			Variables: state.saves,
			State:     i >= len(out.Packages),
		}
		convert(&in, pkg)
		if in.File == nil {
			in.File = load.FileName(pkg)
		}
		if a.Program.StandardLibrary(pkg) {
			in.InLibrary, in.Closure, in.Read, in.Hidden = true, a.Closure.StandardLibrary(), a.Program.Source, nil
		}
		if carriers[pkg] {
			in.Transient = state.named()
			files, err := a.testsRoot(&in, pkg, standard([]*packages.Package{pkg, a.Program.Package(TestingPath)}, rewrittenPath, state), linked, state)
			if err != nil {
				return nil, nil, err
			}
			maps.Copy(out.Files, files)
		}
		if in.Root || carriers[pkg] {
			in.Tables = a.Closure.Tables()
		}
		if in.Root {
			in.Transient = state.named()
			in.Standard = standard([]*packages.Package{pkg}, rewrittenPath, state)
			if len(carriers) > 0 {
				// What runs the tests is left to them, also if the program that is tested imports
				// it.
				in.Standard = linked.rest(pkg, slices.DeleteFunc(in.Standard, func(p *types.Package) bool { return p.Path() == TestingPath }))
			}
			files, unsaved, err := a.librariesOf(&in, state)
			if err != nil {
				return nil, nil, err
			}
			maps.Copy(out.Files, files)
			out.Unsaved = slices.Compact(slices.Sorted(slices.Values(append(out.Unsaved, unsaved...))))
		}
		tasks = append(tasks, &task{pkg: pkg, in: in, dialect: a.dialectOf(pkg, out.Carried)})
	}
	a.succeeds(tasks, out.Carried || out.Leaf)
	rewriteAll(tasks)
	for _, t := range tasks {
		refuse(t.pkg, t.bad...)
		for _, name := range t.in.Pkg.CompiledGoFiles {
			changed := t.files[name] != nil
			if !load.GeneratedByCgo(t.pkg, name) || !changed && (len(t.bad) == 0 || t.in.State) {
				continue
			}
			// Of a package that has something else to mend there are no files.
			if r, found := a.writtenByCgo(t.pkg, name); changed || found {
				refuse(t.pkg, r)
			}
			delete(t.files, name)
		}
		out.Renamed = append(out.Renamed, t.renamed...)
		if t.err != nil {
			return nil, nil, fmt.Errorf("package %s: %w; please report it with the source", t.pkg.PkgPath, t.err)
		}
		for name, contents := range t.files {
			if _, taken := out.Files[name]; taken { // registrations of p and of p_test, which share a folder
				name = strings.TrimSuffix(name, "_test.go") + "_external_test.go"
			}
			out.Files[name] = contents
		}
	}
	err := hidden.files(func(pkg *packages.Package, name string, text []byte) error {
		contents, err := a.dialectOf(pkg, out.Carried).put(name, text, false)
		if err != nil {
			return fmt.Errorf("package %s: %w; please report it with the source", pkg.PkgPath, err)
		}
		out.Files[name] = contents
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if err := a.linkHashes(out); err != nil {
		return nil, nil, err
	}
	if err := a.takeSwappers(out); err != nil {
		return nil, nil, err
	}
	if err := a.listGoroutines(out); err != nil {
		return nil, nil, err
	}
	if out.Leaf && !out.Carried {
		if err := a.leaf(out.Files); err != nil {
			return nil, nil, err
		}
	}
	return out, refusals, nil
}

// writtenByCgo is the refusal of a file that cgo has written, at what has to be rewritten first
// there in the user's source, if something is found there.
func (a *Analysis) writtenByCgo(pkg *packages.Package, name string) (r rewrite.Refusal, found bool) {
	file := "a file of package " + pkg.PkgPath + " that imports \"C\" has "
	r = rewrite.Refusal{
		Pos:    token.Position{Filename: pkg.Dir, Line: 1, Column: 1},
		Reason: file + "functions that can reach a checkpoint",
		WayOut: "move them into a file without that import",
	}
	fset := a.Program.Fset
	for _, syntax := range pkg.Syntax {
		if fset.PositionFor(syntax.Package, false).Filename != name {
			continue
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			if n == nil || found {
				return false
			}
			if found = a.Closure.Func(n); found {
				r.Pos = fset.Position(n.Pos())
			} else if op := a.Closure.Operation(n); op.Kind != blocking.None {
				found, r.Pos = true, fset.Position(n.Pos())
				r.Reason, r.WayOut = file+"a function that "+op.String(), "move it into a file without that import"
				if _, ok := n.(*ast.GoStmt); ok {
					r.WayOut += ", or leave the goroutine out of checkpoints by a line //ckp:external above"
				}
			}
			return !found
		})
	}
	return r, found
}

// misdirected returns the directives that can't be followed.
func (a *Analysis) misdirected() (list []rewrite.Refusal) {
	for _, x := range a.Program.Misdirected() {
		list = append(list, rewrite.Refusal{Pos: x.Pos, Reason: x.Reason, WayOut: x.WayOut})
	}
	return list
}

// source returns the text of a file as it was analysed.
func (a *Analysis) source(name string) ([]byte, error) {
	if a.Read != nil && a.Program.Expanded(name) == nil {
		return a.Read(name)
	}
	return a.Program.Source(name)
}

// leaf adds the files of the runtime that know where the packages of Leaf are.
func (a *Analysis) leaf(files map[string][]byte) error {
	var pairs []string
	for _, folder := range Leaf {
		path := load.Module + "/" + folder
		renamed, _ := carriedPath(path)
		for _, end := range []string{`"`, "."} {
			pairs = append(pairs, path+end, renamed+end)
		}
	}
	moved := strings.NewReplacer(pairs...)
	read := a.Read
	if read == nil {
		read = os.ReadFile
	}
	for _, pkg := range a.Program.All {
		if !load.Runtime(pkg.PkgPath) || isLeaf(pkg.PkgPath) {
			continue
		}
		for _, name := range pkg.GoFiles {
			text, err := read(name)
			if err != nil {
				return fmt.Errorf("source of the runtime: %w", err)
			}
			if s := moved.Replace(string(text)); s != string(text) {
				files[name] = []byte(s)
			}
		}
	}
	return nil
}

// rewritten returns the packages to offer to the rewriter: those of the program
// that may be rewritten, and before its variant for tests each package itself.
func (a *Analysis) rewritten() []*packages.Package {
	plain := make(map[string]*packages.Package)
	for _, pkg := range a.Program.Rewritable() {
		if !load.Variant(pkg) {
			plain[pkg.PkgPath] = pkg
		}
	}
	var list []*packages.Package
	listed := make(map[*packages.Package]bool)
	add := func(pkg *packages.Package) {
		if pkg != nil && !listed[pkg] {
			listed[pkg] = true
			list = append(list, pkg)
		}
	}
	for _, pkg := range a.Closure.Packages() {
		add(plain[pkg.PkgPath])
		add(pkg)
	}
	for _, pkg := range slices.Concat(a.Program.All, a.Program.Beside()) {
		if same := plain[pkg.PkgPath]; a.Program.StandardLibrary(pkg) && a.Program.Rewrites(pkg) && (same == nil || same == pkg) {
			add(pkg)
		}
	}
	return list
}

// testNames returns for each package path the names that a package and its tests declare together,
// or import: its files are compiled together with those of the tests, and so are the declarations
// that the rewriter adds.
func (a *Analysis) testNames() map[string][]string {
	names := make(map[string][]string)
	for _, pkg := range a.Program.All {
		if !load.Variant(pkg) {
			continue
		}
		list := append(names[pkg.PkgPath], pkg.Types.Scope().Names()...)
		for _, file := range pkg.Syntax {
			for _, im := range file.Imports {
				switch n := pkg.TypesInfo.PkgNameOf(im); {
				case n == nil:
				case n.Name() == ".":
					list = append(list, n.Imported().Scope().Names()...)
				default:
					list = append(list, n.Name())
				}
			}
		}
		names[pkg.PkgPath] = list
	}
	return names
}

// unsafePackages returns the packages of other modules, but for those that are listed, that use
// package unsafe: what their unsafe pointers lead to has to be registered, though nothing else of
// them is.
func (a *Analysis) unsafePackages(listed ...[]*packages.Package) []*packages.Package {
	except := make(map[*types.Package]bool)
	for _, pkg := range slices.Concat(listed...) {
		except[pkg.Types] = true
	}
	needed := a.Program.OfRuntime()
	var list []*packages.Package
	for _, pkg := range a.Program.All {
		if load.Dependency(pkg) && !load.Variant(pkg) && !load.System(pkg) && pkg.Imports["unsafe"] != nil && !except[pkg.Types] && !needed[pkg] && len(pkg.GoFiles) > 0 {
			list = append(list, pkg)
		}
	}
	return list
}

// without returns pkg without the files that are done: pkg itself and true if none is, a
// copy with fewer files and false if some are, nil if all are.
func without(pkg *packages.Package, done map[string]bool) (*packages.Package, bool) {
	part := *pkg
	part.Syntax, part.CompiledGoFiles, part.GoFiles = nil, nil, nil
	for i, name := range pkg.CompiledGoFiles {
		if !done[name] && i < len(pkg.Syntax) {
			part.CompiledGoFiles = append(part.CompiledGoFiles, name)
			part.Syntax = append(part.Syntax, pkg.Syntax[i])
		}
	}
	for _, name := range pkg.GoFiles {
		if !done[name] {
			part.GoFiles = append(part.GoFiles, name)
		}
	}
	switch {
	case len(part.Syntax) == len(pkg.Syntax) && len(pkg.Syntax) > 0:
		return pkg, true
	case len(part.Syntax) == 0:
		return nil, false
	}
	return &part, false
}

// standard returns the packages below roots, a main package, or tests and what runs them, whose
// variables are not saved and that the first of them could import, ordered by import path.
func standard(roots []*packages.Package, rewritten map[*types.Package]bool, s *state) []*types.Package {
	var list []*types.Package
	packages.Visit(roots, nil, func(dep *packages.Package) {
		if (!rewritten[dep.Types] || s.process[dep.Types]) && !s.stateful[dep.Types] && !load.Runtime(dep.PkgPath) && load.Importable(dep) {
			list = append(list, dep.Types)
		}
	})
	sort.Slice(list, func(i, j int) bool { return list[i].Path() < list[j].Path() })
	return list
}

func before(a, b token.Position) bool {
	if a.Filename != b.Filename {
		return a.Filename < b.Filename
	}
	if a.Line != b.Line {
		return a.Line < b.Line
	}
	return a.Column < b.Column
}
