package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// takeNames collects every identifier of the package, so that a generated name
// can't collide with any of them, in whichever scope it ends up.
func (p *pkg) takeNames() {
	for _, n := range types.Universe.Names() {
		p.taken[n] = true
	}
	for _, n := range p.types.Scope().Names() {
		p.taken[n] = true
	}
	for _, n := range p.Taken {
		p.taken[n] = true
	}
	for _, f := range p.Pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				p.taken[id.Name] = true
			}
			return true
		})
		for _, im := range f.Imports {
			if n := p.info.PkgNameOf(im); n != nil {
				p.taken[n.Name()] = true
			}
		}
	}
}

// predeclaredNames are those that generated code uses.
var predeclaredNames = []string{"append", "bool", "false", "int", "len", "new", "nil", "panic", "recover", "string", "true", "uint64"}

// uncover gives another name to functions and constants of the package that have one of these: many
// a package has a function new, and the tokens of a parser are constants with the names of
// keywords. As the names are not exported, no other package has them, and only stack traces show
// those of functions. Types keep theirs, which reflection shows; and what has it in a text that is
// not rewritten does, too.
func (p *pkg) uncover() {
	if p.State || slices.ContainsFunc(p.Pkg.CompiledGoFiles, func(name string) bool { return load.GeneratedByCgo(p.Pkg, name) }) {
		return
	}
	for _, name := range predeclaredNames {
		obj := p.types.Scope().Lookup(name)
		switch fn := obj.(type) {
		case *types.Const:
		case *types.Func:
			if p.linked(fn) {
				continue
			}
		default:
			continue
		}
		other, known := p.Uncovered[name]
		if !known {
			other = p.newName(name)
		}
		p.renames[obj] = other
	}
}

// uncoverImports gives another name to the imports of the file that have a predeclared name which
// generated code uses, as that of a type: packages are called any, or recover.
func (f *file) uncoverImports() {
	if load.GeneratedByCgo(f.p.Pkg, f.name) {
		return
	}
	for _, im := range f.syntax.Imports {
		n := f.p.info.PkgNameOf(im)
		if n == nil {
			continue
		}
		if _, isType := types.Universe.Lookup(n.Name()).(*types.TypeName); isType || slices.Contains(predeclaredNames, n.Name()) {
			f.p.renames[n] = f.p.newName(n.Name() + "_import")
		}
	}
}

// linked reports whether something outside of Go may have the name of a function: it is implemented
// there, or a directive has it.
func (p *pkg) linked(fn *types.Func) bool {
	for _, f := range p.Pkg.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && p.info.Defs[d.Name] == fn && d.Body == nil {
				return true
			}
		}
	}
	for link := range load.Links(p.Pkg.Syntax...) {
		if link.Local == fn.Name() {
			return true
		}
	}
	return false
}

// givenName is the name that a directive gives a function with a body, for another package that
// declares it without one; or empty.
func (p *pkg) givenName(d *ast.FuncDecl) string {
	if d.Body == nil {
		return ""
	}
	for link := range load.Links(p.Pkg.Syntax...) {
		if link.Local == d.Name.Name && link.Target != "" {
			return link.Target
		}
	}
	return ""
}

// declaredName is the name of a function or method as it is declared in the new text.
func (p *pkg) declaredName(d *ast.FuncDecl) string { return p.nameOf(p.info.Defs[d.Name]) }

// nameOf is the name of a function or an import in the new text.
func (p *pkg) nameOf(obj types.Object) string {
	if name, ok := p.renames[obj]; ok {
		return name
	}
	return obj.Name()
}

// packageName returns a new package-level name that is not exported. The compiler describes
// exported declarations, and all that these refer to, for the packages that import this one: each
// of them would read it, and be compiled again when it changes. And go test takes exported
// functions of some names for tests.
func (p *pkg) packageName(base string) string {
	if token.IsExported(base) {
		first, size := utf8.DecodeRuneInString(base)
		base = string(unicode.ToLower(first)) + base[size:]
	}
	return p.newName(base)
}

// newName returns a new package-level name that begins with base. A variable must not have it
// either, as the function that has the variable may name what is declared so.
func (p *pkg) newName(base string) string {
	name := numberedUntil(base, func(name string) bool { return !p.taken[name] && !p.local[name] })
	p.taken[name] = true
	return name
}

// record is the name of the variable that holds the record of a deferred call or of a go
// statement, where the function that is called later is named too.
func (p *pkg) record() string {
	if p.recordName == "" {
		p.recordName = "d"
		if p.denotes("d") || p.declares("d") {
			p.recordName = p.packageName("record")
		}
	}
	return p.recordName
}

// declares reports whether a function declares a type or a constant of that name: they are moved to
// package level, and text that has them to functions of the rewriter.
func (p *pkg) declares(name string) bool {
	for id, obj := range p.info.Defs {
		if id.Name != name {
			continue
		}
		switch obj.(type) {
		case *types.TypeName, *types.Const:
			return true
		}
	}
	return false
}

