package shadow

// An activation is a rewritten function on the stack.
//
// Where a deferred call runs because of a panic, the activations below it on the stack are
// those that the panic has left behind, down to the function whose deferred call it
// is; they will never be continued. How many they are the stack does not tell: each of
// them may have had deferred calls that did not recover. Only the frames that
// are pushed do: below a panic a first part of the activations is missing, with further
// panics perhaps, and the first that is there has deferred calls.
//
// The same goes for runtime.Goexit. The functions without deferred calls below it are not
// among the activations, as they push no frames; and of the others only those do
// that have deferred calls to come.
type activation struct {
	name   string
	defers bool // it has deferred calls
	panics int  // how many panics are above it on the stack
	exits  bool // runtime.Goexit is above it
}

// missed compares the frames that were pushed with the activations that were expected to
// push them, both innermost first, and returns the name of the first function that
// is missing, or an empty string.
func missed(expect []activation, frames []Frame) string {
	names := make([]string, len(frames))
	for i, f := range frames {
		fn, _ := f.ResumePoint()
		names[i] = fn.name()
	}
	return missing(expect, names)
}

// missing does it with the names of the frames' functions. A recursion may have left a hundred
// thousand activations behind with the same few names. Below the last panic the first that is there
// is told by how many there are, and below runtime.Goexit nothing is lost by the first that will
// do.
func missing(expect []activation, names []string) string {
	last := len(expect) // the first activation below the last panic
	for last > 0 && expect[last-1].panics == expect[len(expect)-1].panics {
		last--
	}
	exits := len(expect) > 0 && expect[len(expect)-1].exits

	// at holds how many of the activations can be accounted for by the frames so far, in ascending
	// order.
	at := []int{0}
	for k, name := range names {
		var next []int
		looked := false
		for _, i := range at {
			if i < len(expect) && !expect[i].exits && expect[i].panics == panicsBefore(expect, i) {
				if expect[i].name == name {
					next = insert(next, i+1)
				}
				continue
			}
			if looked {
				continue // the one before has found all that this would
			}
			looked = true
			// The panic may have come up in a deferred call that another panic made: then it
			// has left that one behind, too.
			for j := i; j < len(expect); j++ {
				if whole := len(expect) - (len(names) - k); j >= last && !exits {
					if j > whole {
						break
					}
					j = max(j, whole)
				}
				if expect[j].name == name && expect[j].defers {
					next = insert(next, j+1)
					if expect[j].exits {
						break
					}
				}
			}
		}
		if next == nil {
			return name + " (or its caller)"
		}
		at = next
	}
	end := at[len(at)-1]
	if end < len(expect) && !expect[end].exits {
		return expect[end].name
	}
	return ""
}

// panicsBefore is how many panics are above the activation before i. If they are as many as
// those above i, there is none between the two, and i is not left behind if the one before
// it is not.
func panicsBefore(expect []activation, i int) int {
	if i == 0 {
		return 0
	}
	return expect[i-1].panics
}

// insert adds x to an ascending list, unless it is there.
func insert(list []int, x int) []int {
	if len(list) == 0 || list[len(list)-1] < x {
		return append(list, x)
	}
	list = append(list, x)
	for i := len(list) - 1; i > 0 && list[i-1] >= x; i-- {
		if list[i-1] == x {
			return append(list[:i], list[i+1:]...)
		}
		list[i-1], list[i] = x, list[i-1]
	}
	return list
}
