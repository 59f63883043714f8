package rewrite

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// Of a type without a name, as any or *node, a program can keep the first of several values, too
// (heads.go). Package heap knows it by its text.

// unnamedHeads returns the types without names that have references, of which the package, or a
// function of the program (closure.Heads), makes slices of the first, or adds to its address; and
// the structs without names that it takes for beginnings of structs.
func (p *pkg) unnamedHeads() []types.Type {
	if p.nameless == nil {
		p.nameless = append([]types.Type{}, p.Unnamed...)
		if p.Pkg.Imports["unsafe"] == nil {
			return p.nameless
		}
		p.eachCall(func(call *ast.CallExpr, above []ast.Node) {
			for _, t := range []types.Type{p.firstOf(call), p.walkedOf(call, above), p.beginningOf(call, above)} {
				if t != nil && headType(t) == nil && !hasTypeParam(t, nil) {
					p.nameless = append(p.nameless, t)
				}
			}
		})
	}
	return p.nameless
}

// beginningOf returns T if a call is the conversion of a *T to an unsafe pointer that at once
// becomes one to a struct that begins with a T, a struct.
func (p *pkg) beginningOf(call *ast.CallExpr, above []ast.Node) types.Type {
	from, to := p.hiddenBy(call), p.madeAtOnce(above)
	if from == nil || to == nil || !isStruct(to) || types.Identical(to, from) || !beginsWith(to, from) {
		return nil
	}
	if _, ok := types.Unalias(from).(*types.Struct); !ok {
		return nil
	}
	return from
}

// plainText returns the text that package heap has for a type, or "" if there are interfaces with
// methods that have no name, or types that functions declare in it. A generic type's name stands
// for all instances.
func (p *pkg) plainText(t types.Type) string {
	var w plainWriter
	w.p = p
	w.write(t)
	if w.unknown {
		return ""
	}
	return w.String()
}

// A plainWriter makes the text of one type.
type plainWriter struct {
	strings.Builder
	p       *pkg
	unknown bool // the text can't be told
}

func (w *plainWriter) write(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		w.WriteString(types.Typ[t.Kind()].Name())
	case *types.Pointer:
		w.WriteByte('*')
		w.write(t.Elem())
	case *types.Slice:
		w.WriteString("[]")
		w.write(t.Elem())
	case *types.Array:
		w.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		w.write(t.Elem())
	case *types.Map:
		w.WriteString("map[")
		w.write(t.Key())
		w.WriteByte(']')
		w.write(t.Elem())
	case *types.Chan:
		w.channel(t)
	case *types.Signature:
		w.signature(t)
	case *types.Struct:
		w.fields(t)
	case *types.Interface:
		w.WriteString("interface {}")
		w.unknown = w.unknown || !t.Empty()
	case *types.Named:
		obj := t.Obj()
		switch {
		case obj.Pkg() == nil:
		case obj.Parent() != obj.Pkg().Scope():
			w.unknown = true
		case obj.Pkg() == w.p.types:
			w.WriteString(w.p.reflectPath() + ".")
		default:
			w.WriteString(obj.Pkg().Path() + ".")
		}
		w.WriteString(obj.Name())
	default:
		w.unknown = true
	}
}

func (w *plainWriter) channel(t *types.Chan) {
	switch t.Dir() {
	case types.RecvOnly:
		w.WriteString("<-chan ")
		w.write(t.Elem())
	case types.SendOnly:
		w.WriteString("chan<- ")
		w.write(t.Elem())
	default:
		w.WriteString("chan (")
		w.write(t.Elem())
		w.WriteByte(')')
	}
}

func (w *plainWriter) signature(t *types.Signature) {
	w.WriteString("func(")
	for i := range t.Params().Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		param := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			w.WriteString("...")
			param = param.(*types.Slice).Elem()
		}
		w.write(param)
	}
	w.WriteByte(')')
	if t.Results().Len() == 0 {
		return
	}
	w.WriteString(" (")
	for i := range t.Results().Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		w.write(t.Results().At(i).Type())
	}
	w.WriteByte(')')
}

func (w *plainWriter) fields(t *types.Struct) {
	w.WriteString("struct{")
	for i := range t.NumFields() {
		f := t.Field(i)
		if i > 0 {
			w.WriteString("; ")
		}
		if f.Anonymous() {
			w.WriteString("embedded ")
		}
		switch {
		case f.Exported():
		case f.Pkg() == w.p.types:
			w.WriteString(w.p.reflectPath() + ".")
		default:
			w.WriteString(f.Pkg().Path() + ".")
		}
		w.WriteString(f.Name() + " ")
		w.write(f.Type())
		if tag := t.Tag(i); tag != "" {
			w.WriteString(" " + strconv.Quote(tag))
		}
	}
	w.WriteByte('}')
}
