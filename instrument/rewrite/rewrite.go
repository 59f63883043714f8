package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// ShadowPath is the import path of the package that generated code calls.
const ShadowPath = "github.com/ckpgen/ckpgen/runtime/ckp/shadow"

// BlockingPath is the import path of the package of what generated code calls in
// place of operations of package time.
const BlockingPath = "github.com/ckpgen/ckpgen/runtime/ckp/blocking"

// RootPath is the import path of the package whose Start runs the program.
const RootPath = "github.com/ckpgen/ckpgen/runtime/ckp"

// QuietPath is the import path of the package that mutes the initialisation of a process
// which continues a checkpoint. A package that may print while it is initialised imports it.
const QuietPath = "github.com/ckpgen/ckpgen/runtime/ckp/quiet"

// A Closure tells from where a checkpoint call can be reached.
type Closure interface {
	// Func reports whether a checkpoint call can be reached from the body
	// of fn, an *ast.FuncDecl or *ast.FuncLit.
	Func(fn ast.Node) bool
	// Reaches reports the same of a function or method, of this package or of another one. It is
	// true for methods of interfaces.
	Reaches(fn *types.Func) bool
	// Value reports whether the function, as in Func, may be a func value.
	Value(fn ast.Node) bool
	// Call reports whether this call can reach a checkpoint call: for a
	// dynamic call, whether any possible callee can.
	Call(call *ast.CallExpr) bool
	// Direct reports whether this call may be a checkpoint call itself.
	Direct(call *ast.CallExpr) bool
	// Range reports whether the iterator of a loop that ranges over a
	// function, or the body that it calls, can reach a checkpoint call.
	Range(loop *ast.RangeStmt) bool
	// Auto reports whether there are polls for checkpoints.
	Auto() bool
	// Loop reports whether a for or range statement polls at its back edge, or a goto statement
	// before it goes back.
	Loop(loop ast.Stmt) bool
	// Slow reports whether the iterations of one that polls may be loops that do not.
	Slow(loop ast.Stmt) bool
	// Few reports whether a for or range statement of the function fn, or of a literal in it, has
	// few iterations, by a constant.
	Few(fn ast.Node, loop ast.Stmt) bool
	// Polls reports whether the function, as in Func, or the body of a loop over one, polls on
	// entry.
	Polls(fn ast.Node) bool
	// Concurrent reports whether the program starts goroutines that are part
	// of its checkpoints, or can be found waiting by one without.
	Concurrent() bool
	// Alone reports whether goroutines of the program are woken by goroutines only.
	Alone() bool
	// ReadsInput reports whether the program refers to standard input.
	ReadsInput() bool
	// Operation returns what a node does to the goroutine that executes it:
	// nothing if the program is not concurrent.
	Operation(n ast.Node) blocking.Operation
	// Recovers reports whether any function that the call may call calls
	// recover itself.
	Recovers(call *ast.CallExpr) bool
	// AlwaysRecovers reports whether the call calls nothing but functions of packages that are
	// rewritten, that call recover themselves, and can be at a checkpoint or have no results
	// without names. value tells that it is the call of a func value.
	AlwaysRecovers(call *ast.CallExpr, value bool) bool
	// Forwards reports whether the call of a method of an interface may be one of a method of an
	// embedded field that a pointer or an interface leads to, and Forwarded whether a method may be
	// called so.
	Forwards(call *ast.CallExpr) bool
	Forwarded(fn ast.Node) bool
	// GivesReceiver reports whether the call of a func value may be one of a method whose receiver
	// is the first argument.
	GivesReceiver(call *ast.CallExpr) bool
	// MayRecover reports whether a function or method, or one that an interface's method may be,
	// calls recover itself.
	MayRecover(fn types.Object) bool
	// Borrows reports whether a function makes no use, after it has returned, of the address that
	// is a parameter's value, counted from 0; -1 is the receiver.
	Borrows(fn *types.Func, param int) bool
	// Opaque reports whether something that a function returns may lead to memory of the caller's
	// stack that nothing tells the type of.
	Opaque(fn *types.Func) bool
	// OpaqueCall reports the same of a call of a func value, or of an interface's method, of that
	// signature.
	OpaqueCall(call *ast.CallExpr, signature *types.Signature) bool
	// Timeless reports whether it makes no difference when a function is called with the same
	// arguments.
	Timeless(fn *types.Func) bool
	// Instances returns the type arguments with which a generic function, or a method of a generic
	// type, can run in the program, in no order, and whether they are known.
	Instances(fn *types.Func) (list [][]types.Type, known bool)
	// Numbered returns the type of a struct of the package if the call converts its address to a
	// number that is to mean the same after a restart, or nil.
	Numbered(call *ast.CallExpr) *types.TypeName
}

