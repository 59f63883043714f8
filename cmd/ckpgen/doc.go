// Ckpgen builds, runs and examines Go programs that survive the death of their
// processes.
//
//	ckpgen build [-o file] [go build flags] PKG     build with checkpoints; the tree stays untouched
//	ckpgen test  [go test flags] PKG...             the same for tests
//	ckpgen run   [-n N] [flags] PKG|BINARY [-- args]  build if needed, start N processes, keep them alive
//	ckpgen gen   [-o DIR] PKG...                    write the instrumented source
//	ckpgen vet   PKG...                             what cannot be checkpointed, and where
//	ckpgen explain FUNC [PKG...]                    why a function is, or is not, in the closure
//	ckpgen inspect DIR|FILE [--json]                what is in a checkpoint
//	ckpgen version                                  tool and image format versions
//
// The exit status is 2 for a command line that can't be carried out and 1 for other
// failures; go build and go test exit with 1 when they fail, and so do their counterparts
// here. For run, see its help.
package main
