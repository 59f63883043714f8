// Package load reads a whole Go program, from its main packages down to the
// standard library, with syntax and types, and tells which of its packages the
// precompiler may rewrite.
//
// # Why the whole program
//
// Whether a call can reach a checkpoint is a question about everything that it
// can end up in. A comparison handed to sort.Slice is called by the standard
// library; the checkpoint that it takes has a frame of package sort below it.
// So dependencies are loaded from source with their function bodies, those of
// the standard library included. Only of Go's runtime, package syscall and ckpgen's own
// runtime the bodies are left out: they call nothing back that the source shows. That
// makes it cheap: a program that uses fmt is 50 packages and takes half a second of
// processor time.
//
// The go command is asked for the packages (by golang.org/x/tools/go/packages), with the flags that
// decide which files belong to them (-tags, -race, -mod, -modfile ...). So what is analysed is what
// go build compiles. While it answers, files are parsed that are known to be among those
// (Config.Files).
//
// # Which packages are rewritten
//
// The user's own: those of the main module, of the other modules of a workspace, and of modules
// that a replace directive names by directory. Packages of other modules are rewritten if they call
// functions of the user's back, on the way to a checkpoint, keep func values, or have goroutines;
// with Config.Dependencies all of them are, and may poll, and with Config.Polled those that it
// names. Which these are, and which of them can't be rewritten, becomes known only after the
// program is loaded: so it is the Program that tells ([Program.Rewrites]). Of the standard library
// some packages are rewritten if they call the program back (package standard says which, and
// [Program.RewriteStandard] that it is so); the others are analysed but left alone. So are ckpgen's
// own runtime packages, which are what rewritten code calls.
//
// # Tests
//
// With Config.Tests the test variants are loaded as well: "p [p.test]", which is
// p together with its own _test.go files, the external package "p_test [p.test]" and
// the generated main package "p.test". A file that belongs to p and to "p [p.test]" is
// parsed once; both share its syntax tree. So a fact about a node of that tree
// holds for both variants.
//
// # Errors
//
// If the program has errors, go build is asked to say what they are, so they look
// as they always do. Errors in tests are reported in the same form: grouped by
// package, at most ten each, positions relative to the working directory, and only
// those of packages whose imports are sound.
package load