// Input is one package to be rewritten.
type Input struct {
	Pkg     *packages.Package // with syntax and type information
	Closure Closure
	// Root is set for the main package of a program: its main function first
	// hands itself to ckp.Start.
	Root bool
	// Tests is set for a package of tests that registers for its test binary what a main package
	// does: what is said to be only for Root is for it, too. Its TestMain first hands itself to
	// ckp.Start.
	Tests bool
	// Before are the import paths of packages that are initialised before this one in the plain
	// program, the last of them first, if they would not be otherwise.
	Before []string
	// Tested is set if the package is going to be linked to its tests only: then a package main is
	// known by its import path.
	Tested bool
	// Unmarks is set if a program can take the marks out of the names of its types when it begins:
	// see package heap, Unmark.
	Unmarks bool
	// Variables, if not nil, tells of a package variable whether it is saved. All are if it
	// is nil.
	Variables func(*types.Var) bool
	// Transient are fields of other packages' types that are not saved, as shadow.Package has
	// them. Only for Root.
	Transient []string
	// Firsts are types that the program may keep the first of several values of, as shadow.Package
	// has them. Only for Root.
	Firsts []string

	// Hiding are types of numbers of which the program may make slices of memory with references,
	// as shadow.Package has them.
	Hiding []string
	// Heads are types that functions of the program keep the first of several values of
	// (closure.Heads). They are registered for Root.
	Heads map[*types.TypeName]bool
	// Unnamed are such types without a name.
	Unnamed []types.Type
	// Backs are the packages that make pointers of numbers, as shadow.Package has them. They are
	// registered for Root.
	Backs []string
	// Longs are those of Backs that keep addresses as numbers of type uint64.
	Longs []string
	// State leaves the package as it is, except that its variables are registered.
	State bool
	// Standard lists the packages of the program whose variables are not saved and
	// that the main package may import. Their exported variables are
	// registered, so that what they hold is saved by name. Only for Root.
	Standard []*types.Package
	// Tables are the variables of package unicode that are registered of these.
	Tables map[*types.Var]bool
	// StandardState are variables of packages in Standard that are saved. Only for Root.
	StandardState []StandardVariable
	// Hooks are calls that the package makes while it is initialised, by which package ckp gets to
	// know what it can't see in packages of Standard. Only for Root.
	Hooks []Statements
	// Preparations are calls that a process makes before it goes on from a checkpoint. Only for
	// Root.
	Preparations []Statements
	// Singletons call a function name with objects of packages in Standard that are saved by name,
	// as the Singletons of a shadow.Package do. Only for Root.
	Singletons []Statements
	// InLibrary is set for a package of the standard library. Its variables are the
	// process's own.
	InLibrary bool
	// File returns the name under which a source file is recorded in
	// checkpoints: the same on every machine.
	File func(name string) string
	// Line returns the file name for line directives. The file's own
	// (absolute) name if nil.
	Line func(name string) string
	// Read returns the contents of a source file. os.ReadFile if nil.
	Read func(name string) ([]byte, error)
	// Unread is set if only the compiler will read the new files, which then are not
	// formatted: that takes as long as all the rest.
	Unread bool
	// Hidden, if not nil, returns a package that the package from can import, and the name that
	// this exports, or is going to export, for a type that from can't name: as its package does not
	// export it, or can't be imported. The name is "" if there is none.
	Hidden func(from *types.Package, t *types.TypeName, importable func(path string) bool) (*types.Package, string)
	// Iterators, if not nil, returns what [Iterators] has found, if the function is of a package
	// that is rewritten.
	Iterators func(*types.Func) *Iterator
	// Originals, if not nil, reports whether [Originals] has found a function of a package that is
	// rewritten.
	Originals func(*types.Func) bool
	// Elsewhere reports whether another package than this one uses an exported variable, or field
	// of its types. If it is nil, all may be used.
	Elsewhere func(*types.Var) bool
	// Taken are names that no generated declaration of the package may have,
	// besides those that the package uses itself.
	Taken []string
	// Uncovered is what [Output] has by that name for the package of which this one is the variant
	// with its tests.
	Uncovered map[string]string
}

