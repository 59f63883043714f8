package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// facts are what the rewriting must know of the local variables of a package
// before it starts.
type facts struct {
	info *types.Info
	// assigned holds variables that are assigned other than by their
	// declaration (or by the range clause that declares them).
	assigned map[types.Object]bool
	// moved is that of the package: a variable that has become the package's is not captured.
	moved map[types.Object]string
	// otherwise holds those of them that are assigned by something else than an assignment
	// statement.
	otherwise map[types.Object]bool
	// last holds variables that have their last value where literals capture them: see captured.go.
	last map[types.Object]bool
	// addressed holds variables whose address is taken, in so many words or
	// by a method call or slicing.
	addressed map[types.Object]bool
	// lent holds variables whose address is only passed to functions that borrow it: see lent.go.
	lent map[types.Object]bool
	// kept holds those of addressed whose address may be somewhere when a call is over: see again
	// in lent.go.
	kept map[types.Object]bool
	// lends tells which operand of a call is an address that is only lent, and borrows which one
	// the function borrows at least.
	lends, borrows func(call *ast.CallExpr, param int) bool
	// borrowed holds the expressions that are such addresses, and the functions of calls whose
	// receivers are.
	borrowed map[ast.Expr]bool
	// passed holds those that are operands of calls which borrow them.
	passed map[ast.Expr]bool
	// handed holds literals that are only lent to a call: see lentliterals.go.
	handed map[*ast.FuncLit]bool
	// lendsLiteral tells which argument of a call is such.
	lendsLiteral func(call *ast.CallExpr, param int) bool
	// captured holds variables that are used in a function literal in which
	// they are not declared.
	captured map[types.Object]bool
	// called holds expressions that are the function of a call.
	called map[ast.Expr]bool
	// later holds those of go and defer statements.
	later map[ast.Expr]bool
	// capturedBy are the literals that capture a variable, with those that they stand in.
	capturedBy map[types.Object][]*ast.FuncLit
	// inBody are the variables that the body of a loop over a function captures.
	inBody map[types.Object]bool
	// definedAs is the variable that is declared with a literal.
	definedAs map[*ast.FuncLit]types.Object
	// recursive are the variables that are declared, and given a literal that calls them by another
	// statement: see localfuncs.go.
	recursive map[types.Object]bool
	// pairs are those that may be such, and given where they are given the literal.
	pairs []recursion
	given map[*ast.Ident]bool
	// numbers holds what variables are declared with, if that is a number which is known: see
	// numbers.go.
	numbers map[types.Object]string
	// lengths holds what variables are declared as the length of, or made with, and measured the
	// others: see known.go.
	lengths  map[types.Object]length
	measured map[types.Object]bool
	// valued holds variables that are used other than to be called where they stand.
	valued map[types.Object]bool
	// target is the statement that a break or continue refers to.
	target map[*ast.BranchStmt]ast.Stmt
	// jumped holds the labels that a goto refers to.
	jumped map[types.Object]bool
	// deferred holds literals that are called by a defer statement.
	deferred map[*ast.FuncLit]bool
	// onTheSpot holds literals that are called, deferred or started where
	// they stand.
	onTheSpot map[*ast.FuncLit]*ast.CallExpr
	// started is the go statement that calls a literal.
	started map[*ast.FuncLit]*ast.GoStmt
	// argumentOf is the call that a func value is passed to.
	argumentOf map[ast.Expr]*ast.CallExpr
	// goOrDefer holds the calls of go and defer statements.
	goOrDefer map[*ast.CallExpr]bool
	// alone holds the calls that are statements: nothing takes their results.
	alone map[*ast.CallExpr]bool
	// unevaluated holds what is never executed: the calls and receives in the operand of
	// unsafe.Sizeof and the like.
	unevaluated map[ast.Node]bool
	// unnamed are variables for results without names, see returned.
	unnamed map[ast.Node]*types.Var
}

