package closure

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Package reflect sets no field whose name begins with a small letter, and no variable of a package
// whose address it does not get. So what the program stores there is all that there is:
//
//	type table struct{ less func(a, b int) bool }
//
//	func newTable(less func(a, b int) bool) *table { return &table{less} }
//
// If a struct is converted to another one with the same fields, that is not known of either.

// A fieldName tells a field that only one package can use. Fields of types without a name are the
// same if their names are.
type fieldName struct {
	pkg, name string
	at        token.Pos // where it is declared in a type with a name, also of all instances of that
}

// stores are what the program stores in such fields and in variables of packages.
type stores struct {
	fields    map[fieldName][]ssa.Value
	variables map[*ssa.Global][]ssa.Value
	leaked    map[any]bool // of which the address is used for something else than to store and read what is there
}

// stored returns what the program stores.
func (g *graph) stored() *stores {
	if g.storing != nil {
		return g.storing
	}
	s := &stores{make(map[fieldName][]ssa.Value), make(map[*ssa.Global][]ssa.Value), make(map[any]bool)}
	g.storing = s
	var operands []*ssa.Value
	for fn := range g.nodes {
		if fn == nil {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.FieldAddr:
					s.field(in)
				case *ssa.ChangeType:
					s.converted(in.X.Type(), in.Type())
				}
				operands = in.Operands(operands[:0])
				for _, op := range operands {
					if v, ok := (*op).(*ssa.Global); ok {
						if val, used := storedBy(in, v); val != nil {
							s.variables[v] = append(s.variables[v], val)
						} else if !used {
							s.leaked[v] = true
						}
					}
				}
			}
		}
	}
	return s
}

// field adds what is stored in a field.
func (s *stores) field(at *ssa.FieldAddr) {
	name, ok := smallField(pointee(at.X.Type()), at.Field)
	if !ok {
		return
	}
	for _, in := range *at.Referrers() {
		if val, used := storedBy(in, at); val != nil {
			s.fields[name] = append(s.fields[name], val)
		} else if !used {
			s.leaked[name] = true
		}
	}
}

// converted notes the fields of a struct that is, or to which a pointer is, converted to another
// one.
func (s *stores) converted(from, to types.Type) {
	if f, t := pointee(from), pointee(to); f != nil && t != nil {
		from, to = f, t
	}
	f, ok := from.Underlying().(*types.Struct)
	if _, both := to.Underlying().(*types.Struct); !ok || !both {
		return
	}
	for i := range f.NumFields() {
		if a, ok := smallField(from, i); ok {
			if b, _ := smallField(to, i); a != b {
				s.leaked[a], s.leaked[b] = true, true
			}
		}
	}
}

// storedBy returns what an instruction stores at an address, or nil. used reports whether it only
// reads what is there, or has nothing to do with it.
func storedBy(in ssa.Instruction, at ssa.Value) (val ssa.Value, used bool) {
	switch in := in.(type) {
	case *ssa.Store:
		if in.Val == at {
			return nil, false
		}
		return in.Val, true
	case *ssa.UnOp, *ssa.DebugRef:
		return nil, true
	case *ssa.FieldAddr, *ssa.IndexAddr: // of a part, which is no func value
		return nil, true
	}
	return nil, false
}

// smallField returns the name of a field of a struct, if only one package can use it.
func smallField(t types.Type, field int) (fieldName, bool) {
	if t == nil {
		return fieldName{}, false
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.Field(field).Exported() || s.Field(field).Pkg() == nil {
		return fieldName{}, false
	}
	name := fieldName{pkg: s.Field(field).Pkg().Path(), name: s.Field(field).Name()}
	if _, ok := types.Unalias(t).(*types.Named); ok {
		name.at = s.Field(field).Pos()
	}
	return name, true
}
