package shadow

import "testing"

func TestPinned(t *testing.T) {
	polled := 0
	f := func() { polled++ }
	defer poller.Store(poller.Swap(&f))
	for i, want := range []int{1, 1, 1, 2} {
		switch i {
		case 1, 2:
			procPin()
		case 3:
			procUnpin()
			procUnpin()
		}
		Poll()
		if polled != want {
			t.Errorf("step %d: %d polls did something, want %d", i, polled, want)
		}
	}
}
