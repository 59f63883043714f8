package variables

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is taken is for this process alone; what the program sets is for those that it starts.
func TestTake(t *testing.T) {
	t.Setenv("CKP_DIR", "job")
	t.Setenv("CKP_RANK", "")
	t.Setenv("CKP_OTHER", "its own")
	Take()
	for _, name := range []string{"CKP_DIR", "CKP_RANK"} {
		_, set := os.LookupEnv(name)
		assert.False(t, set, name)
		_, known := Lookup(name)
		assert.True(t, known, name)
	}
	_, known := Lookup("CKP_SIZE")
	assert.False(t, known)
	assert.Equal(t, "its own", os.Getenv("CKP_OTHER"))
	dir, _ := Lookup("CKP_DIR")
	assert.Equal(t, "job", dir)
	assert.True(t, slices.Contains(Environ(), "CKP_DIR=job"))
	t.Setenv("CKP_DIR", "another")
	dir, _ = Lookup("CKP_DIR")
	assert.Equal(t, "another", dir)
	assert.False(t, slices.Contains(Environ(), "CKP_DIR=job"))
}
