// Package instrument is the precompiler: a Go program goes in, and the sources of
// the same program with checkpoints come out.
//
//	load      the whole program, with syntax and types
//	standard  what of the standard library is rewritten, too
//	closure   which functions and calls can reach a checkpoint
//	rewrite   the new source of each package: desugaring, resume points, emission
//
// [Analyze] does the first two, [Analysis.Rewrite] the third. What is done with the
// new sources is up to others: package build hands them to go build as an overlay,
// package gen writes them as ordinary source into the user's module.
//
// # One set of sources for all programs
//
// Several main packages may be built at once, and a test program consists of
// variants of the packages under test. A file can have one replacement only, so the
// closure is that of all the programs together: rewriting what one of them does
// not need costs it a branch here and there and changes nothing else.
//
// A package p and its variant with _test.go files, "p [p.test]", share p's files; these are
// rewritten as part of p. Its _test.go files are rewritten as part of the variant,
// and what is registered for them goes into a _test.go file of its own, so that both
// variants build. The names that the rewriter adds are different in both.
//
// # Root
//
// The main function of a program hands itself to ckp.Start only if a
// checkpoint can be reached from it. A program without checkpoints is built as it
// is. The main function of tests is written by the go command: see tests.go for their root.
package instrument
