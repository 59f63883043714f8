package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// The registry collects what the package registers with the runtime.
type registry struct {
	functions []registered
	envs      []string        // names of the closure environments that are not generic
	receivers []*types.Named  // those of method values
	numbered  map[string]bool // types whose addresses become numbers
	// external are the go statements that are no part of checkpoints.
	external []launch
	framed   []framed                  // see pointees.go
	kept     map[*types.Var]types.Type // see kept.go
}

// A launch is where a go statement stands.
type launch struct {
	file string
	line int
}

// A registered function of the closure.
type registered struct {
	variable    string // the package variable of type shadow.Function
	name        string // the runtime's
	rest        string // and that of the rest of an iteration, see outlined.go
	file        string
	line        int
	fingerprint string
	defers      bool
	points      []*resumePoint
	reflected   bool
	passes      bool
	title       string
	renamed     []renamed
}

// Fields of shadow.Package that are lists of names, and of nil pointers to types.
type (
	namesField struct {
		field string
		names []string
	}
	typesField struct {
		field string
		types []types.Type
	}
)

// unsafely returns what is registered of a package that uses package unsafe, or shares structs
// with one that does.
func (p *pkg) unsafely() (pointees []pointee, names []namesField, described []types.Type, lists []typesField) {
	if p.InLibrary {
		return nil, nil, nil, nil
	}
	pointees = p.pointees()
	heads, parts, wide := p.heads()
	wholes := p.headNames(p.wholes())
	if len(wholes) > 0 {
		described = p.plainWholes()
	}
	names = []namesField{{"Heads", heads}, {"Parts", parts}, {"Wide", wide}, {"Wholes", wholes}, {"Punned", p.punned()}}
	lists = []typesField{{"Iterators", p.mapIterators()}, {"Words", p.interfaceStructs()}, {"Recast", p.recast()}, {"Holders", p.holders()}}
	return pointees, names, described, lists
}

