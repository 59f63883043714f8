package closure

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"
)

// settings are functions of the standard library, and of golang.org/x/sys, by which a program sets
// something of its process, or of a file that it has open, that is not saved. What they tell
// packages of the standard library in other ways, package instrument has saved.
var settings = map[string]bool{
	"crypto/x509.SetFallbackRoots":      true,
	"golang.org/x/sys/unix.FcntlFlock":  true,
	"golang.org/x/sys/unix.Flock":       true,
	"golang.org/x/sys/unix.Setpriority": true,
	"golang.org/x/sys/unix.Setrlimit":   true,
	"golang.org/x/sys/unix.Umask":       true,
	"runtime.GOMAXPROCS":                true,
	"runtime.SetBlockProfileRate":       true,
	"runtime.SetCPUProfileRate":         true,
	"runtime.SetMutexProfileFraction":   true,
	"runtime/debug.SetCrashOutput":      true,
	"runtime/debug.SetPanicOnFault":     true,
	"runtime/debug.SetTraceback":        true,
	"runtime/pprof.NewProfile":          true,
	"runtime/pprof.StartCPUProfile":     true,
	"runtime/trace.Start":               true,
	"syscall.FcntlFlock":                true,
	"syscall.Flock":                     true,
	"syscall.Setpriority":               true,
	"syscall.Setrlimit":                 true,
	"syscall.Umask":                     true,
}

// sets reports whether a call sets something of the process, and does not only ask for it.
func sets(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	if fn == nil || !settings[fn.String()] {
		return false
	}
	if fn.Name() == "GOMAXPROCS" {
		c, ok := call.Args[0].(*ssa.Const)
		return !ok || constant.Sign(c.Value) > 0
	}
	return true
}
