package section

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDifferences(t *testing.T) {
	p := &Program{
		Functions: []Function{{Name: "main.same", Fingerprint: "1"}, {Name: "main.changed", Fingerprint: "2"}, {Name: "main.gone", Fingerprint: "3"}},
		Variables: []Variable{{"main.x", "int"}, {"main.y", "string"}, {"main.z", "bool"}},
	}
	q := &Program{
		Functions: []Function{{Name: "main.new", Fingerprint: "4"}, {Name: "main.changed", Fingerprint: "5"}, {Name: "main.same", Fingerprint: "1"}},
		Variables: []Variable{{"main.w", "int"}, {"main.y", "[]byte"}, {"main.x", "int"}},
	}
	b, err := p.Encode()
	require.NoError(t, err)
	c, err := q.Encode()
	require.NoError(t, err)
	require.NotEqual(t, Hash(b), Hash(c))
	require.Equal(t, []string{
		"function main.changed was changed",
		"function main.new is new",
		"function main.gone is gone",
		"variable main.w is new",
		"variable main.y was string and is []byte",
		"variable main.z is gone",
	}, p.Differences(q, nil))
	require.Empty(t, p.Differences(p, nil))
	require.Equal(t, []string{
		"function main.gone is gone",
		"variable main.y was string and is []byte",
	}, p.Differences(q, func(f Function) bool { return f.Name == "main.gone" }))
	q.Image = 2
	require.Contains(t, p.Differences(q, nil)[0], "image format")
}

// The order in which packages were initialised does not matter.
func TestHashIsOfTheProgramAlone(t *testing.T) {
	p := &Program{Functions: []Function{{Name: "a", Fingerprint: "1"}, {Name: "b", Fingerprint: "2"}}}
	q := &Program{Functions: []Function{{Name: "b", Fingerprint: "2"}, {Name: "a", Fingerprint: "1"}}}
	b, err := p.Encode()
	require.NoError(t, err)
	c, err := q.Encode()
	require.NoError(t, err)
	require.Equal(t, Hash(b), Hash(c))
}
