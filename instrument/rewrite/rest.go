package rewrite

import (
	"go/ast"
	"go/token"
)

// What comes after the last resume point of a flattened block may make memory that the compiler has on the stack:
//
//	for i < len(text) {
//		i, word = next(text, i)
//		var found context
//		found.word = word
//		fill(text, &found)
//		return found.result
//	}
//
// With the declarations at the top of the function it would be on the heap, as a variable outside of the loop leads to it: to the
// compiler it could be another one in each iteration. So such a rest stays a block as the user wrote it, with its own declarations inside.

// rest returns how many statements at the beginning of a flattened block are not part of such a rest.
func (c *function) rest(list []ast.Stmt) int {
	from := len(list)
	for from > 0 && !c.reaches(list[from-1]) {
		from--
	}
	for from < len(list) && !c.makesMemory(list[from]) {
		from++
	}
	if from < len(list) && c.staysWhole(list[from:]) {
		return from
	}
	return len(list)
}

// makesMemory reports whether a statement declares a variable whose address others have, or one that may be given the address of
// what the statement makes.
func (c *function) makesMemory(s ast.Stmt) bool {
	var values []ast.Expr
	found := false
	declares := func(id *ast.Ident) {
		obj := c.p.info.Defs[id]
		found = found || obj != nil && c.needsCell(obj)
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return false
		}
		for _, l := range s.Lhs {
			declares(l.(*ast.Ident))
		}
		values = s.Rhs
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				for _, id := range spec.Names {
					declares(id)
				}
				values = append(values, spec.Values...)
			}
		}
	}
	for _, v := range values {
		switch v := ast.Unparen(v).(type) {
		case *ast.UnaryExpr:
			_, literal := ast.Unparen(v.X).(*ast.CompositeLit)
			found = found || v.Op == token.AND && literal
		case *ast.CallExpr:
			name := builtinName(v.Fun)
			found = found || c.p.info.Types[v.Fun].IsBuiltin() && (name == "new" || name == "make")
		}
	}
	return found
}

// staysWhole reports whether a list of statements without resume points means the same in a block of its own.
func (c *function) staysWhole(list []ast.Stmt) bool {
	whole := true
	for _, s := range list {
		switch s := s.(type) {
		case *ast.LabeledStmt: // to which a goto may come from before
			whole = whole && !c.p.facts.jumped[c.p.info.Defs[s.Label]]
		case *ast.BranchStmt:
			whole = whole && s.Tok != token.FALLTHROUGH
		case *ast.DeclStmt:
			whole = whole && s.Decl.(*ast.GenDecl).Tok == token.VAR
		case *ast.DeferStmt: // is executed when the block has been left
			whole = false
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				continue
			}
			for _, l := range s.Lhs { // what it assigns would be declared again
				used := c.p.info.Uses[l.(*ast.Ident)]
				whole = whole && (used == nil || list[0].Pos() <= used.Pos() && used.Pos() < s.Pos())
			}
		}
	}
	return whole && !c.declaresShared(list)
}

// declaresShared reports whether statements declare a variable that the function shares with what it defers.
func (c *function) declaresShared(list []ast.Stmt) bool {
	shared := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if obj := c.p.info.Defs[id]; obj != nil && c.isShared(obj) {
					shared = true
				}
			}
			return !shared
		})
	}
	return shared
}

// writeRest writes statements without resume points as a block.
func (c *function) writeRest(list []ast.Stmt) {
	last := list[len(list)-1]
	block := &ast.BlockStmt{Lbrace: list[0].Pos(), List: list, Rbrace: last.End() - 1}
	text := c.render(block)
	in := c.emit(list[0].Pos(), "{\n//line "+c.lineAt(list[0].Pos())+"\n"+text+"\n}")
	c.narrow(block, in)
	switch last.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		in.falls = false
	}
}
