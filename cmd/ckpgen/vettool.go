package main

import (
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/ckpgen/ckpgen/instrument/vet"
)

// vettool serves 'go vet -vettool=ckpgen' and does not return, if that is who calls: the
// go command asks for the version and the flags, and then names a file that describes one
// package.
func vettool(args []string) {
	if len(args) == 0 {
		return
	}
	last := args[len(args)-1]
	if args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(last, ".cfg") && args[0] != "gen" {
		unitchecker.Main(vet.Analyzer)
	}
}
