package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/standard"
)

// A file is one source file being rewritten: the user's text with the
// declarations that change replaced, and generated declarations at its end.
type file struct {
	p          *pkg
	syntax     *ast.File
	name       string // absolute
	line       string // for line directives
	renamed    []renaming
	src        []byte
	base       token.Pos
	imports    map[string]string // package path to the name that can be used here
	added      map[string]string // imports to be added
	tail       strings.Builder
	lifted     map[*ast.FuncLit]*lifted
	forwarders map[ast.Expr]*lifted
	goroutines map[*ast.GoStmt]string // the records of go statements
	kept       map[string]bool        // imports of the standard library, that it uses in any case
	titles     map[ast.Node]string    // see title
	hidden     map[*ast.CallExpr]bool
	dependent  bool // a type was written with type parameters
}

func newFile(p *pkg, syntax *ast.File) (*file, error) {
	tf := p.fset.File(syntax.FileStart)
	f := &file{
		p:          p,
		syntax:     syntax,
		name:       tf.Name(),
		base:       token.Pos(tf.Base()),
		imports:    make(map[string]string),
		added:      make(map[string]string),
		lifted:     make(map[*ast.FuncLit]*lifted),
		forwarders: make(map[ast.Expr]*lifted),
		goroutines: make(map[*ast.GoStmt]string),
	}
	f.line = p.Line(f.name)
	var err error
	if f.src, err = p.Read(f.name); err != nil {
		return nil, err
	}
	if len(f.src) != tf.Size() {
		return nil, fmt.Errorf("%s changed while it was being read", f.name)
	}
	f.uncoverImports()
	for _, im := range syntax.Imports {
		name := p.info.PkgNameOf(im)
		if name == nil || name.Name() == "_" || name.Name() == "." {
			continue
		}
		f.imports[name.Imported().Path()] = p.nameOf(name)
	}
	f.renamed = f.renamings()
	return f, nil
}

// source returns the user's text between two positions.
func (f *file) source(from, to token.Pos) string {
	return string(f.src[from-f.base : to-f.base])
}

// lineAt is what a line directive says of a position: the user's own directives hold.
func (f *file) lineAt(pos token.Pos) string {
	return f.linePosition(f.p.fset.Position(pos))
}

func (f *file) linePosition(at token.Position) string {
	name := f.nameAt(at)
	if at.Column == 0 { // the user's directive has none
		return fmt.Sprintf("%s:%d", name, at.Line)
	}
	return fmt.Sprintf("%s:%d:%d", name, at.Line, at.Column)
}

// afterSemicolon returns the position after a semicolon that follows on the same line;
// pos if there is none. The line's end takes its place.
func (f *file) afterSemicolon(pos token.Pos) token.Pos {
	for i := pos - f.base; int(i) < len(f.src); i++ {
		switch f.src[i] {
		case ' ', '\t', '\r':
		case ';':
			return f.base + i + 1
		default:
			return pos
		}
	}
	return pos
}

// goOn returns where the user's text goes on after a declaration that was replaced, or after the
// package clause, and the line directive to stand before it. Of the empty lines in between one is
// left and has the directive's line: gofmt makes one of several, and takes a directive right above
// a declaration for a part of its comment.
func (f *file) goOn(after token.Pos) (from token.Pos, directive string) {
	from = f.afterSemicolon(after)
	line := from // the beginning of the line on which there is text again
	for i := from - f.base; int(i) < len(f.src) && strings.IndexByte(" \t\r\n", f.src[i]) >= 0; i++ {
		if f.src[i] == '\n' {
			line = f.base + i + 1
		}
	}
	at := f.p.fset.Position(line)
	if line == from || at.Line < 2 {
		return from, fmt.Sprintf("\n//line %s\n", f.lineAt(from))
	}
	at.Line--
	return line, fmt.Sprintf("\n//line %s\n\n", f.linePosition(at))
}

// append adds generated declarations. Lines of theirs that are the user's say so
// themselves.
func (f *file) append(text string) {
	f.tail.WriteString("//line <ckpgen>:1:1\n\n" + text)
}

// shadow is the name of the package that generated code calls.
func (f *file) shadow() string { return f.importName(ShadowPath, "shadow") }