// registration returns the file that registers the package, or nil if there is
// nothing to register.
func (p *pkg) registration() (string, []byte) {
	pointees, names, wholes, lists := p.unsafely()
	var globals []*types.Var
	var described []types.Type
	effects := false
	if !p.InLibrary {
		globals, effects, described = p.globals(), !p.State && Initialises(p.Pkg), p.described()
	}
	for _, t := range p.reg.receivers {
		described = append(described, t)
	}
	lists = append(lists, typesField{"Described", append(described, wholes...)})
	transient := p.transientFields()
	if p.Root || p.Tests {
		names = append(names, namesField{"Firsts", p.Firsts}, namesField{"Hiding", p.Hiding}, namesField{"Backs", p.Backs}, namesField{"Longs", p.Longs})
		transient = append(transient, p.Transient...)
		for _, l := range p.StandardState {
			if l.Transient != "" {
				transient = append(transient, l.Transient)
			}
		}
	}
	names = append(names, namesField{"Transient", transient})
	names = slices.DeleteFunc(names, func(l namesField) bool { return len(l.names) == 0 })
	lists = slices.DeleteFunc(lists, func(l typesField) bool { return len(l.types) == 0 })
	code := len(p.reg.functions) + len(p.reg.envs) + len(p.reg.external) + len(p.reg.numbered) + len(p.Hooks) + len(p.Preparations) + len(p.Singletons)
	if code+len(globals)+len(pointees)+len(names)+len(lists) == 0 && !effects && !p.Tests {
		return "", nil
	}
	f := &file{p: p, imports: make(map[string]string), added: make(map[string]string)}
	shadow := f.shadow()
	var b bytes.Buffer
	p.writeFunctions(&b, shadow)
	registration := p.packageName("checkpointed")
	fmt.Fprintf(&b, "var %s = %s.Package{\nPath: %q,\n", registration, shadow, p.types.Path())
	if len(p.reg.functions) > 0 {
		fmt.Fprintf(&b, "Functions: []*%s.Function{\n", shadow)
		for _, r := range p.reg.functions {
			fmt.Fprintf(&b, "&%s,\n", r.variable)
		}
		b.WriteString("},\n")
	}
	variables, late := "", p.inferred()
	if len(globals)+len(p.StandardState) > 0 {
		variables = p.variables(f, globals)
		if !late {
			fmt.Fprintf(&b, "Globals: %s,\n", variables)
		}
	}
	if named := p.named(f); len(named) > 0 {
		fmt.Fprintf(&b, "Named: []%s.Global{\n%s},\n", shadow, named)
	}
	nils := func(field string, texts []string) {
		if len(texts) == 0 {
			return
		}
		b.WriteString(field + ": []" + p.any() + "{\n")
		for _, text := range texts {
			fmt.Fprintf(&b, "(*%s)(nil),\n", text)
		}
		b.WriteString("},\n")
	}
	nils("Envs", p.reg.envs)
	nils("Numbered", sortedKeys(p.reg.numbered))
	for _, l := range names {
		fmt.Fprintf(&b, "%s: []string{%s},\n", l.field, quoted(l.names))
	}
	for _, l := range lists {
		var texts []string
		for _, t := range l.types {
			if text, err := f.typeText(t); err == nil {
				texts = append(texts, text)
			}
		}
		nils(l.field, texts)
	}
	if len(pointees) > 0 {
		fmt.Fprintf(&b, "Pointees: []%s.Pointee{\n", shadow)
		for _, x := range pointees {
			several := ""
			if x.several {
				several = ", Several: true"
			}
			if len(x.params) > 0 {
				if to := p.template(x.to, x.params); to != "" {
					fmt.Fprintf(&b, "{Generic: %q, Field: %q, Leads: %q%s},\n", p.reflectPath()+"."+x.name(p), x.field, to, several)
				}
				continue
			}
			if x.of != nil && !f.writable(x.of) || x.to != nil && !f.writable(x.to) {
				continue
			}
			of := x.frame
			if x.of != nil {
				of, _ = f.typeText(x.of)
			}
			for _, name := range x.among {
				fmt.Fprintf(&b, "{Of: (*%s)(nil), Field: %q, Leads: %q},\n", of, x.field, name)
			}
			for _, owner := range x.owners {
				fmt.Fprintf(&b, "{Of: (*%s)(nil), Field: %q, Generic: %q, Leads: %q},\n", of, x.field, p.reflectPath()+"."+owner.Name(), x.owned)
			}
			if x.among != nil {
				continue
			}
			if x.to == nil {
				fmt.Fprintf(&b, "{Of: (*%s)(nil), Field: %q, Type: %q, Count: %q},\n", of, x.field, x.typ, x.count)
				continue
			}
			to, _ := f.typeText(x.to)
			fmt.Fprintf(&b, "{Of: (*%s)(nil), Field: %q, To: (*%s)(nil)%s},\n", of, x.field, to, several)
		}
		b.WriteString("},\n")
	}
	if len(p.reg.external) > 0 {
		fmt.Fprintf(&b, "External: []%s.Launch{\n", shadow)
		for _, l := range p.reg.external {
			fmt.Fprintf(&b, "{File: %q, Line: %d},\n", l.file, l.line)
		}
		b.WriteString("},\n")
	}
	p.function(f, &b, "Prepare: func()", p.Preparations)
	p.function(f, &b, "Singletons: func(name "+shadow+".Name)", p.Singletons)
	if p.Root && p.Closure.Alone() {
		b.WriteString("Alone: true,\n")
	}
	if p.Root && p.Closure.ReadsInput() {
		b.WriteString("Input: true,\n")
	}
	if p.InLibrary {
		b.WriteString("Standard: true,\n")
	}
	if p.marked {
		fmt.Fprintf(&b, "Mark: %q,\n", typeMark)
	}
	b.WriteString("}\n\nfunc init() {\n")
	if late && variables != "" {
		fmt.Fprintf(&b, "%s.Globals = %s\n", registration, variables)
	}
	fmt.Fprintf(&b, "%s.Register(&%s)\n}\n", shadow, registration)
	if len(p.Hooks) > 0 {
		b.WriteString("\nfunc init() {\n")
		p.statements(f, &b, p.Hooks)
		b.WriteString("}\n")
	}
	if p.Tests {
		fmt.Fprintf(&b, "\nfunc init() { %[1]s.CkpgenStart, %[1]s.CkpgenBubble, %[1]s.CkpgenMeasuring = %[2]s.Tests(%[1]s.CkpgenNote, %[1]s.CkpgenResume) }\n",
			f.importName("testing", "testing"), f.importName(RootPath, "ckp"))
	}

	var out bytes.Buffer
	fmt.Fprintf(&out, "// Code generated by ckpgen; DO NOT EDIT.\n\npackage %s\n\nimport (\n", p.types.Name())
	for _, path := range sortedKeys(f.added) {
		fmt.Fprintf(&out, "%s %q\n", f.added[path], path)
	}
	if effects {
		fmt.Fprintf(&out, "_ %q // does not print again what its initialisation prints\n", QuietPath)
	}
	if i := slices.IndexFunc(p.Before, p.importable); i >= 0 && effects && p.types.Name() != "main" {
		fmt.Fprintf(&out, "_ %q // is initialised before, as in the plain program\n", p.Before[i])
	}
	out.WriteString(")\n\n")
	out.Write(b.Bytes())
	name := filepath.Join(p.dir(), p.registrationName())
	if p.Unread {
		return name, out.Bytes()
	}
	text, err := format.Source(out.Bytes())
	if err != nil {
		p.refusals = append(p.refusals, Refusal{Pos: token.Position{Filename: p.dir()}, Reason: "internal error: the registrations are no Go: " + err.Error()})
		return "", nil
	}
	return name, text
}

