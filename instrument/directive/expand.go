package directive

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/crc32"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Prefix is what every directive begins with.
const Prefix = "//ckp:"

// A Problem is a directive that can't be followed.
type Problem struct {
	Pos    token.Position
	Reason string
	WayOut string
}

// An Expansion is what the directives of a file mean.
type Expansion struct {
	// Text is the file with calls in place of directives that are statements; nil if it has none.
	Text []byte
	// Statements are the positions of these.
	Statements []token.Position
	Problems   []Problem
}

// A kind is what a directive means.
type kind struct {
	argument  argument
	statement bool
	function  string // of package ckp, that a statement calls
}

type argument uint8

const (
	noArgument argument = iota
	mayHaveArgument
	needsName
)

var kinds = map[string]kind{
	"point":     {},
	"external":  {},
	"transient": {argument: mayHaveArgument},
	"start":     {statement: true, function: "StartTracking"},
	"stop":      {statement: true, function: "StopTracking"},
	"save":      {statement: true, function: "Save", argument: needsName},
}

// names is what a NAME is.
var names = regexp.MustCompile(`^[\pL\pN._-]{1,100}$`)

// Expand returns what the directives in a file mean, nil if there are none. The file is read as far
// as it is Go; what else is wrong with it the compiler tells.
func Expand(name string, text []byte) *Expansion {
	if !bytes.Contains(text, []byte(Prefix)) {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	e := &expander{fset: fset, file: file, text: text, out: new(Expansion), base: crc32.ChecksumIEEE([]byte(filepath.Base(name)))}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, Prefix) {
				e.directive(c)
			}
		}
	}
	e.finish()
	return e.out
}

// An expander expands the directives of one file.
type expander struct {
	fset *token.FileSet
	file *ast.File
	text []byte
	base uint32
	out  *Expansion

	done  int      // bytes of text that are in new
	new   []byte   // with calls
	stand []string // keys of kinds that have a stand-in
}

func (e *expander) problem(c *ast.Comment, wayOut, reason string, args ...any) {
	e.out.Problems = append(e.out.Problems, Problem{e.fset.Position(c.Pos()), fmt.Sprintf(reason, args...), wayOut})
}

func (e *expander) directive(c *ast.Comment) {
	word, rest, _ := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(c.Text, Prefix), "\t", " "), " ")
	word, rest = strings.TrimSpace(word), strings.TrimSpace(rest)
	k, ok := kinds[word]
	switch {
	case !ok:
		e.problem(c, "there are //ckp:start, //ckp:stop, //ckp:save NAME, //ckp:transient, //ckp:external and //ckp:point", "there is no directive //ckp:%s", word)
		return
	case k.argument == noArgument && rest != "":
		e.problem(c, "put what else is to be said on another line", "//ckp:%s stands alone on its line", word)
		return
	case word == "transient" && rest == "" && !e.declares(c):
		e.problem(c, "a local variable is part of checkpoints while it is used: keep what it holds in a variable of the package, or a field, with that comment",
			"//ckp:transient stands at no field and no variable of the package")
		return
	case k.argument == needsName && rest == "":
		e.problem(c, "write //ckp:save NAME", "//ckp:save has no name")
		return
	case k.argument == needsName && !names.MatchString(rest):
		e.problem(c, "a name has letters, digits, dots, underlines and hyphens; ckp.Save takes any", "%q is not a name for //ckp:save", rest)
		return
	case !k.statement:
		return
	}
	at := e.fset.PositionFor(c.Pos(), false).Offset
	line := bytes.LastIndexByte(e.text[:at], '\n') + 1
	switch before, misplaced := e.place(c); {
	case len(bytes.TrimSpace(e.text[line:at])) > 0:
		e.problem(c, "put it on the line before or after", "//ckp:%s does not have the line for itself", word)
		return
	case misplaced:
		e.problem(c, "put it between two statements in the body of a function", "//ckp:%s stands where no statement can", word)
		return
	case before != nil && ends(before, ""):
		e.problem(c, "put it before that statement", "//ckp:%s is never reached: the statement before it leaves", word)
		return
	}
	end := len(e.text)
	if i := bytes.IndexByte(e.text[at:], '\n'); i >= 0 {
		end = at + i
	}
	call := e.standIn(word) + "()"
	if k.argument == needsName {
		call = fmt.Sprintf("%s(%q)", e.standIn(word), rest)
	}
	e.new = append(append(e.new, e.text[e.done:at]...), call...)
	e.done = end
	e.out.Statements = append(e.out.Statements, e.fset.Position(c.Pos()))
	if !slices.Contains(e.stand, word) {
		e.stand = append(e.stand, word)
	}
}

