package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"strconv"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A typeError says why a type has no name in the file it is needed in.
type typeError struct{ text string }

func (e *typeError) Error() string { return e.text }

// typeText returns t as it is written in file f. It adds the imports that it
// needs. The error says which part of t can't be named there.
func (f *file) typeText(t types.Type) (string, error) {
	return f.try(func(b *strings.Builder) { f.writeType(b, t) })
}

// writable reports whether typeText can write t. It adds no imports.
func (f *file) writable(t types.Type) bool {
	before := maps.Clone(f.added)
	_, err := f.typeText(t)
	f.forget(before)
	return err == nil
}

// hasTypeParams reports whether typeText writes type parameters, also those of a type that was
// moved out of a generic function.
func (f *file) hasTypeParams(list ...types.Type) bool {
	before := f.dependent
	defer func() { f.dependent = before }()
	f.dependent = false
	for _, t := range list {
		f.writable(t)
	}
	return f.dependent
}

// forget takes back the imports that have been added since: one that nothing uses is an error.
func (f *file) forget(before map[string]string) {
	for path := range f.added {
		if _, ok := before[path]; !ok {
			delete(f.imports, path)
		}
	}
	f.added = before
}

// try turns the panic of a write method into an error.
func (f *file) try(write func(*strings.Builder)) (text string, err error) {
	before := maps.Clone(f.added)
	defer func() {
		if e, ok := recover().(*typeError); ok {
			f.forget(before)
			err = e
		} else if e != nil {
			panic(e)
		}
	}()
	var b strings.Builder
	write(&b)
	return b.String(), nil
}

// writeType panics with a *typeError, which typeText catches.
func (f *file) writeType(b *strings.Builder, t types.Type) {
	switch t := t.(type) {
	case *types.Basic:
		switch {
		case t.Kind() == types.UnsafePointer:
			b.WriteString(f.importName("unsafe", "unsafe") + ".Pointer")
		case t.Kind() == types.UntypedNil, t.Kind() == types.Invalid:
			panic(&typeError{"a value without a type"})
		default:
			name := types.Default(t).String()
			f.predeclared(name)
			b.WriteString(name)
		}
	case *types.Alias:
		if !f.nameable(t.Obj()) {
			f.writeType(b, t.Rhs())
			return
		}
		f.writeTypeName(b, t.Obj(), t.TypeArgs())
	case *types.Named:
		f.writeTypeName(b, t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		f.needsTypeParams([]*types.TypeParam{t})
		b.WriteString(f.p.typeParamName(t))
	case *types.Pointer:
		b.WriteString("*")
		f.writeType(b, t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		f.writeType(b, t.Elem())
	case *types.Array:
		fmt.Fprintf(b, "[%d]", t.Len())
		f.writeType(b, t.Elem())
	case *types.Map:
		b.WriteString("map[")
		f.writeType(b, t.Key())
		b.WriteString("]")
		f.writeType(b, t.Elem())
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			b.WriteString("chan<- ")
		case types.RecvOnly:
			b.WriteString("<-chan ")
		default:
			b.WriteString("chan ")
		}
		b.WriteString("(")
		f.writeType(b, t.Elem())
		b.WriteString(")")
	case *types.Signature:
		b.WriteString("func")
		f.writeSignature(b, t)
	case *types.Struct:
		b.WriteString("struct {")
		for i := range t.NumFields() {
			v := t.Field(i)
			if !v.Exported() && v.Pkg() != f.p.types {
				panic(&typeError{fmt.Sprintf("a struct with the unexported field %s of package %s", v.Name(), v.Pkg().Path())})
			}
			if !v.Embedded() {
				b.WriteString(v.Name() + " ")
			}
			f.writeType(b, v.Type())
			if tag := t.Tag(i); tag != "" {
				b.WriteString(" " + strconv.Quote(tag))
			}
			b.WriteString("; ")
		}
		b.WriteString("}")
	case *types.Interface:
		if t.IsImplicit() {
			f.writeType(b, t.EmbeddedType(0))
			return
		}
		b.WriteString("interface {")
		for i := range t.NumExplicitMethods() {
			m := t.ExplicitMethod(i)
			if !m.Exported() && m.Pkg() != f.p.types {
				panic(&typeError{fmt.Sprintf("an interface with the unexported method %s of package %s", m.Name(), m.Pkg().Path())})
			}
			b.WriteString(m.Name())
			f.writeSignature(b, m.Type().(*types.Signature))
			b.WriteString("; ")
		}
		for i := range t.NumEmbeddeds() {
			f.writeType(b, t.EmbeddedType(i))
			b.WriteString("; ")
		}
		b.WriteString("}")
	case *types.Union:
		for i := range t.Len() {
			if i > 0 {
				b.WriteString(" | ")
			}
			if t.Term(i).Tilde() {
				b.WriteString("~")
			}
			f.writeType(b, t.Term(i).Type())
		}
	default:
		panic(&typeError{fmt.Sprintf("a type of kind %T", t)})
	}
}

// predeclared panics if the package hides a predeclared type.
func (f *file) predeclared(name string) {
	if f.p.types.Scope().Lookup(name) != nil {
		panic(&typeError{"the predeclared type " + name + ", whose name the package declares anew"})
	}
}

// nameable reports whether writeTypeName can write the name of a type.
func (f *file) nameable(obj *types.TypeName) bool {
	before := maps.Clone(f.added)
	_, err := f.try(func(b *strings.Builder) { f.writeTypeName(b, obj, nil) })
	f.forget(before)
	return err == nil
}

func (f *file) writeTypeName(b *strings.Builder, obj *types.TypeName, args *types.TypeList) {
	name, moved := f.p.moved[obj]
	switch {
	case moved:
		f.needsTypeParams(f.p.movedBy[obj])
		b.WriteString(name)
		if args.Len() == 0 {
			f.writeTypeParams(b, f.p.movedBy[obj])
			return
		}
		b.WriteString("[")
		for _, t := range f.p.movedBy[obj] {
			b.WriteString(f.p.typeParamName(t) + ", ")
		}
		for i := range args.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			f.writeType(b, args.At(i))
		}
		b.WriteString("]")
		return
	case obj.Pkg() == nil:
		f.predeclared(obj.Name())
		b.WriteString(obj.Name())
	case obj.Pkg() == f.p.types:
		if obj.Parent() != obj.Pkg().Scope() {
			panic(&typeError{"the local type " + obj.Name()})
		}
		b.WriteString(obj.Name())
	case !obj.Exported(), !f.p.importable(obj.Pkg().Path()):
		var by *types.Package
		name := ""
		if f.p.Hidden != nil {
			by, name = f.p.Hidden(f.p.types, obj, f.p.importable)
		}
		switch {
		case name != "":
			b.WriteString(f.importName(by.Path(), by.Name()) + "." + name)
		case !obj.Exported():
			panic(&typeError{"the unexported type " + obj.Pkg().Path() + "." + obj.Name()})
		default:
			panic(&typeError{"the type " + obj.Pkg().Path() + "." + obj.Name() + ", which this package can't import"})
		}
	default:
		b.WriteString(f.importName(obj.Pkg().Path(), obj.Pkg().Name()) + "." + obj.Name())
	}
	if args.Len() > 0 {
		b.WriteString("[")
		for i := range args.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			f.writeType(b, args.At(i))
		}
		b.WriteString("]")
	}
}