// rewrite returns the new text of the file and whether it differs.
func (f *file) rewrite() ([]byte, bool) {
	var body bytes.Buffer
	name := f.syntax.Name.End()
	from := f.afterSemicolon(name)
	changed := false
	for i, d := range f.syntax.Decls {
		if f.standIn(d) { // at the end of the file
			changed = true
			start := d.Pos()
			if doc := d.(*ast.FuncDecl).Doc; doc != nil {
				start = doc.Pos()
			}
			body.WriteString(strings.TrimRight(f.source(from, start), "\n") + "\n")
			from = f.afterSemicolon(d.End())
			continue
		}
		text := f.declaration(d)
		if text == f.source(d.Pos(), d.End()) {
			continue
		}
		changed = true
		body.WriteString(f.before(i, from))
		body.WriteString(strings.TrimRight(text, "\n"))
		var directive string
		from, directive = f.goOn(d.End())
		body.WriteString(directive)
	}
	if !changed && f.tail.Len() == 0 {
		return nil, false
	}
	body.WriteString(f.source(from, f.syntax.FileEnd))
	text := f.settleImports(body.Bytes(), f.afterSemicolon(name))

	var out bytes.Buffer
	out.WriteString(f.source(f.syntax.FileStart, name))
	if len(f.added) > 0 {
		out.WriteString("\n\nimport (\n")
		for _, path := range sortedKeys(f.added) {
			fmt.Fprintf(&out, "%s %q\n", f.added[path], path)
		}
		from, directive := f.goOn(name)
		out.WriteString(")\n" + directive)
		text = text[from-f.afterSemicolon(name):]
	} else if f.afterSemicolon(name) > name {
		out.WriteString(";")
	}
	out.Write(text)
	if f.tail.Len() > 0 {
		out.WriteString("\n\n")
		out.WriteString(f.tail.String())
	}
	text = out.Bytes()
	// What gofmt would change in the user's own lines would move them away
	// from their line numbers, so only a formatted file stays one.
	if f.p.Unread {
		return text, true
	}
	if clean, err := format.Source(f.src); err == nil && bytes.Equal(clean, f.src) {
		clean, err := format.Source(text)
		if err != nil {
			f.p.refuse(f.syntax, "internal error: the rewritten file is no Go: "+err.Error(), "please report it with the source")
			if os.Getenv("CKPGEN_DEBUG") != "" {
				os.Stderr.Write(text)
			}
			return text, true
		}
		text = clean
	}
	return text, true
}

// nosplit matches the directive that has the compiler leave out the test whether the stack has to
// grow. The linker refuses a function without whose stack frame is not small, with those of the
// functions without that it calls.
var nosplit = regexp.MustCompile(`(?m)^//go:nosplit\b`)

// before returns the user's text from a position to declaration i. A function of the closure has a
// larger stack frame than the user has written, and the test.
func (f *file) before(i int, from token.Pos) string {
	after := from // which other declarations can follow, that stay as they are
	if i > 0 {
		after = max(from, f.syntax.Decls[i-1].End())
	}
	d := f.syntax.Decls[i]
	text := f.source(after, d.Pos())
	if d, ok := d.(*ast.FuncDecl); ok && f.p.Closure.Func(d) {
		text = nosplit.ReplaceAllString(text, "//was:go:nosplit") // which gofmt leaves where it is
	}
	return f.source(from, after) + text
}

// declaration returns the new text of a top-level declaration.
func (f *file) declaration(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return f.function(d)
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			break
		}
		base := "package"
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok && len(v.Names) > 0 && v.Names[0].Name != "_" {
				base = v.Names[0].Name
			}
		}
		c := newFunction(f, d, base)
		c.moves = containsLifted(c, d)
		if c.moves {
			c.moveDeclarations(d)
		}
		return c.render(d)
	}
	return f.source(d.Pos(), d.End())
}

// containsLifted reports whether a literal below n is going to be lifted, or a go
// statement written as a call.
func containsLifted(c *function, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			found = found || c.lifts(m)
		case *ast.GoStmt:
			found = found || c.p.starts(m)
		}
		return !found
	})
	return found
}

// testMain returns the name of the parameter of TestMain; "" for other functions. One that does not
// name it does not run the tests.
func (p *pkg) testMain(d *ast.FuncDecl) string {
	if !p.Tests || d.Recv != nil || d.Name.Name != "TestMain" || d.Type.Params.NumFields() != 1 || len(d.Type.Params.List[0].Names) != 1 {
		return ""
	}
	name := d.Type.Params.List[0].Names[0]
	if v := p.info.Defs[name]; v == nil || name.Name == "_" || v.Type().String() != "*testing.M" {
		return ""
	}
	return name.Name
}

