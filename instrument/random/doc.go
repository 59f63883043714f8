// Package random writes Go programs that nobody would: well-typed, ending, and doing the
// same in each run, with checkpoints in all places. Such a program is its own oracle. Built
// plainly and built with checkpoints it must print the same, however many of the
// checkpoints are taken and restored by a fresh process.
//
// # A program
//
// It has named integers, structs that embed each other, interfaces, generic types, all of them
// with methods; functions, generic ones too, and iterators; package variables; and
// a few sections, which main calls. All can call all. What happens is printed as it happens:
// values, the order of calls, the messages of panics. The generator knows the type of
// each expression that it needs and draws one of the ways to write such an expression: a
// variable, an operator, a call, a field, a function literal with statements of its own.
//
//	draw.go         choices
//	types.go        types, and which one to take
//	scope.go        variables, blocks, and what is seen where
//	expressions.go  expressions of a given type
//	calls.go        calls, function literals, return statements
//	guards.go       functions that begin with a test of their parameters
//	rarely.go       calls of such that do something in rare cases only
//	passing.go      functions that pass on a call
//	statements.go   simple statements, if, goto, jumps
//	loops.go        for and range, nests of them, and iter.Pull
//	indexing.go     loops whose counters index slices
//	bisecting.go    searches that halve what is left
//	sizes.go        variables of many words
//	switches.go     switch and type switch
//	channels.go     select
//	parts.go        variables that lead to parts of each other
//	closures.go     closures that share variables
//	lending.go      addresses that are passed on, and some that are kept
//	defers.go       defer, recover, in branches and loops over functions, too
//	goroutines.go   goroutines whose schedule can't be seen
//	tuples.go       several values at once, with calls on both sides
//	panics.go       panics within deferred calls, and failures within expressions
//	failing.go      functions that return errors, which are tested
//	changing.go     loops over what they change, and keys of all kinds
//	timers.go       timers, contexts, and functions that are called once
//	locks.go        goroutines that change something below locks
//	program.go      declarations, and the program as a whole
//
// # It ends
//
// Each function and each round of a loop takes one unit of fuel. When there is none left,
// it panics, and goes on panicking when that is recovered. So the generator is free
// to write any condition and any recursion.
//
// # It does the same each time
//
// Addresses are not printed: only types without pointers are. A loop over a map only
// computes what does not depend on its order. In a select, one case can proceed. Goroutines
// wait for each other, or compute what commutes. Integers wrap around, and no
// float becomes an integer that cannot hold it.
//
// # Order of evaluation
//
// The language orders calls, receives and the operands of && and ||. It does not say
// when, between them, a variable is read or an index is checked; a program whose output depends
// on that is not a test. So a variable is private if no call can change it: it is neither
// captured by a function that assigns to it nor is its address taken. Each operand has a
// freedom. Among operands whose order is open, either one may do everything, and the
// others only compute with constants and private variables; or all may call functions, and
// none reads what a call could change or may panic; or none calls. The operands of an
// operator that may itself panic come before it, whatever they do.
//
// Checkpoints are not taken at the same places each time: programs call ckp.Checkpoint
// in statements, in functions, and around operands by the function pt, which returns its argument.
package random
