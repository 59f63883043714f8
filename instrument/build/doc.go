// Package build builds and tests programs with checkpoints, by go build and go test
// with an overlay. The user's tree is only read.
//
// # The cache
//
// Instrumented sources lie in ckpgen's folder of the user's cache directory (on
// Linux ~/.cache/ckpgen):
//
//	program/KEY/overlay.json   what go build -overlay reads
//	program/KEY/result.json    what the analysis said
//	program/KEY/NNN_name.go    instrumented sources
//	program/KEY/tools.json     what the tool cover is to write instead, and coverNNN_name.go; what the compiler is to embed
//	bin/KEY/NAME               programs built for ckpgen run
//	module/KEY/...             copies of modules of which packages are rewritten
//	runtime/KEY/...            the runtime's sources, for programs that do not import them
//	toolchain/KEY/go           another name of a toolchain that lies in the module cache
//	remembered/KEY/...         what the go command said, and on what that depends: see remembered.go
//
// KEY is a hash of everything that the analysis depends on: the executable of the tool itself, the
// version of Go and the settings that choose files, flags and patterns, and of each package of the
// program its path and its files; their contents, if the user can change them, and the version of
// their module or of Go otherwise. To list the files takes one run of go list, and none if nothing
// has changed since the last one. If the key is known, nothing is loaded or analysed.
//
// An entry is written to a temporary folder and renamed, so it is complete or absent,
// and any number of builds may run at once. Entries that were not used for 30 days
// are removed.
//
// go build's own cache works by contents, and the rewriting is deterministic; so only
// packages whose instrumented source changed are compiled again.
//
// # Programs that do not know ckpgen
//
// The runtime's packages, whose sources the tool carries, are added to the standard library
// of the build by the same overlay. So neither the module nor its workspace, vendor
// directory or go.sum has to know them, and Go files outside of any module are built as
// they are. Programs that import the runtime get it from the module that they require.
//
// # The standard library
//
// Rewritten packages of the standard library are in the overlay as others are; nothing in GOROOT is
// touched. They import the leaf of the runtime, so that is added to the standard library then, and
// the packages of the module which import it are in the overlay with its other path. All of this is
// the same for every program, so the go command's cache has it compiled after the first.
package build
