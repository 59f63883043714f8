package blocking

import (
	"go/ast"
	"go/types"
)

// A Function of the standard library is replaced by one of the runtime, whose first
// argument is the receiver, if there is one.
type Function struct {
	Package string // of the replacement, below runtime/ckp
	Name    string
	Starts  bool // it starts a goroutine; else it waits
	Held    bool // its arguments must be what they were when the call is made again
	// Dynamic is set for the method of an interface: it is replaced where all that
	// can be called are functions of package sync.
	Dynamic bool
}

// functions are all that are replaced, by their full names.
var functions = map[string]*Function{
	"(*sync.Mutex).Lock":     {Package: "shadow", Name: "Lock", Held: true},
	"(*sync.RWMutex).Lock":   {Package: "shadow", Name: "Lock", Held: true},
	"(*sync.RWMutex).RLock":  {Package: "shadow", Name: "RLock", Held: true},
	"(*sync.WaitGroup).Wait": {Package: "shadow", Name: "Wait", Held: true},
	"(*sync.Cond).Wait":      {Package: "shadow", Name: "CondWait", Held: true},
	"(sync.Locker).Lock":     {Package: "shadow", Name: "LockAny", Held: true, Dynamic: true},
	"time.Sleep":             {Package: "blocking", Name: "Sleep"},
	"reflect.Select":         {Package: "blocking", Name: "Select", Held: true},
	"(reflect.Value).Send":   {Package: "blocking", Name: "Send", Held: true},
	"(reflect.Value).Recv":   {Package: "blocking", Name: "Recv", Held: true},

	"(*sync.WaitGroup).Go": {Package: "shadow", Name: "GoWait", Starts: true},
	"time.AfterFunc":       {Package: "blocking", Name: "AfterFunc", Starts: true},
}

// Starts reports whether a function or method starts a goroutine for the func value that is its
// last argument.
func Starts(f *types.Func) bool {
	of := ofLibrary(f)
	return of != nil && of.Starts
}

// Resets reports whether a method sets a timer again, which may be one that starts a goroutine.
func Resets(f *types.Func) bool {
	return f.Pkg() != nil && f.Pkg().Path() == "time" && f.Name() == "Reset" && f.FullName() == "(*time.Timer).Reset"
}

// Reflects reports whether a function or method is one of package reflect at which a goroutine
// waits.
func Reflects(f *types.Func) bool {
	return f.Pkg() != nil && f.Pkg().Path() == "reflect" && functions[f.FullName()] != nil
}

// ofLibrary returns the Function that a function or method is, or nil.
func ofLibrary(f *types.Func) *Function {
	if f.Pkg() == nil {
		return nil
	}
	switch f.Pkg().Path() {
	case "sync", "time", "reflect":
		return functions[f.FullName()]
	}
	return nil
}

// locks reports whether the function locks a mutex.
func (f *Function) locks() bool { return f.Name == "Lock" || f.Name == "RLock" || f.Name == "LockAny" }

// called returns the Function that a call calls by name, or nil.
func called(info *types.Info, call *ast.CallExpr) *Function {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident: // of a dot import
		id = fun
	case *ast.SelectorExpr:
		if s := info.Selections[fun]; s != nil && s.Kind() != types.MethodVal {
			return nil
		}
		id = fun.Sel
	default:
		return nil
	}
	if f, ok := info.Uses[id].(*types.Func); ok {
		return ofLibrary(f)
	}
	return nil
}
