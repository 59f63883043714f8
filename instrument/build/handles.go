package build

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A unique.Handle is a pointer into a table of the process. To have the handle of the same value in
// another process, package heap must call unique.Make for the type of the value, which it can't
// name. So programs in which something besides the standard library imports package unique get a
// method of the handles that does. Handles that nothing else knows are those in addresses of
// package net/netip, for which package heap needs no help.

const remaking = `
// RemadeByCkpgen returns the handle of the value at an address.
func (Handle[T]) RemadeByCkpgen(value unsafe.Pointer) unsafe.Pointer {
	return unsafe.Pointer(Make(*(*T)(value)).value)
}
`

// remadeHandles returns what replaces a file of package unique in goroot. There is none if this
// release has the package in another form: then handles can't be saved, which is told when it comes
// to it.
func remadeHandles(goroot string) (map[string][]byte, error) {
	name := filepath.Join(goroot, "src", "unique", "handle.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("package unique: %w", err)
	}
	for _, part := range []string{"type Handle[T comparable] struct {\n\tvalue *T\n}\n", "func Make[T comparable](value T) Handle[T] {", "\t\"unsafe\"\n"} {
		if bytes.Count(text, []byte(part)) != 1 {
			return nil, nil
		}
	}
	return map[string][]byte{name: append(text, remaking...)}, nil
}

// imports reports whether a package of the program imports one, of those that are neither of the
// standard library nor of the runtime.
func imports(p *load.Program, path string) bool {
	return slices.ContainsFunc(p.All, func(pkg *packages.Package) bool {
		return pkg.Imports[path] != nil && (pkg.Module != nil && !load.Runtime(pkg.PkgPath) || load.Main(pkg))
	})
}
