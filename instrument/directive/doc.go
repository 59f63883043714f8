// Package directive knows the comments by which a program's source tells ckpgen something. Like
// those of the go command they begin with two slashes and no space, and a plain go build takes no
// notice of them:
//
//	//ckp:point           above a function: a call of it may take a checkpoint (package closure)
//	//ckp:external        above a go statement: its goroutine is not part of checkpoints (package blocking)
//	//ckp:transient       at a variable of the package or a field: it is not part of checkpoints; with a name, anywhere: one of another package
//	//ckp:start           a statement: changes of large arrays are tracked from here on
//	//ckp:stop            a statement: they are not tracked from here on
//	//ckp:save NAME       a statement: a checkpoint with a name is taken here
//
// # Statements
//
// The last three stand for calls of ckp.StartTracking, ckp.StopTracking and ckp.Save("NAME"). Each
// has a line of its own, at a place in the body of a function at which a statement can stand. The
// NAME has letters, digits, dots, underlines and hyphens.
//
// Such a comment becomes a call before the file is parsed for the analysis ([Expand]), so that
// everything after that treats it as it does any other call. A file can't import anything there
// which the program does not import, since the go command has been asked for all imports by then.
// So the call is one of a stand-in, which is declared at the end of the file:
//
//	for i := range steps {
//		step(i)
//		//ckp:save after-step
//	}
//
// becomes, on the same lines,
//
//	for i := range steps {
//		step(i)
//		ckpgen_save_5d1b2c3f("after-step")
//	}
//
//	//ckp:point
//	func ckpgen_save_5d1b2c3f(string) {}
//
// and the rewriter, which adds imports, writes the function of package ckp for the stand-in and
// leaves the declaration out ([Standing]). Nobody sees its name but who looks for it. The text
// before a directive on its line, and all other lines, stay where they are; so do positions.
//
// # What is wrong with them
//
// A comment that begins with //ckp: and is none of these is refused, as one that is mistyped would
// else be left out silently; so is a statement where none can stand, or where it would never be
// executed. See [Problem].
package directive
