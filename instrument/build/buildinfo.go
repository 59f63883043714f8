package build

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Modules whose packages are rewritten are replaced by copies, and so the go command says in what
// debug.ReadBuildInfo returns. Programs print that, as the version of a library that has written a
// file. So package debug says again what is true of the modules themselves.

const original = `
// originalModules are the modules that stand in place of folders.
var originalModules = map[string]struct {
	sum      string
	replaced *Module
}{
%s}

func withOriginalModules(bi *BuildInfo) {
	for _, m := range bi.Deps {
		if m.Replace == nil {
			continue
		}
		if o, ok := originalModules[m.Replace.Path]; ok {
			m.Sum, m.Replace = o.sum, o.replaced
		}
	}
}
`

// originalModules returns what replaces a file of package runtime/debug in goroot. There is none if
// this release has the package in another form: then debug.ReadBuildInfo shows the copies.
func (s *copies) originalModules(goroot string) (map[string][]byte, error) {
	name := filepath.Join(goroot, "src", "runtime", "debug", "mod.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("package runtime/debug: %w", err)
	}
	const end = "\tbi.GoVersion = runtime.Version()\n"
	if bytes.Count(text, []byte(end)) != 1 {
		return nil, nil
	}
	var table strings.Builder
	for _, dir := range slices.Sorted(maps.Keys(s.used)) {
		m := s.modules[dir]
		if r := m.Replace; r != nil {
			fmt.Fprintf(&table, "\t%q: {replaced: &Module{Path: %q, Version: %q, Sum: %q}},\n", s.folder(dir), r.Path, r.Version, sumOf(r))
			continue
		}
		fmt.Fprintf(&table, "\t%q: {sum: %q},\n", s.folder(dir), sumOf(m))
	}
	text = bytes.Replace(text, []byte(end), []byte(end+"\twithOriginalModules(bi)\n"), 1)
	return map[string][]byte{name: fmt.Appendf(text, original, table.String())}, nil
}

// sumOf returns the sum of a module in the module cache, which stands beside its go.mod there. It
// is empty if it is not known.
func sumOf(m *packages.Module) string {
	file, ok := strings.CutSuffix(m.GoMod, ".mod")
	if !ok {
		return ""
	}
	sum, err := os.ReadFile(file + ".ziphash")
	if err != nil {
		return "" // as with modules that need none
	}
	return strings.TrimSpace(string(sum))
}