// declares reports whether a comment stands at the declaration of a field or of variables of the
// package.
func (e *expander) declares(c *ast.Comment) bool {
	found := false
	at := func(groups ...*ast.CommentGroup) {
		for _, g := range groups {
			found = found || g != nil && slices.Contains(g.List, c)
		}
	}
	for _, decl := range e.file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			at(d.Doc)
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.ValueSpec); ok {
					at(s.Doc, s.Comment)
				}
			}
		}
	}
	ast.Inspect(e.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				at(field.Doc, field.Comment)
			}
		}
		return !found
	})
	return found
}

// standIn returns the name of the function that stands for one of package ckp in the file. Files of
// one package have other names.
func (e *expander) standIn(word string) string {
	name := fmt.Sprintf("ckpgen_%s_%08x", word, e.base)
	for bytes.Contains(e.text, []byte(name)) {
		e.base++
		name = fmt.Sprintf("ckpgen_%s_%08x", word, e.base)
	}
	return name
}

// finish adds the declarations.
func (e *expander) finish() {
	if len(e.stand) == 0 {
		return
	}
	e.new = append(e.new, e.text[e.done:]...)
	for _, word := range e.stand {
		doc, params := "", ""
		if kinds[word].argument == needsName {
			doc, params = "//ckp:point\n", "string"
		}
		e.new = fmt.Appendf(e.new, "\n%sfunc %s(%s) {}\n", doc, e.standIn(word), params)
	}
	e.out.Text = e.new
}

var standing = regexp.MustCompile(`^ckpgen_(start|stop|save)_[0-9a-f]{8}$`)

// Standing returns the name of the function of package ckp for which a declared function stands, ""
// if it stands for none.
func Standing(fn *ast.FuncDecl) string {
	m := standing.FindStringSubmatch(fn.Name.Name)
	if m == nil || fn.Recv != nil || fn.Body == nil || len(fn.Body.List) > 0 {
		return ""
	}
	return kinds[m[1]].function
}

// place returns the statement that a comment stands behind in its list; nil if it stands before all
// others. misplaced tells that no statement can stand there.
func (e *expander) place(c *ast.Comment) (before ast.Stmt, misplaced bool) {
	var inner, clauses ast.Node // clauses is the body of a switch or select statement
	function := false
	ast.Inspect(e.file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		if c.Pos() < n.Pos() || c.Pos() >= n.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			function = true
		case *ast.SwitchStmt:
			clauses = n.Body
		case *ast.TypeSwitchStmt:
			clauses = n.Body
		case *ast.SelectStmt:
			clauses = n.Body
		}
		inner = n
		return true
	})
	var list []ast.Stmt
	switch n := inner.(type) {
	case *ast.BlockStmt:
		list = n.List
	case *ast.CaseClause:
		list, misplaced = n.Body, c.Pos() < n.Colon
	case *ast.CommClause:
		list, misplaced = n.Body, c.Pos() < n.Colon
	default:
		return nil, true
	}
	last := func(list []ast.Stmt) (s ast.Stmt) {
		for _, t := range list {
			if t.End() <= c.Pos() {
				s = t
			}
		}
		return s
	}
	before = last(list)
	switch n := before.(type) { // the comment may be behind the last statement of a clause, which ends with that
	case *ast.CaseClause:
		before = last(n.Body)
	case *ast.CommClause:
		before = last(n.Body)
	case nil:
		misplaced = misplaced || inner == clauses
	}
	return before, misplaced || !function
}