// expected returns the comment that says what an example prints, to stand at its end: the go
// command looks for it there, and does not run examples without.
func (f *file) expected(d *ast.FuncDecl) string {
	if d.Recv != nil || d.Body == nil || !strings.HasPrefix(d.Name.Name, "Example") || !strings.HasSuffix(f.name, "_test.go") {
		return ""
	}
	text := ""
	for _, group := range f.syntax.Comments {
		if d.Body.Lbrace <= group.Pos() && group.End() <= d.Body.Rbrace {
			text = "\n\n" + f.source(group.Pos(), group.End()) + "\n"
		}
	}
	return text
}

// typeParamsOf returns the type parameters of the receiver and those of the function or method
// itself.
func typeParamsOf(sig *types.Signature) []*types.TypeParam {
	return slices.AppendSeq(slices.Collect(sig.RecvTypeParams().TypeParams()), sig.TypeParams().TypeParams())
}

func (f *file) function(d *ast.FuncDecl) string {
	c := newFunction(f, d, declarationName(d))
	switch {
	case f.p.InLibrary && hasDirective(d.Doc, standard.AsIs):
		return f.source(d.Pos(), d.End())
	case d.Body == nil:
		return c.render(d)
	case f.p.InLibrary && hasDirective(d.Doc, standard.Off):
		return f.source(d.Pos(), d.Body.Lbrace) + "{ return " + f.shadow() + ".IsOff() }"
	}
	sig := f.p.info.Defs[d.Name].Type().(*types.Signature)
	c.typeParams = typeParamsOf(sig)
	c.closure = f.p.Closure.Func(d)
	c.setIterator(d)
	if c.closure && hasDirective(d.Doc, "go:uintptr") { // uintptrescapes, uintptrkeepalive
		f.p.refuse(d.Name, "the function takes addresses as numbers, which another process does not have, and can reach a checkpoint", "pass pointers")
	}
	c.moves = c.closure || containsLifted(c, d)
	if c.moves {
		for _, t := range c.typeParams {
			switch name := t.Obj().Name(); {
			case name == "_":
				f.p.blank[t.Obj().Pos()] = f.p.packageName("blank")
			case !token.IsExported(name), // generated code may have a variable of that name: fr, env
				f.p.denotes(name),            // and the name of a type that this one hides
				f.p.declaresIn(d.Body, name): // where a variable hides it
				f.p.blank[t.Obj().Pos()] = f.p.newName(name)
			}
		}
		c.moveDeclarations(d.Body)
	}
	name := f.p.declaredName(d)
	runtimeName := f.p.runtimeName(d)
	if f.p.Root && d.Recv == nil && name == "main" {
		// The first call hands main to the runtime, which calls it again.
		c.first = fmt.Sprintf("if %s.Start(main) {\nreturn\n}\n", f.importName(RootPath, "ckp"))
	}
	c.leads = c.ordering(d)
	c.last = f.expected(d)
	if m := f.p.testMain(d); m != "" {
		c.first = fmt.Sprintf("if %[1]s.Start(%[2]s.With(TestMain, %[3]s)) {\n%[3]s.CkpgenEnd()\nreturn\n}\n", f.importName(RootPath, "ckp"), f.shadow(), m)
	}
	if c.closure && c.passes(d, sig) {
		f.original(d)
		c.registerPassing(d, c.base, runtimeName)
		return c.render(d)
	}
	if !c.closure {
		if c.first != "" || c.leads != "" || c.asksSuppressed(d.Body, d.Type) {
			c.subst[d.Body] = substitution{text: c.entry(d.Body, d.Type) + c.render(d.Body)[1:]}
		}
		text := c.render(d)
		if c.iterator != nil {
			c.writeIterate(d)
		}
		return text
	}
	c.declareSignature(d.Type, d.Recv)
	header := "func "
	c.self = name
	if d.Recv != nil {
		header += "(" + c.fieldList(d.Recv) + ") "
		c.recv = c.render(d.Recv.List[0].Type)
	}
	c.self += f.p.typeArguments(slices.Collect(sig.TypeParams().TypeParams()))
	header += name
	if d.Type.TypeParams != nil {
		header += "[" + c.fieldList(d.Type.TypeParams) + "]"
	}
	f.original(d)
	return c.write(header, runtimeName, d.Type, d.Body)
}