// A StandardVariable is one of a package that is not rewritten.
type StandardVariable struct {
	Package *types.Package
	Name    string
	Pointer string // an expression for a pointer to it, with a verb for the name of the package
	// Object is set if it is not the variable itself but what that, a pointer, leads to when the
	// program begins. The program may give the variable another value.
	Object bool
	// Transient is a field that is not saved, as in a shadow.Package; empty if there is none.
	Transient string
	// Initial is set if what the variable, which is exported, holds when the program begins is
	// saved by the variable's name.
	Initial bool
}

// Statements are some that use a package which is not rewritten.
type Statements struct {
	Package *types.Package
	Text    string // with %[1]s for the name of the package, and %[2]s for that of package io, %[3]s for that of package ckp
}

// Output is the rewritten package.
type Output struct {
	// Files maps the absolute path of each changed file to its contents.
	// One more path, of a file that does not exist, holds the registrations.
	Files map[string][]byte
	// Renamed are the embedded fields that have another name in the new text.
	Renamed []Refusal
	// Uncovered maps predeclared names that the package declares to those that its declarations
	// have in the new text.
	Uncovered map[string]string
}

// A Refusal is a construct that can't be rewritten.
type Refusal struct {
	Pos    token.Position
	Reason string
	WayOut string
}

// Error returns the refusal in the form that compilers use.
func (r Refusal) Error() string {
	s := fmt.Sprintf("%s: %s", r.Pos, r.Reason)
	if r.WayOut != "" {
		s += " (" + r.WayOut + ")"
	}
	return s
}

// pkg is the state of rewriting one package.
type pkg struct {
	Input
	fset         *token.FileSet
	info         *types.Info
	types        *types.Package
	facts        *facts
	taken        map[string]bool                // package-level names in use, generated ones included
	declarations map[types.Object]*ast.FuncDecl // functions and methods with bodies; made when needed
	local        map[string]bool                // generated names of variables and labels
	moved        map[types.Object]string        // local constants, types and variables that were moved to package level
	movedBy      map[types.Object][]*types.TypeParam
	standsFor    map[types.Object]bool // local aliases in generic functions that stay none: what they are aliases of is written
	movedNames   map[string]bool
	marked       bool                                           // names of moved types have a mark in them: see move
	aliases      map[string]string                              // names of the imports that are added, by path
	blank        map[token.Pos]string                           // names for type parameters that are declared as _, or have the name of another
	standing     map[types.Object]string                        // functions that stand for those of package ckp: see package directive
	renames      map[types.Object]string                        // see uncover
	wide         map[*types.TypeName]bool                       // see allocatesWide
	whole        map[*types.TypeName]bool                       // see wholes
	held         []types.Type                                   // see heldStructs
	heldIn       map[*types.TypeName]bool                       // see isHeldAnywhere
	lowers       map[types.Object][]types.Type                  // see loweredTo
	nameless     []types.Type                                   // see unnamedHeads
	addedTo      map[types.Object]bool                          // see isAddedTo
	headsOf      map[*packages.Package]map[*types.TypeName]bool // see headsIn
	initialised  *order                                         // see order
	reg          registry
	locals       map[*types.Package]map[string]bool // see hasLocal
	recordName   string
	refusals     []Refusal
	refused      map[token.Pos]bool
}