func collectFacts(p *packages.Package, moved map[types.Object]string, lends, borrows, lendsLiteral func(*ast.CallExpr, int) bool) *facts {
	f := &facts{
		info:       p.TypesInfo,
		assigned:   make(map[types.Object]bool),
		moved:      moved,
		otherwise:  make(map[types.Object]bool),
		last:       make(map[types.Object]bool),
		addressed:  make(map[types.Object]bool),
		lent:       make(map[types.Object]bool),
		kept:       make(map[types.Object]bool),
		lends:      lends,
		borrows:    borrows,
		passed:     make(map[ast.Expr]bool),
		borrowed:   make(map[ast.Expr]bool),
		handed:     make(map[*ast.FuncLit]bool),
		captured:   make(map[types.Object]bool),
		capturedBy: make(map[types.Object][]*ast.FuncLit),
		called:     make(map[ast.Expr]bool),
		later:      make(map[ast.Expr]bool),
		valued:     make(map[types.Object]bool),
		lengths:    make(map[types.Object]length),
		measured:   make(map[types.Object]bool),
		definedAs:  make(map[*ast.FuncLit]types.Object),
		recursive:  make(map[types.Object]bool),
		inBody:     make(map[types.Object]bool),
		given:      make(map[*ast.Ident]bool),
		numbers:    make(map[types.Object]string),
		target:     make(map[*ast.BranchStmt]ast.Stmt),
		jumped:     make(map[types.Object]bool),
		deferred:   make(map[*ast.FuncLit]bool),
		onTheSpot:  make(map[*ast.FuncLit]*ast.CallExpr),
		goOrDefer:  make(map[*ast.CallExpr]bool),
		alone:      make(map[*ast.CallExpr]bool),
		started:    make(map[*ast.FuncLit]*ast.GoStmt),
		argumentOf: make(map[ast.Expr]*ast.CallExpr),
		unnamed:    make(map[ast.Node]*types.Var),

		unevaluated:  make(map[ast.Node]bool),
		lendsLiteral: lendsLiteral,
	}
	for _, file := range p.Syntax {
		each := perIteration(p, file)
		for _, d := range file.Decls {
			f.node(d, each)
		}
	}
	f.shareWithHanded()
	f.findValued()
	f.findRecursive()
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					f.branches(n.Body)
					f.settle(n.Recv, n.Type, n.Body)
				}
			case *ast.FuncLit:
				f.branches(n.Body)
				f.settle(nil, n.Type, n.Body)
			}
			return true
		})
	}
	return f
}

// node collects the facts that need no more than the node itself. If each iteration
// has its own variables, a range clause that declares them does not assign them.
func (f *facts) node(root ast.Node, perIteration bool) {
	var literals []ast.Node // that the walk is in, and loops over functions
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if f.handed[n] { // a part of the function that it stands in
				break
			}
			literals = append(literals, n)
			ast.Inspect(n.Type, visit)
			ast.Inspect(n.Body, visit)
			literals = literals[:len(literals)-1]
			return false
		case *ast.FuncType:
			if n.Results != nil {
				for _, field := range n.Results.List {
					for _, id := range field.Names {
						f.assignedOtherwise(f.info.Defs[id]) // by return statements
					}
				}
			}
		case *ast.Ident:
			if v, ok := f.info.Uses[n].(*types.Var); ok && len(literals) > 0 && !v.IsField() {
				if lit := literals[len(literals)-1]; v.Pos() < lit.Pos() || v.Pos() >= lit.End() {
					f.captured[v] = true
				}
				for _, by := range literals {
					lit, ok := by.(*ast.FuncLit)
					switch {
					case by.Pos() <= v.Pos() && v.Pos() < by.End():
					case !ok:
						f.inBody[v] = true
					case !slices.Contains(f.capturedBy[v], lit):
						f.capturedBy[v] = append(f.capturedBy[v], lit)
					}
				}
			}
		case *ast.BlockStmt:
			f.findPairs(n.List)
		case *ast.CaseClause:
			f.findPairs(n.Body)
		case *ast.CommClause:
			f.findPairs(n.Body)
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && f.given[id] { // it may be as good as a declaration
					continue
				}
				f.assign(l)
				if id, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					f.define(id, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Names) == len(n.Values) {
					f.define(id, n.Values[i])
				}
			}
		case *ast.IncDecStmt:
			f.assign(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						f.assignee(e, f.assignedOtherwise)
					}
				}
			} else if !perIteration {
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if id, ok := e.(*ast.Ident); ok {
						f.assignedOtherwise(f.info.Defs[id])
					}
				}
			}
			if t := f.info.TypeOf(n.X); t != nil {
				if _, ok := core(t).(*types.Signature); ok {
					for _, v := range f.returned(n.Body, innermost(root, literals)) {
						if v != nil {
							f.captured[v] = true
							f.assignedOtherwise(v)
						}
					}
					ast.Inspect(n.X, visit)
					literals = append(literals, n)
					for _, e := range []ast.Expr{n.Key, n.Value} {
						if e != nil {
							ast.Inspect(e, visit)
						}
					}
					ast.Inspect(n.Body, visit)
					literals = literals[:len(literals)-1]
					return false
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				f.address(n.X, n)
			}
		case *ast.SliceExpr:
			if t := f.info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					f.address(n.X, n)
				}
			}
		case *ast.SelectorExpr:
			if s := f.info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				// (A type argument has the methods of its constraint in its own method set, not in
				// that of a pointer to it.)
				sig := s.Obj().Type().(*types.Signature)
				if sig.Recv() != nil && isPointer(sig.Recv().Type()) && !isPointer(s.Recv()) {
					f.address(n.X, n)
				}
			}
		case *ast.CallExpr:
			for _, a := range n.Args {
				f.argumentOf[ast.Unparen(a)] = n
			}
			fun := ast.Unparen(n.Fun)
			f.called[fun] = true
			if isSize(f.info, n) {
				f.unevaluate(n.Args[0])
			}
			f.lend(n)
			f.hand(n)
			switch x := fun.(type) {
			case *ast.IndexExpr:
				f.called[ast.Unparen(x.X)] = true
			case *ast.IndexListExpr:
				f.called[ast.Unparen(x.X)] = true
			case *ast.FuncLit:
				f.onTheSpot[x] = n
			}
		case *ast.ExprStmt:
			if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok {
				f.alone[call] = true
			}
		case *ast.GoStmt:
			f.goOrDefer[n.Call] = true
			f.later[ast.Unparen(n.Call.Fun)] = true
			if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
				f.started[lit] = n
			}
		case *ast.DeferStmt:
			f.goOrDefer[n.Call] = true
			f.later[ast.Unparen(n.Call.Fun)] = true
			if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
				f.deferred[lit] = true
			}
		}
		return true
	}
	ast.Inspect(root, visit)
}

