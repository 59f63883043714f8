package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// What a flattened block does between its resume points may make memory that the compiler has on
// the stack:
//
//	for i < len(text) {
//		i, word = next(text, i)
//		runes := []rune(word)
//		if n := count(runes); n > most {
//			var found context
//			found.word = word
//			fill(text, &found)
//			return found.result
//		}
//	}
//
// With the declarations at the top of the function it would be on the heap, as a variable outside
// of the loop leads to it: to the compiler it could be another one in each iteration. So statements
// in which such variables are declared, to the last one that uses them, stay a block as the user
// wrote it, with its own declarations inside, and so does all that follows, if no resume point
// does.

// scoped returns how many statements at the beginning of a part of a flattened block are such a
// block. last has for each variable that is declared among the statements the index of the last one
// that uses it; it is made when it is needed.
func (c *function) scoped(list []ast.Stmt, from int, last *map[types.Object]int) int {
	if c.reaches(list[from]) || !c.makesMemory(list[from]) {
		return 0
	}
	end := from + 1
	for end < len(list) && !c.reaches(list[end]) {
		end++
	}
	if end == len(list) && c.staysWhole(list[from:]) {
		return end - from
	}
	if *last == nil {
		*last = c.lastUses(list)
	}
	to := from + 1
	for i := from; i < to; i++ {
		for _, obj := range c.declared(list[i]) {
			to = max(to, (*last)[obj]+1)
		}
		if to > end {
			return 0
		}
	}
	if !c.staysWhole(list[from:to]) {
		return 0
	}
	return to - from
}

// declared returns the variables and functions that a statement itself declares.
func (c *function) declared(s ast.Stmt) (list []types.Object) {
	add := func(id *ast.Ident) {
		if obj := c.p.info.Defs[id]; obj != nil {
			list = append(list, obj)
		}
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			for _, l := range s.Lhs {
				add(l.(*ast.Ident))
			}
		}
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				for _, id := range spec.Names {
					add(id)
				}
			}
		}
	}
	return list
}

// lastUses returns for each variable that one of the statements declares which is the last that
// uses it.
func (c *function) lastUses(list []ast.Stmt) map[types.Object]int {
	last := make(map[types.Object]int)
	for i, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if obj := c.p.info.Uses[id]; obj != nil {
					if _, ok := last[obj]; ok {
						last[obj] = i
					}
				}
			}
			return true
		})
		for _, obj := range c.declared(s) {
			last[obj] = i
		}
	}
	return last
}

// makesMemory reports whether a statement declares a variable whose address others have, or one
// that may refer to what the statement makes.
func (c *function) makesMemory(s ast.Stmt) bool {
	made := false
	value := func(e ast.Expr) {
		made = made || c.makes(e)
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, v := range s.Rhs {
			value(v)
		}
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				for _, v := range spec.Values {
					value(v)
				}
			}
		}
	}
	for _, obj := range c.declared(s) {
		if c.needsCell(obj) || made && (refers(obj.Type()) || isString(obj.Type())) {
			return true
		}
	}
	return false
}

// makes reports whether an expression may make memory: by a literal, a conversion or a call, which
// the compiler may inline, or of strings.
func (c *function) makes(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = true
		case *ast.CompositeLit:
			found = true
		case *ast.CallExpr:
			switch t := c.p.typeOf(n).(type) {
			case nil:
			case *types.Tuple:
				for v := range t.Variables() {
					found = found || refers(v.Type())
				}
			default:
				found = found || refers(t) || c.p.info.Types[n.Fun].IsType() && isString(t)
			}
		case *ast.BinaryExpr:
			found = found || n.Op == token.ADD && isString(c.p.typeOf(n)) && c.p.info.Types[n].Value == nil
		}
		return !found
	})
	return found
}

// staysWhole reports whether a list of statements without resume points means the same in a block
// of its own.
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
			for _, l := range s.Lhs {
				id, ok := l.(*ast.Ident)
				if !ok {
					continue
				}
				used := c.p.info.Uses[id]
				if s.Tok != token.DEFINE && !c.p.facts.recursive[used] {
					continue
				}
				// What it assigns would be declared again, or is declared nowhere else.
				whole = whole && (used == nil || list[0].Pos() <= used.Pos() && used.Pos() < s.Pos())
			}
		}
	}
	return whole && !c.declaresShared(list)
}

// declaresShared reports whether statements declare a variable that the function shares with what
// it defers.
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

// writeScoped writes statements without resume points as a block.
func (c *function) writeScoped(list []ast.Stmt) {
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

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
