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
