package shadow

import (
	"runtime"
	"sync/atomic"
)

// A Refusal says why a checkpoint can't be taken here: an activation between
// the root and the checkpoint call was not rewritten, so its frame can't be
// saved.
type Refusal struct {
	Function string   // the function that is in the way
	File     string   // where it is being executed
	Line     int      // in File
	Path     []string // functions from the root to the checkpoint call
	// Unforeseen is set if the function was rewritten, but the precompiler did not see that it can
	// reach a checkpoint from that line: it calls a function that it got from package reflect, say.
	Unforeseen bool
	// Reflected is set if the function may have been called by package reflect.
	Reflected bool
	// Root is set if a goroutine has nothing but the checkpoint call on its stack.
	Root bool
}

// generated is the file name of code that has no line in the user's source. Since Go 1.27 the
// compiler puts the folder of the file before it.
const generated = "<ckpgen>"

// IsGenerated reports whether code of a file that the runtime names has no line in the user's
// source.
func IsGenerated(file string) bool {
	before, found := cutSuffix(file, generated)
	return found && (before == "" || before[len(before)-1] == '/' || before[len(before)-1] == '\\')
}

// Error names the function, its position and the call path.
func (r *Refusal) Error() string {
	if r.Root {
		return "no checkpoint can be taken here: the goroutine begins with the checkpoint call itself, which has no frame; start it with a function literal that makes the call"
	}
	s := "no checkpoint can be taken here: " + r.Function + " (" + r.File + ":" + itoa(r.Line) + ") is on the stack and "
	if r.Unforeseen {
		s += "calls there what can't be seen in its source, such as a function that comes from package reflect; call path: "
	} else if r.Reflected {
		s += "is of the type that reflect.MakeFunc takes, below which no frame can be saved; call path: "
	} else {
		s += "was not rewritten; call path: "
	}
	return s + collapsed(r.Path) + "; 'ckpgen vet' lists such paths; if the program was built for the functions that were measured to be on stacks, measure again"
}

// collapsed joins the functions of a call path. Of what is repeated, as recursion does, it shows
// the first round and tells how many follow.
func collapsed(path []string) string {
	s := ""
	for i := 0; i < len(path); {
		length, rounds := repetition(path[i:])
		if i > 0 {
			s += " -> "
		}
		round := ""
		for k, f := range path[i : i+length] {
			if k > 0 {
				round += " -> "
			}
			round += f
		}
		s += round
		if rounds > 1 {
			s += " -> ... " + itoa(rounds-1) + " more of " + round
		}
		i += rounds * length
	}
	return s
}

// repetition returns the length of what a path repeats at its beginning, and how often it is there.
// Short paths are not worth it.
func repetition(path []string) (length, rounds int) {
	const longest = 8
	for length = 1; length <= longest && 2*length <= len(path); length++ {
		rounds = 1
		for end := (rounds + 1) * length; end <= len(path) && equal(path[:length], path[end-length:end]); end += length {
			rounds++
		}
		if (rounds-1)*length > 2 {
			return length, rounds
		}
	}
	return 1, 1
}

func equal(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// inspect walks the stack of the calling goroutine from the checkpoint call
// down to root and returns the activations that may push a frame. It
// returns a *Refusal if one of them can't. skip counts the activations above
// the caller of inspect that belong to the checkpoint call; those of this package and of
// package blocking need not be counted.
func inspect(skip int) ([]activation, error) {
	var few [16]uintptr
	if n := runtime.Callers(skip+3, few[:]); n < len(few) {
		return inspected(few, n)
	}
	pcs := make([]uintptr, 64)
	n := runtime.Callers(skip+3, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 2*len(pcs))
		n = runtime.Callers(skip+3, pcs)
	}
	return walk(pcs[:n])
}

// A knownStack is a stack that was found to be one that can be saved.
type knownStack struct {
	pcs   [16]uintptr
	found []activation
}

// known are the last of those, by a hash of where they are: programs with thousands of goroutines
// have them all in a few places.
var known [32]atomic.Pointer[knownStack]

// inspected is walk for a shallow stack.
func inspected(pcs [16]uintptr, n int) ([]activation, error) {
	hash := uintptr(n)
	for _, pc := range pcs[:n] {
		hash = hash*31 + pc
	}
	place := &known[hash%uintptr(len(known))]
	if k := place.Load(); k != nil && k.pcs == pcs {
		return k.found, nil
	}
	found, err := walk(append([]uintptr(nil), pcs[:n]...))
	if err == nil {
		place.Store(&knownStack{pcs, found})
	}
	return found, err
}

