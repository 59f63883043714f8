package build

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParseCommandLine checks what of a command line goes to the go command, what to the
// loader, and what are packages.
func TestParseCommandLine(t *testing.T) {
	for _, c := range []struct {
		args                           string
		test                           bool
		flags, load, patterns, out, cd string
		rest                           string
	}{
		{args: "", patterns: "."},
		{args: "./...", patterns: "./..."},
		{args: "-o x -v ./a ./b", flags: "-v", patterns: "./a ./b", out: "x"},
		{args: "-o=x -C dir --tags=a,b -race", flags: "--tags=a,b -race", load: "--tags=a,b -race", patterns: ".", out: "x", cd: "dir"},
		{args: "-tags a -mod mod -ldflags -s p", flags: "-tags a -mod mod -ldflags -s", load: "-tags=a -mod=mod", patterns: "p"},
		{args: "-unknown p", flags: "-unknown", patterns: "p"},
		{args: "-- -p", patterns: "-p"},
		{args: "p -run x", patterns: "p -run x"},
		{args: "-v p q -run x -count=1 -args -z p", test: true, flags: "-v -run x -count=1", patterns: "p q", rest: "-args -z p"},
		{args: "p -run x -v q -short -args", test: true, flags: "-run x -v", patterns: "p", rest: "-args q -short -args"},
		{args: "p -mine -run x -its=1 -args -z", test: true, flags: "-run x", patterns: "p", rest: "-args -mine -its=1 -z"},
		{args: "-short -mine p", test: true, flags: "-short", patterns: ".", rest: "-args -mine p"},
		{args: "-test.run x -race", test: true, flags: "-test.run x -race", load: "-race", patterns: "."},
		{args: "-cover=false p", flags: "-cover=false", patterns: "p"},
	} {
		got, err := ParseCommandLine(strings.Fields(c.args), c.test)
		require.NoError(t, err, c.args)
		require.Equal(t, c.flags, strings.Join(got.Flags, " "), c.args)
		require.Equal(t, c.load, strings.Join(got.Load, " "), c.args)
		require.Equal(t, c.patterns, strings.Join(got.Patterns, " "), c.args)
		require.Equal(t, c.out, got.Output, c.args)
		require.Equal(t, c.cd, got.Chdir, c.args)
		require.Equal(t, c.rest, strings.Join(got.Rest, " "), c.args)
	}
	for args, want := range map[string]string{
		"p": "", "-cover": "set", "-cover=false": "", "-race -coverpkg=./...": "atomic", "-coverprofile=x -covermode count": "count",
	} {
		got, err := ParseCommandLine(strings.Fields(args), true)
		require.NoError(t, err, args)
		require.Equal(t, want, got.Cover, args)
	}
	got, err := ParseCommandLine(strings.Fields("-torture 3 -count=2 -v"), true)
	require.NoError(t, err)
	require.Equal(t, []string{"-count=2", "-v"}, got.Flags)
	require.True(t, got.Torture == 3 && got.Counted && got.Here)
	for _, args := range []string{"-o", "-overlay x", "-cover -toolexec=x", "-compiler=gccgo", "-tags"} {
		_, err := ParseCommandLine(strings.Fields(args), false)
		var usage *UsageError
		require.ErrorAs(t, err, &usage, args)
	}
}