// needsTypeParams notes that type parameters are written. It panics if f is the file of
// registrations, which has no function that they could belong to.
func (f *file) needsTypeParams(list []*types.TypeParam) {
	f.dependent = f.dependent || len(list) > 0
	if f.syntax == nil && len(list) > 0 {
		panic(&typeError{"the type parameter " + list[0].Obj().Name()})
	}
}

// writeTypeParams writes the names of type parameters as arguments: [K, V].
func (f *file) writeTypeParams(b *strings.Builder, list []*types.TypeParam) {
	b.WriteString(f.p.typeArguments(list))
}

func (p *pkg) typeArguments(list []*types.TypeParam) string {
	if len(list) == 0 {
		return ""
	}
	names := make([]string, len(list))
	for i, t := range list {
		names[i] = p.typeParamName(t)
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// typeParamName returns the name of a type parameter. A blank one has got a name, so
// that generated types can be instantiated with it.
func (p *pkg) typeParamName(t *types.TypeParam) string {
	if name, ok := p.blank[t.Obj().Pos()]; ok {
		return name
	}
	return t.Obj().Name()
}

// typeParameters returns the declaration of type parameters: [K comparable, V any].
func (f *file) typeParameters(list []*types.TypeParam) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	parts := make([]string, len(list))
	for i, t := range list {
		c, err := f.typeText(t.Constraint())
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(c, "*") || strings.HasPrefix(c, "(") {
			c = "interface{ " + c + " }" // type T[P *S] would be an array type
		}
		parts[i] = f.p.typeParamName(t) + " " + c
	}
	return "[" + strings.Join(parts, ", ") + "]", nil
}

func (f *file) writeSignature(b *strings.Builder, sig *types.Signature) {
	b.WriteString("(")
	for i := range sig.Params().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		t := sig.Params().At(i).Type()
		if sig.Variadic() && i == sig.Params().Len()-1 {
			b.WriteString("...")
			t = t.(*types.Slice).Elem()
		}
		f.writeType(b, t)
	}
	b.WriteString(")")
	switch n := sig.Results().Len(); {
	case n == 1:
		b.WriteString(" ")
		f.writeType(b, sig.Results().At(0).Type())
	case n > 1:
		b.WriteString(" (")
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			f.writeType(b, sig.Results().At(i).Type())
		}
		b.WriteString(")")
	}
}

// zeroText returns an expression for the zero value of t, whose text is given. It may be a composite
// literal.
func zeroText(t types.Type, text string) string {
	if isTypeParam(t) {
		return "*new(" + text + ")"
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Kind() == types.UnsafePointer:
			return "nil"
		default:
			return "0"
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return "nil"
	}
	return text + "{}" // of an array or struct; the compiler would copy one that new has made
}

// importable reports whether the package may import the one at path, as far as
// internal folders decide it.
func (p *pkg) importable(path string) bool {
	if strings.HasPrefix(path, "vendor/") || strings.Contains(path, "/vendor/") {
		return false
	}
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return true
	}
	if i == 0 {
		return p.InLibrary
	}
	parent, from := path[:i-1], load.Place(p.Pkg)
	return from == parent || strings.HasPrefix(from, parent+"/")
}

// typeOf returns the type of an expression, which always has one in code that
// has been type-checked.
func (p *pkg) typeOf(e ast.Expr) types.Type { return p.info.TypeOf(e) }