// writeFunctions writes the variables that describe the rewritten functions of the package.
func (p *pkg) writeFunctions(b *bytes.Buffer, shadow string) {
	sort.Slice(p.reg.functions, func(i, j int) bool { return p.reg.functions[i].name < p.reg.functions[j].name })
	for _, r := range p.reg.functions {
		fmt.Fprintf(b, "var %s = %s.Function{Text: \"\" +\n", r.variable, shadow)
		lines := r.lines()
		for i, line := range lines {
			plus := " +"
			if i == len(lines)-1 {
				plus = "}"
			}
			fmt.Fprintf(b, "%q%s\n", line+"\n", plus)
		}
		b.WriteString("\n")
	}
}

// lines returns the text of a function, as package shadow has it.
func (r *registered) lines() []string {
	title, properties := r.title, "t"
	if title == r.name {
		title = ""
	}
	if r.defers {
		properties += "d"
	}
	if r.reflected {
		properties += "r"
	}
	if r.passes {
		properties += "p"
	}
	lines := []string{r.name, r.rest, title, r.file, strconv.Itoa(r.line), r.fingerprint, properties}
	for _, v := range r.renamed {
		lines = append(lines, "v "+v.field+" "+v.user)
	}
	for _, pt := range r.points {
		first, last := 0, 0
		if pt.first != 0 && (pt.first != pt.line.Line || pt.last != pt.line.Line) {
			first, last = pt.first, pt.last
		}
		lines = append(lines, fmt.Sprintf("p %d %d %d %d %s", pt.line.Line, pt.line.Column, first, last, pt.text))
	}
	return lines
}

// variables returns the list of the variables that the package registers.
func (p *pkg) variables(f *file, globals []*types.Var) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[]%s.Global{\n", f.shadow())
	for _, v := range globals {
		fmt.Fprintf(&b, "{Name: %q, Ptr: %s},\n", p.types.Path()+"."+v.Name(), p.address(f, v))
	}
	b.WriteString(p.tables(f, globals))
	for _, l := range p.StandardState {
		pointer := fmt.Sprintf(l.Pointer, f.importName(l.Package.Path(), l.Package.Name()))
		name := l.Package.Path() + "." + l.Name
		if l.Object {
			name = "*" + name
		}
		fmt.Fprintf(&b, "{Name: %q, Ptr: %s},\n", name, pointer)
	}
	b.WriteString("}")
	return b.String()
}

// inferred reports whether the value of a variable of the package has an instance of a generic
// function, the type arguments of which may come from methods. The compiler finds them only if it
// has come to these methods before the variable
//
//	func (one) Parse() int { return 1 }
//
//	var all = first(one{})	// func first[T any](list ...interface{ Parse() T }) T
//
// and so would not if the first of the files referred to the variable outside of a function.
func (p *pkg) inferred() bool {
	found := false
	for _, init := range p.info.InitOrder {
		ast.Inspect(init.Rhs, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.Ident:
				_, ok := p.info.Instances[n].Type.(*types.Signature)
				found = found || ok
			}
			return !found
		})
	}
	return found
}

// described returns the types that values can have although the compiler does not list them for
// package reflect, each once: interface types without names that are type arguments, since it may
// be that no pointer is to one that reflect.TypeFor describes, or that a failed assertion tells of;
// and named types that are pointers, as only of other named types the pointers to them are listed,
// too.
func (p *pkg) described() []types.Type {
	var list []types.Type
	var at []token.Pos
	note := func(pos token.Pos, t types.Type) {
		i, _ := slices.BinarySearch(at, pos+1) // after others of the same place
		at, list = slices.Insert(at, i, pos), slices.Insert(list, i, t)
	}
	for id, obj := range p.info.Defs {
		if name, ok := obj.(*types.TypeName); ok && id.Name != "_" && isNamedPointer(name.Type()) && name.Type().(*types.Named).TypeParams() == nil {
			note(id.Pos(), name.Type())
		}
	}
	for id, instance := range p.info.Instances {
		if isNamedPointer(instance.Type) && !hasTypeParam(instance.Type, nil) {
			note(id.Pos(), instance.Type)
		}
		for arg := range instance.TypeArgs.Types() {
			if isUnnamedInterface(arg) {
				note(id.Pos(), arg)
			}
		}
	}
	for e, tv := range p.info.Types {
		if e, ok := e.(*ast.TypeAssertExpr); ok && isUnnamedInterface(tv.Type) {
			note(e.Lparen, tv.Type)
		}
	}
	unique := list[:0]
	for _, t := range list {
		if !slices.ContainsFunc(unique, func(u types.Type) bool { return types.Identical(t, u) }) {
			unique = append(unique, t)
		}
	}
	return unique
}

