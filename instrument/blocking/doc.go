// Package blocking knows, by syntax and types, the operations at which a goroutine
// waits for others, and the statements and calls that start goroutines.
//
// A checkpoint is one of all goroutines of a program. One goroutine begins it; the
// others join when they come to an operation of this package, or are woken there if
// they wait already. So these operations are resume points, like checkpoint calls,
// and the calls among them are replaced by functions of the runtime:
//
//	ch <- v, <-ch, range ch         channel operations
//	select without a default        with a default it never waits, but see below
//	sync.Mutex.Lock and the like    the table in functions.go
//	reflect.Select and the like     the same
//
// (Package closure leaves out the locks of mutexes that no checkpoint finds locked.)
//
// The calls that wait are found where they are called by name, directly or promoted
// through embedded fields, and through a sync.Locker that nothing but a type of
// package sync can be in. A call of a method value, or through another interface, stays
// what it was: a goroutine that waits there can't join, and a checkpoint meanwhile is
// refused, which names it.
//
// Those that wait at channels leave them for a checkpoint, and come back in the next process or
// after it. A select statement with a default that was executed meanwhile would find nobody there.
// So it is an operation, too, at which a goroutine joins a checkpoint that has begun. It does not
// wait there, and no function is rewritten for its sake. What only receives from the channels of
// contexts is none: nobody sends there.
//
// The communications of a select statement are no operations of their own. A call in
// a go statement is one, but the goroutine that is started waits in it, and not the one
// that executes the statement.
//
// The line
//
//	//ckp:external
//
// directly above a go statement leaves its goroutine to itself: it is not part of
// checkpoints, as those that the standard library starts aren't.
package blocking
