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
	// at holds how many of the activations can be accounted for by the frames so far.
	at := []int{0}
	for _, f := range frames {
		fn, _ := f.ResumePoint()
		var next []int
		for _, i := range at {
			if i < len(expect) && !expect[i].exits && expect[i].panics == panicsBefore(expect, i) {
				if expect[i].name == fn.Name {
					next = insert(next, i+1)
				}
				continue
			}
			// The panic may have come up in a deferred call that another panic made: then it
			// has left that one behind, too.
			for j := i; j < len(expect); j++ {
				if expect[j].name == fn.Name && expect[j].defers {
					next = insert(next, j+1)
				}
			}
		}
		if next == nil {
			return fn.Name + " (or its caller)"
		}
		at = next
	}
	last := at[len(at)-1]
	if last < len(expect) && !expect[last].exits {
		return expect[last].name
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

// insert adds x to a list that grows, unless it is there.
func insert(list []int, x int) []int {
	for _, y := range list {
		if y == x {
			return list
		}
	}
	list = append(list, x)
	for i := len(list) - 1; i > 0 && list[i] < list[i-1]; i-- {
		list[i], list[i-1] = list[i-1], list[i]
	}
	return list
}