// isUnnamedInterface reports whether t is an interface type with methods, and without a name.
func isUnnamedInterface(t types.Type) bool {
	i, ok := types.Unalias(t).(*types.Interface)
	return ok && !i.Empty() && !hasTypeParam(i, nil)
}

// isNamedPointer reports whether t is a type like P of
//
//	type P *int
func isNamedPointer(t types.Type) bool {
	if _, ok := t.(*types.Named); !ok {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// Initialises reports whether functions run when the package is initialised, which might
// print.
func Initialises(pkg *packages.Package) bool {
	found := false
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				found = found || d.Recv == nil && d.Name.Name == "init"
			case *ast.GenDecl:
				if d.Tok != token.VAR {
					continue
				}
				for _, s := range d.Specs {
					for _, v := range s.(*ast.ValueSpec).Values {
						found = found || hasEffect(pkg.TypesInfo, v)
					}
				}
			}
		}
	}
	return found
}

// registrationName is the name of a file that is not there yet, and that comes before the package's
// others. What is declared in it without need of anything else is then initialised first, so that a
// variable waits for nothing more if a function that its initialisation calls refers to its
// registration:
//
//	var first = f()     // f is rewritten
//	var second = g()    // is not, and would not wait
func (p *pkg) registrationName() string {
	test := p.hasTestFiles()
	var least string
	taken := make(map[string]bool)
	for _, list := range [][]string{p.Pkg.GoFiles, p.Pkg.OtherFiles, p.Pkg.IgnoredFiles} {
		for _, name := range list {
			name = filepath.Base(name)
			taken[name] = true
			if strings.HasSuffix(name, ".go") && strings.HasSuffix(name, "_test.go") == test && (least == "" || name < least) {
				least = name
			}
		}
	}
	name := "ckpgen_register.go"
	if test { // a name that ends in _test makes no package a test
		name = "ckpgen_register_test.go"
	}
	// The go command sorts the files by their names, and wants them to begin with a letter or
	// digit.
	for taken[name] || least < name && least > strings.Repeat("0", len(name)) {
		name = "0" + name
	}
	return name
}

func (p *pkg) hasTestFiles() bool {
	for _, f := range p.Pkg.CompiledGoFiles {
		if strings.HasSuffix(f, "_test.go") {
			return true
		}
	}
	return false
}

// globals returns the package's variables, in the order of their names. One that the user has
// marked transient is left out.
func (p *pkg) globals() []*types.Var {
	leftOut := make(map[types.Object]bool)
	for _, f := range p.Pkg.Syntax {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				s := s.(*ast.ValueSpec)
				if !hasDirective(g.Doc, "ckp:transient") && !hasDirective(s.Doc, "ckp:transient") && !hasDirective(s.Comment, "ckp:transient") {
					continue
				}
				for _, id := range s.Names {
					leftOut[p.info.Defs[id]] = true
				}
			}
		}
	}
	var list []*types.Var
	for _, name := range p.types.Scope().Names() {
		v, ok := p.types.Scope().Lookup(name).(*types.Var)
		if !ok || name == "_" || leftOut[v] || !p.here(v) || p.Variables != nil && !p.Variables(v) {
			continue
		}
		if slices.ContainsFunc(cgoNames, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			continue
		}
		list = append(list, v)
	}
	return list
}

// here reports whether an object is declared in the files that are being rewritten: the package
// itself may have been, and this be its tests.
func (p *pkg) here(obj types.Object) bool {
	return slices.Contains(p.Pkg.CompiledGoFiles, p.fset.PositionFor(obj.Pos(), false).Filename)
}

