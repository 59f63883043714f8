package closure

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// connectConverted makes the type flow analysis see what flows by way of conversions. It takes each
// field of a struct type for one variable, and forgets that a struct may be one of another type
// next:
//
//	type options struct{ less func(a, b int) bool }
//	type config options
//
//	config(o).less(1, 2)
//
// Nor does it see what flows by pointers to func values and interfaces that are unsafe ones in
// between, as they are in a weak.Pointer and in this:
//
//	var current atomic.Pointer[Logger] // Logger being an interface
//
//	func logger() Logger {
//		if p := current.Load(); p != nil {
//			return *p
//		}
//		return discard{}
//	}
//
// Where it sees another callee, a call would be one of that alone. So there are stores that nothing
// executes, as for channels (receives.go): between the fields of such structs, and between pointers
// of one type of which some become unsafe ones and others are made of such. Those to values of type
// any are left out, which package reflect makes of all.
func (f *flows) connectConverted(g *graph, reachable map[*ssa.Function]bool) {
	c := &conversions{fields: make(map[structField]*ssa.FieldAddr), reads: make(map[structField][]*ssa.Field)}
	for fn := range reachable {
		inLibrary := g.std[packagePath(fn)] && !passesPointers[packagePath(fn)]
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.FieldAddr:
					if s := structOf(pointee(in.X.Type())); s != nil {
						c.fields[structField{c.same(pointee(in.X.Type())), in.Field}] = in
					}
				case *ssa.Field:
					read := structField{c.same(in.X.Type()), in.Field}
					c.reads[read] = append(c.reads[read], in)
				case *ssa.ChangeType:
					c.changed(in.X.Type(), in.Type())
				case *ssa.Convert:
					if !inLibrary {
						c.converted(in)
					}
				}
			}
		}
	}
	c.connectFields(f)
	c.pointers.Iterate(func(_ types.Type, value any) {
		p := value.(*passed)
		for _, to := range p.come {
			for _, x := range p.gone {
				f.add(to, x)
			}
		}
	})
}

// passesPointers are the packages of the standard library by which pointers of the program pass as
// unsafe ones.
var passesPointers = map[string]bool{"sync/atomic": true, "internal/runtime/atomic": true, "weak": true}

// conversions are what is converted in a program.
type conversions struct {
	types    typeutil.Map // of each struct type the one that stands for all that are identical
	others   map[types.Type][]types.Type
	fields   map[structField]*ssa.FieldAddr // an address of each field; all are one variable to the analysis
	reads    map[structField][]*ssa.Field
	pointers typeutil.Map // by the type of what they lead to: *passed
}

type structField struct {
	of    types.Type
	index int
}

// passed are pointers that become unsafe ones, and those that are made of such.
type passed struct {
	gone []ssa.Value
	come []*ssa.Convert
}

// same returns the type that stands for all that are identical to t.
func (c *conversions) same(t types.Type) types.Type {
	if s, ok := c.types.At(t).(types.Type); ok {
		return s
	}
	c.types.Set(t, t)
	return t
}

func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

// changed notes that a struct is, or a pointer to one, converted to another type.
func (c *conversions) changed(from, to types.Type) {
	if f, t := pointee(from), pointee(to); f != nil && t != nil {
		from, to = f, t
	}
	if structOf(from) == nil || structOf(to) == nil {
		return
	}
	if from, to = c.same(from), c.same(to); from != to && !slices.Contains(c.others[from], to) {
		if c.others == nil {
			c.others = make(map[types.Type][]types.Type)
		}
		c.others[from] = append(c.others[from], to)
		c.others[to] = append(c.others[to], from)
	}
}

// connectFields lets what flows into a field flow into those of the types that the struct is
// converted to, and of what these are converted to.
func (c *conversions) connectFields(f *flows) {
	for t := range c.others {
		all := []types.Type{t}
		for i := 0; i < len(all); i++ {
			for _, o := range c.others[all[i]] {
				if !slices.Contains(all, o) {
					all = append(all, o)
				}
			}
		}
		for i := range structOf(t).NumFields() {
			at := c.fields[structField{t, i}]
			if at == nil {
				continue // nothing flows in here
			}
			for _, o := range all[1:] {
				if to := c.fields[structField{o, i}]; to != nil {
					f.add(to, at)
					continue
				}
				for _, to := range c.reads[structField{o, i}] {
					f.add(to, at)
				}
			}
		}
	}
}

// converted notes a pointer to a func value or an interface that becomes an unsafe one, or is made
// of one.
func (c *conversions) converted(in *ssa.Convert) {
	note := func(t types.Type) *passed {
		to := pointee(t)
		if to == nil {
			return nil
		}
		switch u := to.Underlying().(type) {
		case *types.Signature:
			to = u
		case *types.Interface:
			if u.Empty() {
				return nil
			}
		default:
			return nil
		}
		p, _ := c.pointers.At(to).(*passed)
		if p == nil {
			p = new(passed)
			c.pointers.Set(to, p)
		}
		return p
	}
	if isKind(in.Type(), types.UnsafePointer) {
		if p := note(in.X.Type()); p != nil {
			p.gone = append(p.gone, in.X)
		}
	} else if isKind(in.X.Type(), types.UnsafePointer) {
		if p := note(in.Type()); p != nil {
			p.come = append(p.come, in)
		}
	}
}
