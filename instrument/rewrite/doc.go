// Package rewrite turns the functions from which a checkpoint call can be
// reached (the closure) into functions that can be left and re-entered at each
// call that may be on the stack when a checkpoint is taken.
//
// # The shape of a rewritten function
//
// Before:
//
//	func walk(t *node, visit func(*node)) int {
//		if t == nil {
//			return 0
//		}
//		n := walk(t.left, visit)
//		visit(t)
//		return n + 1 + walk(t.right, visit)
//	}
//
// After (line directives left out), if it were written once:
//
//	func walk(t *node, visit func(*node)) (result int) {
//		var (
//			n     int
//			call3 int
//		)
//		if shadow.Busy != 0 {
//			if fr := shadow.Enter(&walk_code); fr != nil {
//				fr := fr.(*walk_frame)
//				t, visit, n = fr.t, fr.visit, fr.n
//				switch fr.At {
//				case 1:
//					goto resume1
//				...
//				}
//			}
//		}
//		if t == nil {
//			return 0
//		}
//	resume1:
//		n = walk(arg1, visit)
//		if shadow.Unwinding() {
//			walk_save1(1, t, visit)
//			return
//		}
//		...
//
//	//go:noinline
//	func walk_save1(at int, v0 *node, v1 func(*node)) {
//		shadow.Push(&walk_frame{At: at, t: v0, visit: v1})
//	}
//
// Three things follow from it.
//
// A goto may not jump over a declaration nor into a block. So the declarations
// of a rewritten function stand at its top, and every statement that contains a
// resume point is flattened into labels and gotos. A statement without a resume
// point stays as the user wrote it, with its own declarations inside, so that
// inner loops compile to what they were.
//
// When a function is re-entered it jumps to the call it was in, and calls again. The callee takes
// its parameters from its own frame, so the arguments of this second call do not matter; but
// nothing may be evaluated for them that has an effect or can panic. Operands that can are put into
// temporaries before the label. (The operands of channel operations and locks do matter: these are
// made again as they were.) What decides *which* function is called (an interface value, a func
// value) is an operand that does matter: it is a live variable of the frame. It decides no more
// where what it leads to may have changed: a method of an embedded field is called with the
// receiver's type that the next frame tells (promoted.go).
//
// The callee's results are taken only if it returned by itself. So a call assigns to plain local
// variables, and what is shared with others (a captured variable, an element, a field) is assigned
// after the test. If the last of them is an error, there is one if the callee did not return by
// itself, so that the test can stand where the program tests the error (failing.go).
//
// # Written more than once
//
// A jump from the entry of a function into the middle of a loop costs the whole function the
// compiler's treatment of loops. So the outermost loops that contain resume points are written
// three times. The first copy does the work. It has no labels that the entry could jump to. Where a
// checkpoint or a poll asks for more than going on, it jumps to the same place of the second; the
// entry jumps into the third. Both return to the first at the next iteration of the outermost loop.
// A small function is written twice as a whole, and the entry jumps into its second copy where that
// is in no loop. See again.go. Of a longer one, the third copy has what is outside of loops, too,
// and is a function of its own (outlined.go).
//
// The declarations of a large function do not all stand at its top: what only one of its flattened
// blocks uses is declared there, and what leads into the block from the entry goes to the beginning
// of that first (blocks.go). Two more things are done for the sake of the compiler: plain.go makes
// a register free before a loop that stays as it was, and strips.go runs long counting loops in
// strips between two polls.
//
// # The passes, one file each
//
//	facts.go      which variables are assigned, addressed, captured, and by whom
//	reuse.go      variables of scopes that are left, used again
//	numbers.go    variables that are numbers which are known, and in no frame
//	known.go      what the compiler is told of counters and lengths where a loop goes on
//	captured.go   which variables literals can have a copy of
//	names.go      names that cannot collide and still tell what they are
//	types.go      types as source text, seen from the file they are written to
//	lent.go       variables whose addresses nobody keeps
//	lentliterals.go literals that nobody keeps
//	originals.go  what is called with these, as it was
//	guarded.go    calls of functions that do something in some cases only
//	passing.go    functions that do nothing but call another one, as they were
//	render.go     source text of a node with substitutions spliced in
//	calls.go      calls become statements of their own, in the order of evaluation
//	promoted.go   and those of methods that embedded fields may have, with another receiver
//	early.go      so do a few operations that are no calls
//	total.go      expressions that can be evaluated at any time
//	shelves.go    very many temporaries of one expression stand in slices
//	lengths.go    and arrays of which only the length is asked for stay evaluated
//	flatten.go    statements that contain a resume point become labels and gotos
//	scoped.go     but not what makes memory and is of no use after the next one
//	loops.go      the same for for and range
//	switches.go   the same for switch and type switch
//	selects.go    the same for select, and select as a resume point
//	rangefunc.go  the same for loops that range over a function
//	iterators.go  what they range over, if a function returns it just then
//	later.go      the calls of defer and go statements, made later
//	deferred.go   defer, panic and recover
//	panicking.go  deferred functions of which it is not known whether they recover
//	sites.go      defer statements that are executed at most once
//	sitecalls.go  what is written for them, and their calls
//	loopdefers.go defer in loops that range over a function
//	goroutines.go go statements
//	channels.go   channel operations at which a checkpoint can find a goroutine
//	waits.go      the same for locks and waits
//	literals.go   function literals and method values become methods of a struct
//	captures.go   and what that has of the variables that are captured
//	localfuncs.go which the compiler is told, if a variable is that and nothing else
//	spot.go       and functions, if they are called where they stand
//	moved.go      local types and constants go to package level
//	sizeless.go   so do variables whose type has no name there, and their values no size
//	polls.go      polls at back edges and on entry, and loops too short for them
//	strips.go     counting loops with a poll now and then
//	plain.go      loops without resume points
//	liveness.go   which variables are live at which resume point
//	exposed.go    what statements with others inside read before they assign it
//	again.go      the copies of what is written twice
//	turned.go     loops that are entered in the middle
//	apart.go      and those behind which memory is made
//	outlined.go   the copy that the entry jumps into, as a function of its own
//	folded.go     clauses that stand in their switch
//	blocks.go     blocks of large functions that have variables of their own
//	saving.go     saving the frame behind a call
//	failing.go    calls whose error is tested right behind them
//	joined.go     polls that share a test with what they stand next to
//	opaque.go     what may not be on the stack
//	bearers.go    what tells in a frame what an unsafe pointer leads to
//	noescape.go   nor what an address leads to that is hidden from the compiler
//	emit.go       the function, its frame and its registration as source text
//	lines.go      line directives
//	file.go       one file: edits in place, generated declarations at the end
//	imports.go    the file's imports
//	ancestors.go  what a node is in
//	pointees.go   what unsafe pointers lead to
//	uses.go       how that is found out, by the uses of what holds them
//	many.go       and many of them in one field
//	several.go    and those that lead to the first of several values
//	handed.go     and those that functions are handed
//	results.go    and return
//	instances.go  and those in generic structs
//	among.go      and those that generic functions keep in structs which are not generic
//	owners.go     and which generic struct tells what these lead to
//	heads.go      structs that may be the beginnings of larger ones
//	punned.go     and those that may be other structs
//	wholes.go     these larger ones
//	holders.go    those that are found by later fields
//	narrowed.go   of which these are not on the stack
//	told.go       those for which another field tells that
//	words.go      structs of the words of an interface
//	mapiterators.go structs that are iterators over maps
//	registry.go   the package's registrations
//
// # Order of evaluation
//
// The language orders calls, receives and the operators && and || from left to
// right, and leaves the order of variable reads relative to calls open. The gc
// compiler reads variables late: in a + f() it calls f first. The rewriting
// does the same. If an expression contains a resume point, every call and
// receive up to the last resume point becomes a statement of its own with its
// result in a temporary, in order, and the rest of the expression stays as it is.
// An && or || whose right operand contains one becomes a branch. What else the compiler
// orders like calls is in early.go.
//
// # Variables
//
// A variable declared in a flattened block is declared at the top of the function, under its own
// name if no other object of the function, its file or its package bears that name, and else with a
// number. Where it is declared, it is set to its initial or zero value, since the statement may run
// many times. Variables of one name and type whose scopes have nothing in common are one variable
// there; see reuse.go.
//
// If its address is taken (but by calls that only borrow it, see lent.go), or a function literal
// captures it and it may be assigned after that, the variable lives in a cell of its own: the local
// is a pointer, made anew by each execution of the declaration (and by each iteration of a
// three-clause loop, whose variables are per iteration since Go 1.22), and frames and environments
// share the pointer. A captured variable that does not change any more is captured by value. A
// named result changes: return statements assign it; so does a variable of a range clause before Go
// 1.22, where all iterations share it.
//
// The compiler has cells and environments on the stack wherever it would have the variable there in
// the program without checkpoints, since it does not see that frames are kept. A checkpoint moves
// them to the heap (saving.go, opaque.go; package heap, Lift).
//
// # Local types and constants
//
// Frames and environments name types at package level, so the types and constants that a function
// of the closure declares are moved there. They keep their names if nothing else of the package
// bears them; else the name of the function is put behind. The language has no way to write a
// second type of the same name at package level. A field that embeds such a type has its new name.
// Where a program can, it takes what is behind such names out of what reflection tells when it
// begins (package heap, Unmark); else that is what %T and reflection show ([Output].Renamed).
//
// # Function literals
//
// A func value is saved as the name of its code and its environment. The layout
// of a closure made by the compiler is unknown to reflection, so a literal that
// captures variables becomes a struct, and the literal captures that:
//
//	type walk_closure1 struct { code shadow.Entry; self *walk_closure1; depth *int; limit int }
//
//	(&walk_closure1{depth: depth, limit: limit}).value(depth, limit)
//
//	func (env_2 *walk_closure1) value(depth_2 *int, limit_2 int) func(n *node) {
//		env_2.fill(depth_2, limit_2)
//		return *(*func(n *node))(unsafe.Pointer(&env_2))
//	}
//
//	func (env_2 *walk_closure1) fill(depth_2 *int, limit_2 int) {
//		fun := func(n *node) {
//			env, depth_2, limit_2 := env_2, depth_2, limit_2
//			... *depth_2 ...
//		}
//		shadow.Called(*(*func() any)(unsafe.Pointer(&fun)))
//		env_2.code = **(**shadow.Entry)(unsafe.Pointer(&fun))
//		*(*shadow.Entry)(unsafe.Pointer(&env_2.self)) = shadow.Entry(unsafe.Pointer(env_2))
//	}
//	func (env *walk_closure1) Func() any { return env.value(env.depth, env.limit) }
//
// To the compiler fun is a pointer to two words, the entry point of its code and what it captures,
// which would be allocated besides the environment. So the environment begins with these words, and
// the func value points to it. The name of the code tells the type of the environment (package
// heap, receiverOf). The literal captures the variables, too, and finds them in the environment
// (captures.go). Called is for the compiler, to which what the literal returns would else be seen
// by nobody.
//
// One that can't be at a checkpoint is a method of the struct, call, and the func value has the
// code of the method value, which calls it: the compiler writes small ones into that, and makes the
// func value where the literal stood:
//
//	walk_closure2_value(walk_closure2{limit: limit})
//
//	func walk_closure2_value(env walk_closure2) func() int {
//		method := env.call
//		at := &env
//		(as above)
//	}
//
// Either environment is on the stack if the compiler can leave it there. A literal that captures
// nothing becomes a function; so does one that is called where it stands, which is handed what it
// captures (spot.go). Within type-parameterised code the instances that are alike to the
// compiler have the same code, which has their type arguments from a dictionary. The compiler has a
// func value lead to that, too, behind what it captures, and so does the environment. Its fourth
// field tells what the name of the code does not, which instance it is. A method of a generic
// environment has its func value from a method as well, which bind fills, as the compiler gives
// method values made in a function no name that tells that they are one. Function values F[int] and
// method expressions T[int].M are written as such literals too, and have type parameters only if
// type arguments or signature do.
//
// A method value x.M is left to the compiler: its code has the name of the method, which tells the
// type of the receiver (package heap, receiverOf), and needs no frame, since it does nothing but
// call M, which has its receiver from its own. Where the name tells no type (x is of a generic or
// local type, or of one without a name, or the code has type parameters) it is written as such a
// literal. What its evaluation does is done where it stands then: the receiver is copied, and a nil
// interface panics.
//
// # Deferred calls
//
// Deferred calls stay the language's own, so that panic and recover keep their rules; see sites.go
// for what is added to them in most functions, and deferred.go for the others. A checkpoint can be
// taken inside a deferred call, also while the function is panicking.
//
// # Goroutines
//
// In a program that starts goroutines a checkpoint is one of all of them (package
// closure says which programs, package shadow how they are stopped). Every go statement
// becomes a call of shadow.Go, with a func value that can be saved:
//
//	go serve(conn, n)         d := main_go1{a0: conn, a1: n}; shadow.Go((&d).call)
//
// and what a goroutine can wait at becomes a resume point, so that the others can leave
// it there, and come back to wait on:
//
//	ch <- v                   shadow.Send(ch, v)
//	v, ok = <-ch              v, ok = shadow.Receive2(ch)
//	mu.Lock()                 shadow.Lock(&mu)
//
// A select statement stays one, with a clause more. Without checkpoints the operation
// itself is executed, behind a load and a branch. See goroutines.go, channels.go, selects.go and
// waits.go. Programs that have no go statements, and wait for
// nothing but locks, are not touched by any of this.
//
// # What is refused
//
// Statements and expressions are handled by exhaustive switches whose default
// is a [Refusal] with position, reason and way out. Nothing that a checkpoint
// could break is left as it was.
package rewrite
