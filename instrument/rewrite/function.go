package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// A function is a function declaration or literal that is being written anew.
// Outside of functions (in the initialisers of package variables) it is the
// context in which expressions are rendered.
type function struct {
	*file
	node    ast.Node               // *ast.FuncDecl, *ast.FuncLit or, outside of functions, *ast.GenDecl
	base    string                 // what generated names begin with
	self    string                 // the function in a call; arg stands for the receiver if there is one
	recv    string                 // the receiver's type, or empty
	closure bool                   // a checkpoint call can be reached from the body
	moves   bool                   // local constants and types are moved to package level
	moving  bool                   // the text being rendered is such a declaration
	known   map[*ast.CallExpr]bool // calls that offTheStack need not be asked of
	parts   map[ast.Expr]bool      // expressions that keptPart need not be asked of
	bearers bearers                // see bearers.go

	running    running // where the text that is written stands
	typeParams []*types.TypeParam
	variables  map[types.Object]*variable
	all        []*variable // those that are Go variables of the written function
	params     []*variable
	results    []*variable
	env        *variable   // the receiver of a literal's method, or nil
	captures   []copied    // the variables in it that there are copies of
	passed     []*variable // what a literal captures, if it has that as parameters: see spot.go

	resultCells bool // named results live in heap cells
	inHanded    int  // the literals around the text being rendered that are a part of the function: see lentliterals.go

	iterator   *ast.FuncLit // what it returns, if it is in Input.Iterators
	iteratorOf *types.Func  // and what it is there

	loop    *ast.RangeStmt // whose body this is, if it ranges over a function
	outer   *function      // that the loop stands in
	exits   []exit         // the ways out of the loop other than its end
	first   string         // statements that come before everything
	leads   string         // a statement that tells what the function leads to
	last    string         // a comment at the end
	before  string         // what stands before and behind the whole, if it is a literal in a function that makes its func value
	after   string
	opening string // statements that come before the body

	deferred   bool      // a literal whose call is deferred
	deferredBy *function // whose site it is
	site       *site
	entering   string    // what makes its parameters
	sites      *sites    // if each of its defer statements is one
	defers     *variable // holds the records of deferred calls, if there are any
	deferrals  map[*ast.DeferStmt]*deferral
	deferOrder []*deferral
	deferCount int
	goCount    int
	startName  string // of the func value of a go statement

	names    map[string]bool
	rawNames map[*ast.Ident]string // of parameters and named results, as the signature declares them
	counters map[string]int
	objects  map[string]map[types.Object]bool
	literals int

	// The text being written.
	code      []*instruction
	spans     []span            // of flattened blocks
	block     *block            // that is being written
	saveCalls map[string]string // by what is saved, the calls that do, without the number of the point
	saved     string            // the variable with that number where points share one

	givenBack      map[types.Object]bool // see isReturned
	selected       map[ast.Expr]bool     // see isLookedAt
	calledBack     map[*ast.CallExpr]bool
	plainFunctions map[types.Object]string // what the literals are that local functions are, if they capture nothing

	frameWords int // how large a frame is
	points     []*resumePoint
	subst      map[ast.Node]substitution
	assigned   map[ast.Expr]bool // operands on the left of assignments
	used       map[*variable]bool
	evaluated  ast.Expr               // the next that is rendered of which the compiler must not take the length without evaluating it
	trailing   map[ast.Expr]bool      // see lastOperands
	atOnce     map[*ast.CallExpr]bool // calls, the next that are rendered, whose results are called at once
	jumps      []*label
	inUse      []holding
	free       map[string][]*variable // and those that are not, any more
	pending    int                    // resume points left in the expressions being lowered
	shelves    *shelves               // for the values of these, if they are very many
	flat       map[ast.Stmt]*loopLabels
	bounds     []bound // what is always known
	// userLabels are the labels of the user that stand in flattened blocks.
	userLabels map[types.Object]*label
	labels     map[ast.Stmt]*ast.LabeledStmt // of the statements of flattened blocks
	reachable  map[ast.Node]bool             // memo of reaches
}

// A variable of the user or a temporary, and how it is written.
type variable struct {
	name    string     // of the Go variable that holds it or points to it
	typ     types.Type // of the value
	text    string     // typ as source text
	cell    bool       // the Go variable is a pointer to a heap cell
	again   bool       // the cell of an iteration can be that of the next one
	access  string     // an expression for the variable: x, (*x), env.x, (*env.x)
	address string     // an expression for its address, if it lives in a cell
	kept    bool       // read by others at any time: a named result of a function with deferred calls, or what these are
	method  string     // what is called of a local function: see localfuncs.go
	raw     string     // for a named result in a cell: the result itself
	shares  *variable  // of another function, which it is
	carrier *variable  // the Go variable that access reads: itself, or the environment
	fixed   string     // the number that it has always, if that is known: see numbers.go
	param   bool       // declared by the signature, not in the body
	walks   bool       // walks a map
	number  int        // for liveness
	words   int        // of memory, where typ is nil: see blocks.go
}

// plain reports whether the variable is a Go variable of the function itself.
func (v *variable) plain() bool { return !v.cell && v.carrier == v }

// goType is the type of the Go variable.
func (v *variable) goType() string {
	if v.cell {
		return "*" + v.text
	}
	return v.text
}

// A substitution stands in place of a node's own text.
type substitution struct {
	text    string
	uses    []*variable
	indexed bool // the text is an element of a shelf
}

// A label of the flattened function.
type label struct {
	name   string
	used   bool
	bounds []bound // what is known there, if it is that of a loop: see known.go
}

// loopLabels are where break and continue of a flattened statement go.
type loopLabels struct{ next, done *label }

