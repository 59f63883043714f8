package heap

import (
	"runtime"
	"testing"
)

// TestCleanups has a struct that stops a cleanup when it is closed: it can be closed afterwards,
// and what the cleanup was to free stays.
func TestCleanups(t *testing.T) {
	type handle struct {
		id      int
		cleanup runtime.Cleanup
		data    *[4]int
	}
	v := &handle{id: 7, data: &[4]int{1, 2, 3, 4}}
	v.cleanup = runtime.AddCleanup(v, func(int) {}, 7)
	w := again(t, v)
	check(t, w.id == 7 && w.cleanup == (runtime.Cleanup{}) && *w.data == *v.data, w)
	w.cleanup.Stop()
	list := again(t, &[]runtime.Cleanup{v.cleanup, v.cleanup})
	check(t, len(*list) == 2 && (*list)[1] == (runtime.Cleanup{}), list)
	v.cleanup.Stop()
	w.cleanup = runtime.AddCleanup(w, func(int) {}, 7)
	again(t, w).cleanup.Stop()
}
