package closure

import (
	"slices"
	"testing"

	"github.com/ckpgen/ckpgen/instrument/polls"
)

// Names are written as in traces: of methods, literals, bodies of loops over functions, wrappers,
// and instances of generic functions.
func TestNamedAs(t *testing.T) {
	for _, c := range []struct {
		function string
		want     []string
	}{
		{"main.main", []string{"main main stack"}},
		{"main.main.func2.1", []string{"main main stack", "main main.func2 stack"}},
		{"example.org/a/b.(*T).M", []string{"example.org/a/b (*T) stack", "example.org/a/b (*T).M stack"}},
		{"example.org/a/b.T.M.func1", []string{"example.org/a/b T stack", "example.org/a/b T.M stack"}},
		{"example.org/a/b.(*T[...]).M.func1", []string{"example.org/a/b (*T) stack", "example.org/a/b (*T).M stack"}},
		{"gopkg.in/yaml%2ev3.F-range1", []string{"gopkg.in/yaml.v3 F stack"}},
		{"example.org/a.T.M-fm", []string{"example.org/a T stack", "example.org/a T.M stack"}},
		{"example.org/a.glob..func1", []string{"example.org/a init stack"}},
		{"memmove", nil},
	} {
		var got []string
		for _, f := range namedAs(c.function) {
			got = append(got, f.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.function, got, c.want)
		}
	}
}

// A literal in a function that was inlined has the name of its caller; the line tells where it
// stands.
func TestIndexByLine(t *testing.T) {
	f := polls.Function{Path: "example.org/list", Name: "All"}
	x := &index{nil, map[string][]extent{"list/list.go": {{10, 14, f}, {20, 30, polls.Function{Path: "example.org/list", Name: "Other"}}}}}
	found := make(map[polls.Function]bool)
	x.add(found, polls.Call{Function: "main.main.All.func1", File: "/src/list/list.go", Line: 12})
	if len(found) != 1 || !found[f] {
		t.Errorf("found %v", found)
	}
}
