package main

import (
	"fmt"
	"math/rand/v2"
)

// What an interpreter has on its heap: values behind interfaces, pairs, strings and symbols,
// vectors, scopes with maps, and functions that lead back to the scopes that they are in.

// Value is any of the types below.
type Value interface{ value() }

// The kinds of values.
type (
	Integer int64
	Real    float64
	Text    string
	Symbol  struct{ Name string }
	Pair    struct{ First, Rest Value }
	Vector  struct{ Items []Value }
	Scope   struct {
		Parent *Scope
		Vars   map[*Symbol]Value
	}
	Function struct {
		Params []*Symbol
		Body   *Pair
		Env    *Scope
	}
)

func (Integer) value()   {}
func (Real) value()      {}
func (Text) value()      {}
func (*Symbol) value()   {}
func (*Pair) value()     {}
func (*Vector) value()   {}
func (*Function) value() {}

// Interpreter is all of it.
type Interpreter struct {
	Symbols map[string]*Symbol
	Global  *Scope
	Stack   []Value
}

func interpreter(n int) subject {
	return subject{
		name: fmt.Sprintf("heap of an interpreter, %d values", n), what: "value", objects: n,
		build: func() any { return newInterpreter(n) },
		empty: func() any { return new(Interpreter) },
		same: func(a, b any) bool {
			x, y := a.(*Interpreter), b.(*Interpreter)
			return len(x.Symbols) == len(y.Symbols) && len(x.Stack) == len(y.Stack) && len(x.Global.Vars) == len(y.Global.Vars) &&
				y.Global.Vars[y.Symbols["s1"]] != nil
		},
	}
}

func newInterpreter(n int) *Interpreter {
	r := rand.New(rand.NewPCG(5, 6))
	in := &Interpreter{Symbols: make(map[string]*Symbol), Global: &Scope{Vars: make(map[*Symbol]Value)}}
	symbols := make([]*Symbol, 1000)
	for i := range symbols {
		symbols[i] = &Symbol{fmt.Sprint("s", i)}
		in.Symbols[symbols[i].Name] = symbols[i]
	}
	symbol := func() *Symbol { return symbols[r.IntN(len(symbols))] }
	made := make([]Value, 0, n)
	scopes := []*Scope{in.Global}
	any := func() Value {
		if len(made) == 0 {
			return nil
		}
		return made[max(0, len(made)-1-r.IntN(1+min(len(made), 64)))]
	}
	for len(made) < n {
		var v Value
		switch r.IntN(16) {
		case 0, 1, 2:
			v = Integer(r.Int64())
		case 3:
			v = Real(r.Float64())
		case 4, 5:
			v = Text(val(r.IntN(1e9)))
		case 6:
			v = symbol()
		case 7:
			items := make([]Value, 1+r.IntN(8))
			for i := range items {
				items[i] = any()
			}
			v = &Vector{items}
		case 8:
			if len(made)%4 == 0 {
				s := &Scope{scopes[r.IntN(len(scopes))], make(map[*Symbol]Value)}
				for range 1 + r.IntN(6) {
					s.Vars[symbol()] = any()
				}
				scopes = append(scopes, s)
			}
			body, _ := any().(*Pair)
			v = &Function{[]*Symbol{symbol(), symbol()}, body, scopes[len(scopes)-1]}
		default:
			v = &Pair{any(), any()}
		}
		made = append(made, v)
		if r.IntN(4) == 0 {
			in.Stack = append(in.Stack, v)
		}
	}
	for _, s := range symbols {
		in.Global.Vars[s] = any()
	}
	return in
}