// transientFields returns the fields that the user has marked transient, as shadow.Package has
// them. Only fields of a type with a name can be told from others.
func (p *pkg) transientFields() []string {
	var list []string
	named := make(map[*ast.StructType]string)
	for _, f := range p.Pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if t, ok := n.Type.(*ast.StructType); ok && !n.Assign.IsValid() {
					if named[t] = n.Name.Name; p.moved[p.info.Defs[n.Name]] != "" {
						named[t] = p.moved[p.info.Defs[n.Name]]
					}
				}
			case *ast.StructType:
				for _, field := range n.Fields.List {
					if !hasDirective(field.Doc, "ckp:transient") && !hasDirective(field.Comment, "ckp:transient") {
						continue
					}
					if named[n] == "" {
						p.refuse(field, "//ckp:transient at a field of a type without a name", "declare the type of the struct")
						continue
					}
					for _, name := range fieldNames(field) {
						list = append(list, p.reflectPath()+"."+named[n]+"."+name)
					}
				}
			}
			return true
		})
	}
	return list
}

// fieldNames returns the names of the fields in a declaration; of an embedded one that of its type.
func fieldNames(field *ast.Field) []string {
	var names []string
	for _, id := range field.Names {
		names = append(names, id.Name)
	}
	if names != nil {
		return names
	}
	t := field.Type
	for {
		switch u := t.(type) {
		case *ast.StarExpr:
			t = u.X
		case *ast.IndexExpr:
			t = u.X
		case *ast.IndexListExpr:
			t = u.X
		case *ast.ParenExpr:
			t = u.X
		case *ast.SelectorExpr:
			return []string{u.Sel.Name}
		case *ast.Ident:
			return []string{u.Name}
		default:
			return nil
		}
	}
}

// reflectPath is the path of the package as package reflect tells it.
func (p *pkg) reflectPath() string { return p.reflectPathOf(p.types) }

// reflectPathOf is that of any package.
func (p *pkg) reflectPathOf(pkg *types.Package) string {
	if pkg.Name() == "main" && !p.Tested {
		return "main"
	}
	return pkg.Path()
}

func quoted(list []string) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(s))
	}
	return b.String()
}

// cgoNames are how the names of variables begin that cgo declares: addresses of C.
var cgoNames = []string{"_cgo_", "__cgo", "_Cvar_", "_Cfpvar_"}

func hasDirective(g *ast.CommentGroup, name string) bool {
	if g == nil {
		return false
	}
	for _, c := range g.List {
		if strings.HasPrefix(c.Text, "//"+name) {
			return true
		}
	}
	return false
}

// function writes a field that is a function of statements, if there are any.
func (p *pkg) function(f *file, b *bytes.Buffer, header string, list []Statements) {
	if len(list) == 0 {
		return
	}
	b.WriteString(header + " {\n")
	p.statements(f, b, list)
	b.WriteString("},\n")
}

// statements writes them.
func (p *pkg) statements(f *file, b *bytes.Buffer, list []Statements) {
	for _, s := range list {
		text := strings.ReplaceAll(s.Text, "%[1]s", f.importName(s.Package.Path(), s.Package.Name()))
		if strings.Contains(text, "%[2]s") {
			text = strings.ReplaceAll(text, "%[2]s", f.importName("io", "io"))
		}
		if strings.Contains(text, "%[3]s") {
			text = strings.ReplaceAll(text, "%[3]s", f.importName(RootPath, "ckp"))
		}
		b.WriteString(text + "\n")
	}
}

// named writes the registrations of the exported variables of packages that are
// not rewritten.
func (p *pkg) named(f *file) string {
	if !p.Root && !p.Tests {
		return ""
	}
	var b strings.Builder
	for _, t := range p.Standard {
		for _, name := range t.Scope().Names() {
			v, ok := t.Scope().Lookup(name).(*types.Var)
			if !ok || !v.Exported() || !hasIdentity(v.Type()) || p.saves(v) || t.Path() == "unicode" && !p.Tables[v] {
				continue
			}
			fmt.Fprintf(&b, "{Name: %q, Ptr: &%s.%s},\n", t.Path()+"."+name, f.importName(t.Path(), t.Name()), name)
		}
	}
	for _, v := range p.StandardState {
		if v.Initial {
			fmt.Fprintf(&b, "{Name: %q, Ptr: %s.Held(%s.%s)},\n", v.Package.Path()+"."+v.Name, f.shadow(), f.importName(v.Package.Path(), v.Package.Name()), v.Name)
		}
	}
	return b.String()
}

// saves reports whether a variable of another package is saved, and so not by name only.
func (p *pkg) saves(v *types.Var) bool {
	return slices.ContainsFunc(p.StandardState, func(l StandardVariable) bool { return l.Package == v.Pkg() && l.Name == v.Name() && !l.Object })
}

// hasIdentity reports whether a variable of type t holds something that a
// program can hold too, and compare, such as a pointer or an interface; or whether programs
// hold the address of the variable itself, which is a struct.
func hasIdentity(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Chan, *types.Struct:
		return true
	}
	return false
}
