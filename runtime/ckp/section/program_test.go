package section

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDifferences(t *testing.T) {
	p := &Program{
		Functions: []Function{{"main.same", "1"}, {"main.changed", "2"}, {"main.gone", "3"}},
		Variables: []Variable{{"main.x", "int"}, {"main.y", "string"}, {"main.z", "bool"}},
	}
	q := &Program{
		Functions: []Function{{"main.new", "4"}, {"main.changed", "5"}, {"main.same", "1"}},
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
	}, p.Differences(q))
	require.Empty(t, p.Differences(p))
	q.Image = 2
	require.Contains(t, p.Differences(q)[0], "image format")
}

// The order in which packages were initialised does not matter.
func TestHashIsOfTheProgramAlone(t *testing.T) {
	p := &Program{Functions: []Function{{"a", "1"}, {"b", "2"}}}
	q := &Program{Functions: []Function{{"b", "2"}, {"a", "1"}}}
	b, err := p.Encode()
	require.NoError(t, err)
	c, err := q.Encode()
	require.NoError(t, err)
	require.Equal(t, Hash(b), Hash(c))
}
