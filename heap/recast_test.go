package heap

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A func value is taken for one of another type only if the program does so, and if what both take
// and return has the same sizes.
func TestRecast(t *testing.T) {
	is, of := reflect.TypeFor[func(uint32) bool](), reflect.TypeFor[func(uint32) uint8]()
	type named func(uint32) bool
	b := new(builder)
	assert.True(t, b.canBe(is, reflect.TypeFor[named]()))
	assert.False(t, b.canBe(is, of))
	for _, recast := range []reflect.Type{of, reflect.TypeFor[any]()} {
		b.recast = []reflect.Type{recast}
		assert.True(t, b.canBe(is, of))
		assert.False(t, b.canBe(reflect.TypeFor[func(string) bool](), of))
		assert.False(t, b.canBe(reflect.TypeFor[func(uint32) string](), of))
		assert.False(t, b.canBe(reflect.TypeFor[func() bool](), of))
	}
}
