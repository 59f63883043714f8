package shadow

import "runtime"

// A Refusal says why a checkpoint can't be taken here: an activation between
// the root and the checkpoint call was not rewritten, so its frame can't be
// saved.
type Refusal struct {
	Function string   // the function that is in the way
	File     string   // where it is being executed
	Line     int      // in File
	Path     []string // runtime names from the root to the checkpoint call
}

// Error names the function, its position and the call path.
func (r *Refusal) Error() string {
	s := "no checkpoint can be taken here: " + r.Function + " (" + r.File + ":" + itoa(r.Line) + ") is on the stack and was not rewritten; call path: "
	for i, f := range r.Path {
		if i > 0 {
			s += " -> "
		}
		s += f
	}
	return s + "; 'ckpgen vet' lists such paths"
}

// CheckStack looks at the stack of the calling goroutine and returns a *Refusal
// if an activation between root (the runtime name of the function that calls
// the instrumented program) and the checkpoint call can't be saved, and nil if
// all can. skip is the number of activations above CheckStack that belong to the
// checkpoint call: 1 for the function that calls CheckStack alone.
func CheckStack(root string, skip int) error {
	pcs := make([]uintptr, 64)
	n := runtime.Callers(skip+1, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 2*len(pcs))
		n = runtime.Callers(skip+1, pcs)
	}
	frames := runtime.CallersFrames(pcs[:n])
	var refusal *Refusal
	var path []string
	for {
		fr, more := frames.Next()
		if fr.Function == root {
			if refusal == nil {
				return nil
			}
			refusal.Path = reversed(path)
			return refusal
		}
		path = append(path, fr.Function)
		if refusal == nil && FunctionByName(fr.Function) == nil {
			refusal = &Refusal{Function: fr.Function, File: fr.File, Line: fr.Line}
		}
		if !more {
			break
		}
	}
	if refusal == nil {
		refusal = &Refusal{Function: root}
	}
	refusal.Path = reversed(path)
	return refusal
}

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