// declaresIn reports whether something in a function has that name.
func (p *pkg) declaresIn(body *ast.BlockStmt, name string) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name && p.info.Defs[id] != nil {
			found = true
		}
		return !found
	})
	return found
}

// localName returns a new name for a variable or label of c.
func (c *function) localName(base string) string {
	name := numberedUntil(base, func(name string) bool { return !c.p.taken[name] && !c.names[name] })
	c.names[name], c.p.local[name] = true, true
	return name
}

// freeName returns base, or a name like it that nothing in the package has: for a receiver, a
// parameter or a result, in whose function the text of the package is repeated that has no other
// names for its own.
func (p *pkg) freeName(base string) string {
	name := numberedUntil(base, func(name string) bool { return !p.taken[name] })
	p.local[name] = true
	return name
}

// numberedUntil returns the first of base, base_2, base_3 and so on that is free.
func numberedUntil(base string, free func(name string) bool) string {
	name := base
	for i := 2; !free(name); i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	return name
}

// numbered returns a new name for a generated variable or label: base and the
// next number.
func (c *function) numbered(base string) string {
	c.counters[base]++
	return c.localName(base + strconv.Itoa(c.counters[base]))
}

// ofFrames are the names of the fields of a frame that are no variables of the user's, and of its
// methods.
var ofFrames = []string{"At", "Panic", "ResumePoint", "Again", "Settle"}

// variableName returns the name for a user's variable whose declaration is moved
// to the top of the function: its own, if no other object bears it that could
// be meant there, and the frame struct has no field or method of that name.
func (c *function) variableName(v types.Object) string {
	name := v.Name()
	if slices.Contains(ofFrames, name) || c.names[name] || c.ambiguous(v) {
		return c.localName(name + "_2")
	}
	c.names[name] = true
	return name
}

// ambiguous reports whether v's name denotes something else, too, in the
// function, in its file or in its package.
func (c *function) ambiguous(v types.Object) bool {
	name := v.Name()
	if types.Universe.Lookup(name) != nil || c.p.types.Scope().Lookup(name) != nil || c.p.movedNames[name] {
		return true
	}
	for _, t := range c.typeParams { // generated code names them even if the function does not
		if t.Obj().Name() == name {
			return true
		}
	}
	for _, imported := range c.imports {
		if imported == name {
			return true
		}
	}
	if c.objects == nil {
		c.objects = make(map[string]map[types.Object]bool)
		ast.Inspect(c.node, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := c.p.info.ObjectOf(id)
			if f, ok := obj.(*types.Var); ok && f.IsField() {
				return true
			}
			if obj == nil {
				return true
			}
			if _, ok := obj.(*types.Label); ok {
				return true
			}
			if c.objects[id.Name] == nil {
				c.objects[id.Name] = make(map[types.Object]bool)
			}
			c.objects[id.Name][obj] = true
			return true
		})
	}
	return len(c.objects[name]) > 1
}

// declarationName is the base of the names generated for a function: f, T_m.
func declarationName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	return receiverName(d.Recv.List[0].Type) + "_" + d.Name.Name
}

// receiverName is the name of the receiver's type without pointer and type
// parameters.
func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return receiverName(e.X)
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "receiver"
}

// runtimePath is the package path as it stands in symbol names: the runtime
// escapes dots in the last element, and the main package is called main.
func (p *pkg) runtimePath() string {
	if p.types.Name() == "main" && !p.Tested {
		return "main"
	}
	path := p.types.Path()
	i := strings.LastIndex(path, "/") + 1
	var b strings.Builder
	b.WriteString(path[:i])
	for _, r := range []byte(path[i:]) {
		switch {
		case r == '.' || r == '%' || r == '"' || r <= ' ' || r >= 0x7f:
			const hex = "0123456789abcdef"
			b.WriteByte('%')
			b.WriteByte(hex[r>>4])
			b.WriteByte(hex[r&15])
		default:
			b.WriteByte(r)
		}
	}
	return b.String()
}

// runtimeName is the name that the runtime gives a declared function.
func (p *pkg) runtimeName(d *ast.FuncDecl) string {
	name, instantiated := p.runtimePath()+".", ""
	if d.Type.TypeParams != nil {
		instantiated = "[...]"
	}
	if d.Recv == nil || len(d.Recv.List) == 0 {
		if symbol := p.givenName(d); symbol != "" {
			return symbol
		}
		return name + p.declaredName(d) + instantiated
	}
	// The declaration may call the type, or the pointer to it, by an alias.
	t := types.Unalias(p.info.Defs[d.Name].(*types.Func).Signature().Recv().Type())
	ptr, star := t.(*types.Pointer)
	if star {
		t = types.Unalias(ptr.Elem())
	}
	base := receiverName(d.Recv.List[0].Type)
	if named, ok := t.(*types.Named); ok {
		base = named.Obj().Name()
		if named.TypeArgs().Len() > 0 {
			base += "[...]"
		}
	}
	if star {
		base = "(*" + base + ")"
	}
	return name + base + "." + d.Name.Name + instantiated
}
