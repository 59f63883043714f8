package build

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A ckpgen that does not know the language that a program may be written in says so, and how to get
// one that does.
func TestSuits(t *testing.T) {
	for _, v := range []struct{ builds, own, want string }{
		{"go1.26.8", "go1.26.0", ""},
		{"go1.26.8", "go1.27.1", ""},
		{"go1.26.8 X:nodwarf5", "go1.26.8 X:nodwarf5", ""},
		{"devel go1.28-d3ad", "go1.26.8", ""},
		{"go1.28.0", "devel go1.28-d3ad", ""},
		{"go1.25.3", "go1.26.8", "need go1.26 or later, and this is go1.25.3; set GOTOOLCHAIN=go1.26.0 or later"},
		{"go1.27rc1", "go1.26.8", "built with go1.26.8 and may not know what is new in go1.27rc1"},
		{"go1.27.3 X:nodwarf5", "go1.26.8", "GOTOOLCHAIN=go1.27.3 go install "},
	} {
		err := suits(v.builds, v.own)
		if v.want == "" {
			require.NoError(t, err, "%v", v)
		} else {
			require.ErrorContains(t, err, v.want)
		}
	}
}