// An instruction is a piece of the flattened function: a label, a statement or
// a call that is a resume point.
type instruction struct {
	pos     token.Pos
	label   *label
	text    string
	falls   bool // control can go on to the next instruction
	targets []*label
	uses    []*variable
	defines []*variable
	resume  *resumePoint
	zeroes  bool         // it makes what it defines zero
	chooses bool         // it is a switch that jumps to its clauses, and evaluates nothing in its cases
	polls   *resumePoint // the poll that the instruction guards, or the label behind it
	fails   *resumePoint // the call whose error the instruction tests: see failing.go
}

// A resumePoint is a call that can be on the stack when a checkpoint is taken.
type resumePoint struct {
	number int
	label  string
	text   string // of the callee, for people
	line   token.Position
	// first and last are the lines that a stack trace can have for the call: those of the user's
	// source, or what line directives there say.
	first, last int
	live        []*variable
	needed      []uint64 // bits for those that are live before the call, after it, or both
	// test is a label between the call and the test after it, or nil.
	test   *label
	err    *variable // that the call assigns its last result to, if that is an error
	poll   bool      // not a call of the user's
	index  int       // of its instruction
	called string    // a label for what follows the call
	polled string    // a label for a poll where it is not label
}

func newFunction(f *file, node ast.Node, base string) *function {
	return &function{
		file:      f,
		node:      node,
		base:      base,
		variables: make(map[types.Object]*variable),
		names:     make(map[string]bool),
		rawNames:  make(map[*ast.Ident]string),
		counters:  make(map[string]int),
		subst:     make(map[ast.Node]substitution),
		free:      make(map[string][]*variable),
		deferrals: make(map[*ast.DeferStmt]*deferral),
		used:      make(map[*variable]bool),
		trailing:  make(map[ast.Expr]bool),
		atOnce:    make(map[*ast.CallExpr]bool),

		plainFunctions: make(map[types.Object]string),
		flat:           make(map[ast.Stmt]*loopLabels),
		userLabels:     make(map[types.Object]*label),
		reachable:      make(map[ast.Node]bool),
		labels:         make(map[ast.Stmt]*ast.LabeledStmt),
	}
}

// reaches reports whether n contains a resume point of this function.
func (c *function) reaches(n ast.Node) bool {
	if n == nil || !c.closure {
		return false
	}
	if r, ok := c.reachable[n]; ok {
		return r
	}
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		if found {
			return false
		}
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if c.isResume(m) {
				found = true
			}
		case *ast.ForStmt:
			if c.p.Closure.Loop(m) {
				found = true
			}
		case *ast.BranchStmt:
			if c.p.Closure.Loop(m) {
				found = true
			}
		case *ast.RangeStmt:
			if c.p.overFunction(m) {
				if c.p.Closure.Range(m) {
					found = true
				}
			} else if c.p.Closure.Loop(m) || c.waits(m) {
				found = true
			}
		case *ast.SendStmt, *ast.UnaryExpr, *ast.SelectStmt:
			if c.waits(m) || c.tries(m) {
				found = true
			}
		}
		return !found
	})
	c.reachable[n] = found
	return found
}

// isResume reports whether the call is a resume point. Calls of go and defer
// statements are made elsewhere.
func (c *function) isResume(call *ast.CallExpr) bool {
	return c.closure && !c.p.facts.goOrDefer[call] && !c.p.facts.unevaluated[call] && c.p.reachesPoint(call)
}

// waits reports whether the node is an operation at which a goroutine can wait, and
// so a resume point.
func (c *function) waits(n ast.Node) bool {
	return c.closure && !c.p.facts.unevaluated[n] && c.p.Closure.Operation(n).Waits()
}

// tries reports whether the node is a select statement that finds those who wait at its channels,
// or goes on.
func (c *function) tries(n ast.Node) bool {
	return c.closure && !c.p.InLibrary && c.p.Closure.Operation(n).Kind == blocking.Try
}

// reachesPoint reports whether a resume point is in what the call calls, or is the
// call itself.
func (p *pkg) reachesPoint(call *ast.CallExpr) bool {
	return p.Closure.Call(call) || p.Closure.Operation(call).Waits()
}

// textOf returns a type as source text.
func (c *function) textOf(t types.Type, at ast.Node) string {
	text, err := c.typeText(t)
	if err != nil {
		what := "a value that a checkpoint may have to save"
		if id, ok := at.(*ast.Ident); ok {
			what = "the variable " + id.Name
		}
		c.p.refuse(at, what+" has a type that can't be written here: "+err.Error(),
			"move the code that holds it across a checkpoint into a function of its own that no checkpoint can be reached from")
		text = "any"
	}
	return text
}

// settle fills in what follows from name and cell.
func (v *variable) settle() {
	v.carrier = v
	v.access = v.name
	if v.cell {
		v.access = "(*" + v.name + ")"
		v.address = v.name
	}
}

// needsCell reports whether a variable whose declaration is moved must live in
// a heap cell: others can hold its address.
func (c *function) needsCell(obj types.Object) bool {
	f := c.p.facts
	return f.addressed[obj] || f.captured[obj] && f.byReference(obj) && !c.isShared(obj)
}

// emit appends a statement.
func (c *function) emit(pos token.Pos, text string) *instruction {
	in := &instruction{pos: pos, text: text, falls: true, uses: c.takeUses(), targets: c.takeJumps()}
	c.code = append(c.code, in)
	return in
}

// place appends a label.
func (c *function) place(l *label) {
	c.code = append(c.code, &instruction{label: l, falls: true})
}

func (c *function) newLabel(base string) *label {
	return &label{name: c.numbered(base)}
}

// emitGoto appends a jump.
func (c *function) emitGoto(l *label) {
	text := c.jump(l)
	c.emit(token.NoPos, text).falls = false
}
