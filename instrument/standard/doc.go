// Package standard says which packages of the standard library are rewritten when they
// call functions of the program back, and what in their sources is written differently
// for that.
//
// # Why so many at once
//
// A checkpoint in a comparison that sort.Slice calls has frames of package sort below it, and these
// can be saved only if package sort was rewritten. It lies below nearly everything: a program in
// which it differs is one with a standard library of its own, and to compile that takes half a
// minute. So what the new sources are shall not depend on the program, and the build cache of the
// go command has them for the next one. Hence all packages of the list are rewritten if one has to
// be, and in them (package closure does that) every function that calls a func value or a method of
// an interface, whatever those are in this program. They are rewritten, too, if the program is
// likely to keep a func value that was made there, as context.WithCancel does, since a literal of
// the compiler's can't be saved.
//
// # Which
//
// The packages whose purpose it is to call back: what sorts, searches, walks,
// iterates, splits, copies, and does something once. Not those below package
// shadow, which the new sources import: Go's runtime, sync/atomic, and what is internal. And
// not those that call methods of nearly any type, by reflection or otherwise, such as fmt: a
// program with a loop in a String method would be slower wherever it prints.
//
// A few more packages are rewritten on demand, each by itself, in programs that need it: those that
// walk and match, and, for explicit checkpoint calls and for what goes through a pipe, but not for
// polls, fmt and others that format. Which methods these call the call graph can't tell, for they
// get values by reflection; so it is good that it is not asked.
//
// Package testing is rewritten in programs of tests, and package reflect in those that have it call
// functions below which a checkpoint can be taken, or have such loops over its iterators, as far as
// it does that.
//
// Of package sync only a few files are. The functions of the others are what rewritten code
// calls package shadow for, which calls them.
//
// # What is written differently
//
// Some functions keep what can't be saved: a func value that the reflection of the runtime
// has made, or a coroutine. Others call what can't be seen, by assembly. For these there is a [Patch]: another text for a few lines, which
// stay as many as they were, and declarations at the end of the file. It is made before the
// packages are analysed. If a version of Go has other sources, and the patch
// does not fit, the package is left as it is.
package standard
