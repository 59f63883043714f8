package standard

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed _patches
var files embed.FS

// A change is another text for a part of a line.
type change struct {
	from, to string // $0 in to is what stood there
	times    int    // how often it occurs
}

// changes are made to the files of the standard library, by import path and base name. What is in
// the folder _patches under the same name, after its package clause and imports, is added at the
// end of the file.
var changes = map[string][]change{
	"iter/iter.go": {
		{"(seq Seq[V]) (next func() (V, bool), stop func()) {", "$0 if !off() { return pullSaved(\"iter.Pull\", seq) };", 1},
		{"(seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {", "$0 if !off() { return pull2Saved(seq) };", 1},
		{"// then next (or stop) itself panics with the same value.", "//ckp:asis", 2},
	},
	"sort/slice.go": {{"reflectlite.Swapper(x)", "swapper(x)", 2}},
	"sync/map.go":   {{"m.m.Range(f)", "m.rangeOver(f)", 1}},
}

// Two directives may stand above functions there.
const (
	// AsIs is that of a function that is not rewritten.
	AsIs = "ckp:asis"
	// Off is that of a function with a result, which becomes whether there are no checkpoints.
	Off = "ckp:off"
)

// Patch returns the text of a file of a package in the form in which it is analysed and
// rewritten. The error says that the file is not the one that is known.
func Patch(pkg, file string, text []byte) ([]byte, error) {
	name := path.Join(pkg, file)
	list, ok := changes[name]
	if !ok || !HasFile(pkg, file) {
		return text, nil
	}
	s := string(text)
	for _, c := range list {
		if n := strings.Count(s, c.from); n != c.times {
			return nil, fmt.Errorf("%s has %q %d times, and not %d times as in the version of Go that is known here", name, c.from, n, c.times)
		}
		s = strings.ReplaceAll(s, c.from, strings.ReplaceAll(c.to, "$0", c.from))
	}
	added, err := files.ReadFile("_patches/" + name)
	if err != nil {
		return nil, fmt.Errorf("patch of %s: %w", name, err)
	}
	_, declarations, ok := strings.Cut(string(added), "\n// Added:\n")
	if !ok {
		return nil, fmt.Errorf("patch of %s: no line says what is added", name)
	}
	return []byte(strings.TrimRight(s, "\n") + "\n" + declarations), nil
}
