package ckp_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// TestMapIterators knows the iterators of this version of Go. Without, walks over maps would be
// right, but note all keys first.
func TestMapIterators(t *testing.T) {
	require.True(t, heap.SameLayout(reflect.TypeFor[shadow.MapIterator](), reflect.TypeFor[reflect.MapIter]()))
}