// unevaluate records that e is only asked for its type.
func (f *facts) unevaluate(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.UnaryExpr:
			f.unevaluated[n] = true
		}
		return true
	})
}

// isSize reports whether a call is one of unsafe.Sizeof, Alignof or Offsetof, which do not evaluate
// their operand.
func isSize(info *types.Info, call *ast.CallExpr) bool {
	if !info.Types[call.Fun].IsBuiltin() {
		return false
	}
	switch builtinName(call.Fun) {
	case "Sizeof", "Alignof", "Offsetof":
		return true
	}
	return false
}

// assign records an assignment to the variable that l denotes or is part of.
func (f *facts) assign(l ast.Expr) {
	f.assignee(l, func(v types.Object) { f.assigned[v] = true })
}

// assignedOtherwise records one that is not made by an assignment statement.
func (f *facts) assignedOtherwise(v types.Object) { f.assigned[v], f.otherwise[v] = true, true }

// address records that the address of the variable that e denotes or is part of is taken by an
// expression, or only lent.
func (f *facts) address(e, by ast.Expr) {
	switch v := f.variable(e); {
	case v == nil:
	case f.borrowed[by] && takesLittle(v.Type(), mostFramed):
		f.lent[v] = true
	default:
		f.addressed[v] = true
		if !f.passed[by] {
			f.kept[v] = true
		}
	}
}

// variable returns the local variable in whose memory the operand e lies, or
// nil if that is another object's memory.
func (f *facts) variable(e ast.Expr) types.Object {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			obj := f.info.Uses[x]
			if obj == nil {
				obj = f.info.Defs[x]
			}
			if v, ok := obj.(*types.Var); ok && !v.IsField() {
				return v
			}
			return nil
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			s := f.info.Selections[x]
			if s == nil || s.Kind() != types.FieldVal || s.Indirect() {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			t := f.info.TypeOf(x.X)
			if t == nil {
				return nil
			}
			if _, ok := t.Underlying().(*types.Array); !ok {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

// branches finds the statement that each break and continue of a function body
// refers to. Nested literals have branches of their own.
func (f *facts) branches(body *ast.BlockStmt) {
	labelled := make(map[types.Object]ast.Stmt)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			labelled[f.info.Defs[n.Label]] = n.Stmt
		}
		return true
	})
	var walk func(n ast.Node, brk, cont ast.Stmt)
	walk = func(n ast.Node, brk, cont ast.Stmt) {
		ast.Inspect(n, func(m ast.Node) bool {
			if m == n || m == nil {
				return true
			}
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				walk(m, m.(ast.Stmt), m.(ast.Stmt))
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				walk(m, m.(ast.Stmt), cont)
				return false
			case *ast.BranchStmt:
				switch {
				case m.Tok == token.GOTO:
					f.jumped[f.info.Uses[m.Label]] = true
				case m.Label != nil:
					f.target[m] = labelled[f.info.Uses[m.Label]]
				case m.Tok == token.BREAK:
					f.target[m] = brk
				case m.Tok == token.CONTINUE:
					f.target[m] = cont
				}
			}
			return true
		})
	}
	walk(body, nil, nil)
}

// byReference reports whether a function literal must share the variable
// rather than have a copy of its value.
func (f *facts) byReference(v types.Object) bool {
	return f.assigned[v] && !f.last[v] || f.addressed[v] || f.lent[v] || isLarge(v.Type())
}

