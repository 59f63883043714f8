package ckp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// A movingError names the goroutines that have not come to where they could be stopped.
type movingError struct {
	list string
	key  string // the same if they are in the same functions
}

// Error says what can be done.
func (e *movingError) Error() string {
	if e.list == "" {
		return fmt.Sprintf("not all goroutines could be stopped within %v", patience)
	}
	return fmt.Sprintf("these goroutines did not come to a checkpoint within %v: %s. Call ckp.Checkpoint in their loops, or build with -auto (with -auto=@FILE: measure again); put //ckp:external above the go statement of one that is not to be saved", patience, e.list)
}

// moving returns the error for the goroutines in stack traces.
func moving(stacks string) error {
	list, key := obstinate(stacks, nil)
	return &movingError{list, key}
}

// obstinate names the goroutines of the program that do not stand still, except for those in the
// given states. key is the same for those that are in the same functions.
func obstinate(stacks string, but map[string]bool) (text, key string) {
	const most = 5
	var list, functions []string
	count := make(map[string]int)
	for _, t := range parseTraces(stacks) {
		root := t.root()
		if root <= 0 || but[t.state] {
			continue
		}
		outermost := t.calls[root-1]
		where, below := outermost, ""
		for i, c := range t.calls[:root] {
			if shadow.FunctionByName(c.function) != nil {
				where, below = c, unsaved(t.calls[i+1:root])
				break
			}
		}
		state := t.state
		if state == "runnable" {
			state = "running" // as far as people are concerned
		}
		one := fmt.Sprintf(" of %s, in %v [%s]%s", title(outermost.function), where, state, below)
		if t.by == (call{}) {
			one = fmt.Sprintf("main goroutine, in %v [%s]%s", where, state, below)
		}
		if count[one]++; count[one] == 1 {
			list = append(list, one)
			functions = append(functions, outermost.function+" "+where.function)
		}
	}
	more := ""
	if len(list) > most {
		more = fmt.Sprintf("; and in %d more places", len(list)-most)
		list = list[:most]
	}
	for i, one := range list {
		switch n := count[one]; {
		case one[0] != ' ':
		case n == 1:
			list[i] = "goroutine" + one
		default:
			list[i] = fmt.Sprintf("%d goroutines", n) + one
		}
	}
	slices.Sort(functions)
	return strings.Join(list, "; ") + more, strings.Join(slices.Compact(functions), "; ")
}

// unsaved tells of the first of the calls that is one of a function which is not rewritten: where a
// goroutine waits below of it, it can't join.
func unsaved(calls []call) string {
	for _, c := range calls {
		if shadow.FunctionByName(c.function) == nil && !shadow.PassesOn(c.function) && !strings.HasPrefix(c.function, "runtime.") {
			return ", below " + c.function + ", which is not rewritten"
		}
	}
	return ""
}
