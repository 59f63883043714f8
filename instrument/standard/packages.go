package standard

import (
	"maps"
	"slices"
)

// packages are those that are rewritten, with the files that are; nil: all of them.
var packages = map[string][]string{
	"bufio":          nil,
	"bytes":          nil,
	"container/heap": nil,
	"context":        nil,
	"errors":         nil,
	"io":             nil,
	"io/fs":          nil,
	"iter":           nil,
	"maps":           nil,
	"path/filepath":  nil,
	"slices":         nil,
	"sort":           nil,
	"strings":        nil,
	"sync":           {"map.go", "once.go", "oncefunc.go"},
}

// demanded are packages that are rewritten if the program needs just them, and whether polls are a
// reason to. The others are rewritten for the sake of checkpoint calls only.
var demanded = map[string]bool{
	"encoding/json":  false,
	"flag":           false,
	"fmt":            false,
	"go/ast":         true,
	"log":            false,
	"math/rand":      true,
	"math/rand/v2":   true,
	"regexp":         true,
	"text/tabwriter": false,
}

// OnDemand reports whether the package with this import path is rewritten if functions of it are
// below a checkpoint call, or below a poll if polls is true.
func OnDemand(path string, polls bool) bool {
	forPolls, ok := demanded[path]
	return ok && (forPolls || !polls)
}

// Packages returns the import paths of the packages that are rewritten, ordered.
func Packages() []string { return slices.Sorted(maps.Keys(packages)) }

// Has reports whether the package of the standard library with this import path is
// one of those that are rewritten.
func Has(path string) bool {
	_, ok := packages[path]
	return ok
}

// HasFile reports whether a file of the package, given by its base name, is.
func HasFile(path, file string) bool {
	files, ok := packages[path]
	return ok && (files == nil || slices.Contains(files, file))
}