// captures returns the local variables that lit uses and does not declare, in
// the order of their first use.
func (f *facts) captures(lit ast.Node, pkg *types.Package) []*types.Var {
	return f.capturesIn(lit, pkg, lit)
}

// capturesIn is captures for parts of a node.
func (f *facts) capturesIn(lit ast.Node, pkg *types.Package, parts ...ast.Node) []*types.Var {
	var list []*types.Var
	seen := make(map[*types.Var]bool)
	visit := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := f.info.Uses[id].(*types.Var)
		if !ok || v.IsField() || seen[v] || v.Parent() == nil || v.Parent() == pkg.Scope() || v.Pkg() != pkg {
			return true
		}
		if v.Pos() >= lit.Pos() && v.Pos() < lit.End() {
			return true
		}
		if seen[v] = true; f.moved[v] == "" {
			list = append(list, v)
		}
		return true
	}
	for _, part := range parts {
		ast.Inspect(part, visit)
	}
	return list
}

// innermost returns the innermost function of literals, or else the declaration that they are in.
func innermost(decl ast.Node, literals []ast.Node) ast.Node {
	for i := len(literals) - 1; i >= 0; i-- {
		if lit, ok := literals[i].(*ast.FuncLit); ok {
			return lit
		}
	}
	return decl
}

// returned returns the results of a function to which return statements in the body of a loop over
// a function assign: the body shares them, as deferred calls may read them before the iterator has
// returned, and the function returns them if a deferred call recovers a panic of the iterator. It
// is empty if there are no such statements; a result that can't be noticed is nil.
func (f *facts) returned(body *ast.BlockStmt, fn ast.Node) []*types.Var {
	var results *ast.FieldList
	var whole *ast.BlockStmt
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		results, whole = fn.Type.Results, fn.Body
	case *ast.FuncLit:
		results, whole = fn.Type.Results, fn.Body
	}
	if results == nil || !returnsValues(body) {
		return nil
	}
	var list []*types.Var
	for _, field := range results.List {
		if len(field.Names) == 0 {
			list = append(list, f.unnamedResult(field, field.Type, whole))
		}
		for _, id := range field.Names {
			v, _ := f.info.Defs[id].(*types.Var)
			if id.Name == "_" {
				v = f.unnamedResult(id, field.Type, whole)
			}
			list = append(list, v)
		}
	}
	return list
}

// unnamedResult returns the variable of a result without a name, which stands at a field or is _;
// nil if the function defers nothing.
func (f *facts) unnamedResult(at ast.Node, t ast.Expr, body *ast.BlockStmt) *types.Var {
	if f.unnamed[at] == nil && hasDefer(body) {
		f.unnamed[at] = types.NewVar(at.Pos(), nil, "result", f.info.TypeOf(t))
	}
	return f.unnamed[at]
}

// returnsValues reports whether a block has a return statement of its own with results.
func returnsValues(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || len(n.Results) > 0
		}
		return !found
	})
	return found
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

func isInterface(t types.Type) bool {
	return types.IsInterface(t) && !isTypeParam(t)
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// isLarge reports whether a variable is too large to be copied into each
// closure that captures it; the bound is the compiler's.
func isLarge(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Array, *types.Struct:
	default:
		return false
	}
	if hasTypeParam(t, nil) {
		return true
	}
	return types.SizesFor("gc", "amd64").Sizeof(t) > 128
}

// hasTypeParam reports whether t depends on a type parameter.
func hasTypeParam(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	if seen == nil {
		seen = make(map[types.Type]bool)
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if hasTypeParam(t.TypeArgs().At(i), seen) {
				return true
			}
		}
		// A type declared inside a generic function depends on its
		// parameters without naming them.
		if o := t.Obj(); o.Pkg() != nil && o.Parent() != o.Pkg().Scope() && o.Parent() != nil {
			return hasTypeParam(t.Underlying(), seen)
		}
	case *types.Pointer:
		return hasTypeParam(t.Elem(), seen)
	case *types.Slice:
		return hasTypeParam(t.Elem(), seen)
	case *types.Array:
		return hasTypeParam(t.Elem(), seen)
	case *types.Chan:
		return hasTypeParam(t.Elem(), seen)
	case *types.Map:
		return hasTypeParam(t.Key(), seen) || hasTypeParam(t.Elem(), seen)
	case *types.Struct:
		for i := range t.NumFields() {
			if hasTypeParam(t.Field(i).Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		for i := range t.Len() {
			if hasTypeParam(t.At(i).Type(), seen) {
				return true
			}
		}
	case *types.Signature:
		return hasTypeParam(t.Params(), seen) || hasTypeParam(t.Results(), seen)
	case *types.Interface:
		for i := range t.NumMethods() {
			if hasTypeParam(t.Method(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}