// Package rewrites one package. Where something can't be rewritten it returns
// all the refusals it found, and no output.
func Package(in Input) (*Output, []Refusal) {
	p := &pkg{
		Input:      in,
		fset:       in.Pkg.Fset,
		info:       in.Pkg.TypesInfo,
		types:      in.Pkg.Types,
		taken:      make(map[string]bool),
		local:      make(map[string]bool),
		moved:      make(map[types.Object]string),
		movedBy:    make(map[types.Object][]*types.TypeParam),
		standsFor:  make(map[types.Object]bool),
		refused:    make(map[token.Pos]bool),
		movedNames: make(map[string]bool),
		aliases:    make(map[string]string),
		reg:        registry{numbered: make(map[string]bool), kept: make(map[*types.Var]types.Type)},
		locals:     make(map[*types.Package]map[string]bool),
		blank:      make(map[token.Pos]string),
		renames:    make(map[types.Object]string),
	}
	if p.Line == nil {
		p.Line = func(name string) string { return name }
	}
	if p.Read == nil {
		p.Read = os.ReadFile
	}
	p.standing = p.standIns()
	p.takeNames()
	p.uncover()
	p.facts = collectFacts(in.Pkg, p.moved, p.lends, p.borrows, p.lendsLiteral)

	out := &Output{Files: make(map[string][]byte), Uncovered: make(map[string]string)}
	for obj, name := range p.renames {
		out.Uncovered[obj.Name()] = name
	}
	for _, syntax := range in.Pkg.Syntax {
		if p.State {
			break
		}
		f, err := newFile(p, syntax)
		if err != nil {
			p.refuse(syntax, err.Error(), "")
			continue
		}
		f.noteExternal()
		text, changed := f.rewrite()
		if changed {
			out.Files[f.name] = text
		}
	}
	if name, text := p.registration(); text != nil {
		out.Files[name] = text
	}
	if len(p.reg.functions) > 0 || len(p.reg.envs) > 0 {
		p.refuseHidden()
	}
	if len(p.refusals) > 0 {
		sort.SliceStable(p.refusals, func(i, j int) bool {
			a, b := p.refusals[i].Pos, p.refusals[j].Pos
			if a.Filename != b.Filename {
				return a.Filename < b.Filename
			}
			return a.Offset < b.Offset
		})
		return nil, p.refusals
	}
	out.Renamed = p.renamed()
	return out, nil
}

// refuseHidden refuses package-level declarations of the predeclared names that generated code
// uses, but for those that get another name. (Local ones do no harm: they are renamed, or out of
// its way.)
func (p *pkg) refuseHidden() {
	for _, name := range predeclaredNames {
		if obj := p.types.Scope().Lookup(name); obj != nil && p.renames[obj] == "" {
			p.refusals = append(p.refusals, Refusal{p.fset.Position(obj.Pos()),
				"the package declares the predeclared name " + name + " anew, which generated code needs", "give the declaration another name"})
		}
	}
}

// any is the predeclared type as it is written in generated code: a package may
// declare the name anew, as old ones did for want of it.
func (p *pkg) any() string {
	if p.types.Scope().Lookup("any") != nil {
		return "interface{}"
	}
	return "any"
}

// refuse records that the construct at n can't be rewritten.
func (p *pkg) refuse(n ast.Node, reason, wayOut string) {
	if p.refused[n.Pos()] {
		return
	}
	p.refused[n.Pos()] = true
	p.refusals = append(p.refusals, Refusal{p.fset.Position(n.Pos()), reason, wayOut})
}

// dir is the folder of the package.
func (p *pkg) dir() string {
	for _, f := range p.Pkg.CompiledGoFiles {
		return filepath.Dir(f)
	}
	return p.Pkg.Dir
}
