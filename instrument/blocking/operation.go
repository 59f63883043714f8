package blocking

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A Kind is a kind of operation.
type Kind uint8

// The kinds of operations, and the node that each is found at.
const (
	None    Kind = iota
	Send         // *ast.SendStmt
	Receive      // *ast.UnaryExpr
	Range        // *ast.RangeStmt over a channel
	Select       // *ast.SelectStmt without a default
	Try          // *ast.SelectStmt with a default
	Call         // *ast.CallExpr of a Function that waits
	Start        // *ast.GoStmt, or *ast.CallExpr of a Function that starts a goroutine
)

// An Operation is what a node does to the goroutine that executes it.
type Operation struct {
	Kind     Kind
	Function *Function // of a call
}

// Waits reports whether a goroutine can wait at the operation.
func (o Operation) Waits() bool { return o.Kind != None && o.Kind != Try && o.Kind != Start }

// Lasts reports whether an operation makes a program one whose goroutines are found waiting by
// checkpoints: it starts one, or a single one can wait there for long. It does not for a lock.
func (o Operation) Lasts() bool {
	return o.Kind != None && o.Kind != Try && (o.Kind != Call || !o.Function.locks())
}

// String says what a goroutine does there, as in "main.f receives from a channel".
func (o Operation) String() string {
	switch o.Kind {
	case Send:
		return "sends to a channel"
	case Receive:
		return "receives from a channel"
	case Range:
		return "ranges over a channel"
	case Select:
		return "selects"
	case Call:
		switch {
		case o.Function.Name == "Sleep":
			return "sleeps"
		case o.Function.Name == "Select":
			return "selects"
		case o.Function.Name == "Send":
			return "sends to a channel"
		case o.Function.Name == "Recv":
			return "receives from a channel"
		case o.Function.locks():
			return "locks a mutex"
		}
		return "waits for other goroutines"
	case Try:
		return "looks whether others wait"
	case Start:
		return "starts a goroutine"
	}
	return "does not wait"
}

// Pos returns the position by which an operation is known: no other has the same.
// It is token.NoPos for nodes that are never one.
func Pos(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.SendStmt:
		return n.Arrow
	case *ast.UnaryExpr:
		return n.OpPos
	case *ast.RangeStmt:
		return n.For
	case *ast.SelectStmt:
		return n.Select
	case *ast.CallExpr:
		return n.Lparen
	case *ast.GoStmt:
		return n.Go
	}
	return token.NoPos
}

// InFile returns the operations of a file by their positions, without those that are not compiled.
func InFile(fset *token.FileSet, info *types.Info, file *ast.File) map[token.Pos]Operation {
	ops := make(map[token.Pos]Operation)
	external := externalLines(fset, file)
	communications := make(map[ast.Node]bool)
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if Never(info, n.Cond) {
				for _, part := range []ast.Node{n.Init, n.Cond, n.Else} {
					if part != nil {
						ast.Inspect(part, visit)
					}
				}
				return false
			}
		case *ast.SendStmt:
			if !communications[n] {
				ops[Pos(n)] = Operation{Kind: Send}
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && !communications[n] {
				ops[Pos(n)] = Operation{Kind: Receive}
			}
		case *ast.RangeStmt:
			if Element(info.TypeOf(n.X)) != nil {
				ops[Pos(n)] = Operation{Kind: Range}
			}
		case *ast.SelectStmt:
			waits, tries := true, false
			for _, clause := range n.Body.List {
				comm := clause.(*ast.CommClause).Comm
				waits = waits && comm != nil
				tries = tries || comm != nil && !isDone(info, communication(comm))
				communications[communication(comm)] = true
			}
			switch {
			case waits:
				ops[Pos(n)] = Operation{Kind: Select}
			case tries:
				ops[Pos(n)] = Operation{Kind: Try}
			}
		case *ast.CallExpr:
			if f := called(info, n); f != nil {
				ops[Pos(n)] = Operation{Kind: Call, Function: f}
				if f.Starts {
					ops[Pos(n)] = Operation{Kind: Start, Function: f}
				}
			}
		case *ast.GoStmt:
			if !external[fset.PositionFor(n.Go, false).Line-1] {
				ops[Pos(n)] = Operation{Kind: Start}
			}
		}
		return true
	}
	ast.Inspect(file, visit)
	return ops
}

// communication returns the send or receive operation of a clause.
func communication(comm ast.Stmt) ast.Node {
	switch comm := comm.(type) {
	case *ast.SendStmt:
		return comm
	case *ast.ExprStmt:
		return ast.Unparen(comm.X)
	case *ast.AssignStmt:
		return ast.Unparen(comm.Rhs[0])
	}
	return nil
}

// isDone reports whether a communication is the receive from the channel that the method Done of a
// context returns: nobody sends there.
func isDone(info *types.Info, comm ast.Node) bool {
	receive, ok := comm.(*ast.UnaryExpr)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(receive.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && f.FullName() == "(context.Context).Done"
}

// External is the line that stands directly above a go statement whose goroutine is
// not part of checkpoints.
const External = "//ckp:external"

func externalLines(fset *token.FileSet, file *ast.File) map[int]bool {
	lines := make(map[int]bool)
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if strings.TrimRight(comment.Text, " \t\r") == External {
				lines[fset.PositionFor(comment.Pos(), false).Line] = true
			}
		}
	}
	return lines
}

// ExternalStatements returns the go statements of a file whose goroutines are not part of
// checkpoints.
func ExternalStatements(fset *token.FileSet, file *ast.File) (list []*ast.GoStmt) {
	lines := externalLines(fset, file)
	if len(lines) == 0 {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.GoStmt); ok && lines[fset.PositionFor(s.Go, false).Line-1] {
			list = append(list, s)
		}
		return true
	})
	return list
}

// Element returns the type of the elements of a channel of type t, which may be a type
// parameter all of whose types are channels; nil if t is none.
func Element(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case nil:
		return nil
	case *types.TypeParam:
		return Element(t.Constraint().Underlying())
	case *types.Union:
		return Element(t.Term(0).Type())
	case *types.Interface:
		for i := range t.NumEmbeddeds() {
			e := t.EmbeddedType(i)
			if in, ok := e.Underlying().(*types.Interface); ok {
				e = in
			}
			if elem := Element(e); elem != nil {
				return elem
			}
		}
		return nil
	default:
		if ch, ok := t.Underlying().(*types.Chan); ok {
			return ch.Elem()
		}
		return nil
	}
}
