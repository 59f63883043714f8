package polls_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/instrument/polls"
)

func TestParse(t *testing.T) {
	c, err := polls.Parse("x.polls", []byte("# what\n\nexample.org/sim.v2 (*Grid).Step entry\r\n  main main.func1.2 loop 12\n"))
	require.NoError(t, err)
	require.Equal(t, []polls.Place{{Path: "example.org/sim.v2", Func: "(*Grid).Step"}, {Path: "main", Func: "main.func1.2", Loop: 12}}, c.Places)
	require.Equal(t, "example.org/sim.v2 (*Grid).Step entry\nmain main.func1.2 loop 12\n", c.String())
	require.EqualError(t, c.Errorf(1, "gone"), "x.polls:4: gone")
	for text, want := range map[string]string{
		"":                       "x.polls: it has no places",
		"# nothing\n":            "x.polls: it has no places",
		"a f entry\na f loop 0":  "x.polls:2: \"a f loop 0\" is no place",
		"a f loop":               "x.polls:1: \"a f loop\" is no place",
		"a f entry 1":            "x.polls:1: \"a f entry 1\" is no place",
		strings.Repeat("x", 1e6): "x.polls: bufio.Scanner: token too long",
	} {
		_, err := polls.Parse("x.polls", []byte(text))
		require.ErrorContains(t, err, want)
	}
}

const visits = `end 65000000
window 0 1
window 10000000 2
window 20000000 1
window 30000000 0
window 50000000 2
window 60000000 1
site 4 0 1-1,6-6 m f entry
site 7 3 2-3,5-5 m f loop 1
site 1 0 4-4 m g entry
`

func TestCoverage(t *testing.T) {
	v, err := polls.ReadVisits(strings.NewReader(visits))
	require.NoError(t, err)
	require.Equal(t, 65*time.Millisecond, v.Time)
	require.Len(t, v.Sites, 3)
	require.Equal(t, polls.Place{Path: "m", Func: "f", Loop: 1}, v.Sites[1].Place)
	require.Equal(t, 30*time.Millisecond, v.Sites[1].Longest)

	// Windows 1 and 3 of the first goroutine, and 2 and 5 of the other; nobody ran in 4, and 6 is
	// too short.
	c := v.Coverage(20*time.Millisecond, false)
	require.True(t, c.Helps(0))
	require.False(t, c.Recurs(0), "only once in the stretch")
	require.True(t, c.Recurs(1), "twice in that of the second goroutine")
	require.False(t, c.Helps(2))
	c.Choose(0)
	require.False(t, c.Helps(0))
	require.True(t, c.Helps(1))
	c.Choose(1)
	require.False(t, c.Helps(1))

	// Together windows 1 and 2, and 3 and 5.
	c = v.Coverage(20*time.Millisecond, true)
	c.Choose(0)
	require.True(t, c.Helps(1))
	require.True(t, c.Recurs(1))
}

func TestDamagedVisits(t *testing.T) {
	for change, want := range map[[2]string]string{
		{"window 10000000 2", "window 10000000"}: "line 3: ",
		{"end 65000000", "end"}:                  "line 1: ",
		{"6-6", "6-7"}:                           "windows 6 to 7 of 6",
		{"1-1,", "1-1,,"}:                        "line 8: ",
		{"m g entry\n", "m g"}:                   "line 10: ",
		{"site 7 3", "sites 7 3"}:                "line 9: ",
		{"site 4 0", "site -4 0"}:                "line 8: ",
	} {
		require.Contains(t, visits, change[0])
		_, err := polls.ReadVisits(strings.NewReader(strings.Replace(visits, change[0], change[1], 1)))
		require.ErrorContains(t, err, want)
	}
}
