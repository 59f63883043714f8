package detector

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseTakesOnlyWhatAppendWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.OneOf(rapid.ByteRange(0, 9), rapid.Byte())).Draw(t, "bytes")
		if m, err := ParseMessage(b); err == nil {
			again, err := ParseMessage(m.Append(nil))
			require.NoError(t, err)
			assert.Equal(t, m, again)
		} else {
			assert.ErrorIs(t, err, errMessage)
		}
	})
}

func TestConfigIsChecked(t *testing.T) {
	_, err := New(Config{Self: 0, Members: []int{0, 1}, Eta: eta, Delta: 2 * eta})
	assert.ErrorContains(t, err, "three times")
	_, err = New(Config{Self: 2, Members: []int{0, 1}, Eta: eta, Delta: 3 * eta})
	assert.ErrorContains(t, err, "no member")
}
