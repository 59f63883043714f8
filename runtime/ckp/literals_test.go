package ckp

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestLiteralIn compares with a regular expression that says the same.
func TestLiteralIn(t *testing.T) {
	t.Parallel()
	same := regexp.MustCompile(`^(.*\.)(?:\(\*)?(\w+)_(?:closure|literal)\d+(?:\[\.\.\.\])?(?:\)\.(?:call|fill\.func1))?$`)
	parts := rapid.SampledFrom([]string{
		"main", "example.org/a_b", ".", "(*", "work", "work_closure1", "_closure", "_literal", "1", "27", "[...]",
		")", ".call", ".fill.func1", ".func2",
	})
	rapid.Check(t, func(t *rapid.T) {
		name := ""
		for _, p := range rapid.SliceOfN(parts, 0, 9).Draw(t, "parts") {
			name += p
		}
		var want []string
		if m := same.FindStringSubmatch(name); m != nil {
			want = m[1:]
		}
		var got []string
		if pkg, outer, ok := literalIn(name); ok {
			got = []string{pkg, outer}
		}
		require.Equal(t, want, got, name)
	})
	pkg, outer, ok := literalIn("example.org/m.(*work_closure12[...]).fill.func1")
	require.True(t, ok)
	require.Equal(t, [2]string{"example.org/m.", "work"}, [2]string{pkg, outer})
}
