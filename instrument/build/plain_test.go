package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// The name of the function is the one that generated code calls, with either path.
func TestEntry(t *testing.T) {
	assert.True(t, strings.HasSuffix(rewrite.RootPath+".Start\x00", string(entry)))
}

// What lies across the windows in which a file is read is found.
func TestContains(t *testing.T) {
	const text = "ckp.Start\x00"
	for _, before := range []int{0, 1, 1<<20 - len(text), 1<<20 - 1, 1 << 20, 2<<20 - 4, 3 << 20} {
		long := strings.Repeat("c", before) + text
		has, err := contains(iotest.HalfReader(strings.NewReader(long)), []byte(text))
		require.NoError(t, err)
		assert.True(t, has, before)
		has, err = contains(strings.NewReader(long[:len(long)-1]), []byte(text))
		require.NoError(t, err)
		assert.False(t, has, before)
	}
	_, err := contains(iotest.ErrReader(os.ErrPermission), []byte(text))
	assert.ErrorIs(t, err, os.ErrPermission)
}

// Of a file that is no program of Go nobody knows.
func TestPlain(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n"), 0o777))
	plain, err := Plain(script)
	require.NoError(t, err)
	assert.False(t, plain)
}
