// Package closure finds the functions that can be on the stack when a checkpoint
// is taken, and the calls in them at which they then are. These, and no others, the
// precompiler rewrites; it calls them the closure.
//
// # What a checkpoint call is
//
// A function whose doc comment has the directive line
//
//	//ckp:point
//
// is a checkpoint call: a call of it may take a checkpoint. ckp.Checkpoint and
// bsp.Sync are such. They handle the modes of the shadow stack themselves and are
// never rewritten, so they are the border of the closure and not in it.
//
// # How it is computed
//
// The whole program is brought into SSA form with every generic function
// instantiated. Rapid type analysis (Bacon and Sweeney, 1996) from the main
// functions gives the functions that can run at all and a first call graph;
// variable type analysis (Sundaresan et al., "Practical Virtual Method Call
// Resolution for Java", 2000) refines the callees of interface calls and calls of
// func values to those whose types and functions flow there. A function is in the
// closure if a checkpoint call can be reached from it in that graph.
//
// The graph has nodes that no source declares: instances of generic functions,
// wrappers of promoted methods, bound methods, thunks of method expressions,
// bodies of range-over-func loops. Reachability goes through all of them; the
// result is then stated about syntax, because syntax is what is rewritten. A
// declaration or literal is in the closure if any function made from it is. A call
// is, if any callee at it in any instance is.
//
// Both analyses are sound but for reflection, unsafe and linkname (but where both sides are Go
// outside of the standard library, see linked.go): what these call is not seen. Where the program
// has package reflect call functions, all that may be called are taken to be (handing.go). Else a
// frame of reflect is on the stack, or one that was not rewritten, so such a checkpoint is refused
// at run time, never half taken (see mistakable.go). A dynamic call for which variable type
// analysis finds no callee at all is never made, or on a value that came from reflection; it has those of rapid type
// analysis.
//
// A poll (see auto.go) that can be reached only by way of a package that is not rewritten, such as
// one in a String method that package fmt calls, is passed over there. It makes no function a part
// of the closure but those that it is reached from without. Otherwise everything that makes an
// error by fmt.Errorf would be rewritten, for nothing.
//
// # Goroutines
//
// A program that can reach a checkpoint and starts goroutines in rewritten code is concurrent: a
// checkpoint is one of all of them. (So is one of a single goroutine that can wait for something
// else than a lock.) The goroutine that takes it does so at a checkpoint call or poll. The others
// join there, too, or at the operations of package blocking, at which goroutines wait for each
// other. So the functions with such operations are in the closure, and those that call them: see
// concurrent.go for the bounds of that. In a program that is not concurrent operations do not
// count. Nor do locks of mutexes that are never locked where a checkpoint can be taken or joined:
// see sections.go.
//
// # What does not count
//
// A go statement starts a goroutine: the function that it starts can be in the closure, but the one
// that executes it isn't for that reason, since its frame is not below the checkpoint; the
// goroutine has a root and a checkpoint of its own. [Closure.Call] still tells about the call of
// the statement. A deferred call is made when the function that deferred it returns, so it counts
// as a call. Initialisers of package variables and init functions run before the root of the shadow
// stack exists: nothing of them can be saved, and they are not in the closure, nor is what runs
// only then. What the goroutines call that they start runs later, too, and is. Package ckpgen's own
// runtime calls the program and not the other way round, so its functions aren't either; those of
// package bsp that aren't checkpoint calls are treated as those of any library.
//
// # Frames that can't be saved
//
// Functions in the closure that belong to packages which are not rewritten, such as fmt.Println
// with a String method that takes a checkpoint, are what [Closure.Obstacles] reports. One obstacle
// is told for each function that is called back from there, with the shortest call path from main
// to it. The call graph does not distinguish the contexts of a call. The walk back does so as far
// as a call hands over functions that are plain there (contexts.go), but of what a function keeps
// before it calls it, as sort.Slice does, every call is in the closure when one is; that makes more
// calls resume points than need be, but no wrong ones. Of the calls that could lead to a callback
// the obstacle names one that hands the function over itself, if there is one. Where a goroutine
// can only wait, and not take a checkpoint, a callback is no obstacle: the goroutine goes on until
// it comes to a place where it can join.
//
// Those of them that belong to packages of other modules need not stay as they are. So
// the closure is computed twice: first with only the user's own packages rewritten, to see
// which others have functions in it ([Closure.Dependencies]), and then with these, too
// ([Closure.Again]), unless one turns out to have something that can't be rewritten.
//
// # The standard library
//
// If such functions belong to packages of the standard library that can be rewritten
// ([Closure.ThroughStandard]), the closure is computed with these. What is rewritten in them is not
// what the call graph says, but what [Library] does, which is the same for every program; the
// functions that it leaves out remain obstacles.
package closure