// walk is inspect for the stack with the given return addresses.
func walk(pcs []uintptr) ([]activation, error) {
	frames := runtime.CallersFrames(pcs)
	var refusal, again *Refusal
	var path []string
	var found []activation
	var inRest *Description // whose rest of an iteration was the last
	panicking, exits, entered, panics, deferred := false, false, false, 0, false
	for {
		fr, more := frames.Next()
		if deferred && fr.Func == nil {
			continue // see isDeferred
		}
		deferred = isDeferred(fr.Function)
		if !entered && isOperation(fr.Function) {
			if fr.Function == root {
				return nil, &Refusal{Root: true}
			}
			continue
		}
		entered = true
		if again != nil {
			if fr.Function != exitInside && refusal == nil {
				refusal = again
			}
			again = nil
		}
		if fr.Function == root {
			if refusal == nil {
				return found, nil
			}
			refusal.Path = reversed(path)
			return nil, refusal
		}
		fn := FunctionByName(fr.Function)
		if fn != nil && fn == inRest && fr.Function == fn.Name {
			inRest = nil // the same activation
			continue
		}
		inRest = nil
		if fn != nil && fr.Function == fn.Rest {
			inRest = fn
		}
		path = append(path, title(fr.Function, fn))
		switch {
		case PassesOn(fr.Function):
		case fr.Function == "runtime.gopanic":
			panicking = true
			panics++
		case fr.Function == "runtime.Goexit":
			panicking, exits = true, true
			panics++
		case fn != nil && fn.Reflected && FunctionByName(callOfMade) == nil:
			if refusal == nil {
				refusal = &Refusal{Function: title(fr.Function, fn), File: fr.File, Line: fr.Line, Reflected: true}
			}
		case fn != nil && fn.Passes:
		case fn != nil && !panicking && !exits && len(found) > 0 && !fn.Defers && !IsGenerated(fr.File) && !fn.at(fr.Line):
			if refusal == nil {
				refusal = &Refusal{Function: title(fr.Function, fn), File: fr.File, Line: fr.Line, Unforeseen: true}
			}
		case fn != nil:
			if fn.Defers || !exits {
				found = append(found, activation{fn.Name, fn.Defers, panics, exits})
			}
			if fn.Defers {
				panicking = false
			}
		case panicking:
		case isAgain(fr.Function):
			again = &Refusal{Function: title(fr.Function, fn), File: fr.File, Line: fr.Line} // unless ExitInside has called it
		case refusal == nil:
			refusal = &Refusal{Function: title(fr.Function, fn), File: fr.File, Line: fr.Line}
		}
		if !more {
			break
		}
	}
	if refusal == nil {
		refusal = &Refusal{Function: root}
	}
	refusal.Path = reversed(path)
	return nil, refusal
}

// title returns what people know a function by.
func title(name string, fn *Description) string {
	if fn != nil {
		return fn.String()
	}
	return Readable(name)
}

// PassesOn reports whether name is code that is no function of the program and has no variables
// that a frame would have to hold: it calls what it was handed.
func PassesOn(name string) bool {
	switch name {
	case exitInside, exitRoot, withArgument, callByAssembly:
		return true
	}
	return isBinding(name)
}

// isBinding reports whether name is the code that the compiler makes for the
// method value of a generic closure environment: it passes the call on and has
// no variables of its own.
func isBinding(name string) bool {
	_, binds := cutSuffix(name, "[...]).bind.func1")
	return binds
}

// What calls functions again that have called runtime.Goexit. It has no variables of its own
// either.
const (
	exitInside = library + "ExitInside"
	exitRoot   = library + "exitAtRoot"
)

// callByAssembly is what the methods of reflect.Value call by which a program has a function called.
// It has nothing but the function and the arguments, which these have, too. If they are not rewritten,
// they are in the way.
const callByAssembly = "reflect.Value.call"

// callOfMade is what calls the functions below those that reflect.MakeFunc has made, if package
// reflect was rewritten. If it was not, none is seen on a stack that would be in the way.
const callOfMade = "reflect.callMade"

// withArgument is the function that With returns.
const withArgument = library + "With[...].func1"

// With returns a program that calls f with arg. It can lie below the root of a goroutine: f has its
// parameter in its own frame.
//
//go:noinline
func With[T any](f func(T), arg T) func() { return func() { f(arg) } }

// isDeferred reports whether name is a method that is written for a deferred call: it is called by
// the function that has deferred it, which is not inlined. After a panic was recovered this
// function makes the calls that are left in code whose position is that of whatever precedes it,
// such as of an inlined function that has returned long ago.
func isDeferred(name string) bool {
	end := len(name)
	for end > 0 && '0' <= name[end-1] && name[end-1] <= '9' {
		end--
	}
	kind, ok := cutSuffix(name[:end], ").run")
	if !ok {
		kind, ok = cutSuffix(name[:end], ").call")
	}
	if !ok {
		return false
	}
	const mark = "_defer"
	for i := len(kind) - len(mark); i > 0 && kind[i] != '('; i-- {
		if hasPrefix(kind[i:], mark) {
			return true
		}
	}
	return false
}

func cutSuffix(s, suffix string) (before string, found bool) {
	if i := len(s) - len(suffix); i >= 0 && s[i:] == suffix {
		return s[:i], true
	}
	return s, false
}

// isAgain reports whether name may be the method Again of a frame.
func isAgain(name string) bool {
	_, again := cutSuffix(name, ").Again")
	return again
}

// isOperation reports whether name is a function of this package or of package
// blocking.
func isOperation(name string) bool {
	const parent = len(library) - len("shadow.")
	return hasPrefix(name, library) || hasPrefix(name, library[:parent]+"blocking.")
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

func reversed(s []string) []string {
	r := make([]string, 0, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		r = append(r, s[i])
	}
	return r
}

func itoa(n int) string {
	if n == 0 {
		return "0"
	}
	var b [20]byte
	i := len(b)
	for ; n > 0; n /= 10 {
		i--
		b[i] = byte('0' + n%10)
	}
	return string(b[i:])
}
