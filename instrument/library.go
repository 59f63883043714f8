package instrument

import (
	"cmp"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// library is the state that packages of the standard library keep for the program as a whole, and
// that is saved if the program links them. What the standard library has in other variables is
// initialised anew in each process, or bound by name. Arguments, standard streams, environment and
// so on are package ckp's business.
var library = []libraryState{
	// Main does not run from its start again, and so does not parse the flags again.
	{path: "flag", name: "CommandLine", pointer: "&%s.CommandLine"},
	{path: "flag", name: "Usage", pointer: "&%s.Usage"},
	{path: "log", name: "Default", pointer: "%s.Default()"},
	{path: "log/slog", name: "defaultLogger", setters: []string{"SetDefault", "SetLogLoggerLevel"}},
	{path: "log/slog", name: "logLoggerLevel", setters: []string{"SetDefault", "SetLogLoggerLevel"}},
	{path: "math/rand", name: "globalRandGenerator", setters: []string{"Seed"}},
	// What the program holds is registered there, by packages of any kind while they are
	// initialised.
	{path: "expvar", name: "vars", setters: []string{"Publish", "NewInt", "NewFloat", "NewMap", "NewString"}},

	{path: "archive/zip", name: "compressors", registers: []string{"RegisterCompressor"}},
	{path: "archive/zip", name: "decompressors", registers: []string{"RegisterDecompressor"}},
	{path: "crypto", name: "hashes", registers: []string{"RegisterHash"}},
	{path: "database/sql", name: "drivers", registers: []string{"Register"}},
	{path: "encoding/gob", name: "concreteTypeToName", registers: []string{"Register", "RegisterName"}},
	{path: "encoding/gob", name: "nameToConcreteType", registers: []string{"Register", "RegisterName"}},
	// Types have numbers, which encoders and decoders go by. The programs that encode are made
	// anew.
	{path: "encoding/gob", name: "idToTypeSlice", registers: []string{"NewEncoder", "NewDecoder"}},
	{path: "encoding/gob", name: "typeInfoMap", registers: []string{"NewEncoder", "NewDecoder"}, transient: "typeInfo.encoder"},
	{path: "encoding/gob", name: "types", registers: []string{"NewEncoder", "NewDecoder"}},
	{path: "image", name: "atomicFormats", registers: []string{"RegisterFormat"}},
	{path: "mime", name: "extensions", registers: []string{"AddExtensionType"}},
	{path: "mime", name: "mimeTypes", registers: []string{"AddExtensionType"}},
	{path: "mime", name: "mimeTypesLower", registers: []string{"AddExtensionType"}},
	{path: "mime", name: "once", registers: []string{"AddExtensionType"}},
	{path: "net/http", name: "DefaultServeMux", pointer: "%s.DefaultServeMux", registers: []string{"Handle", "HandleFunc", "DefaultServeMux"}},
	// The channels that are notified of signals. One of them is package ckp's own, and the
	// operating system has to be asked again.
	{path: "os/signal", name: "handlers", setters: []string{"Notify", "NotifyContext"}, visitor: signalHandlers, hook: "Signals", more: "CkpgenFirst"},
	{path: "net/rpc", name: "DefaultServer", pointer: "%s.DefaultServer", registers: []string{"Register", "RegisterName", "DefaultServer"}},
}

// preparations are calls by which packages of the standard library set up tables at their first
// use: in constructors, which a process that goes on does not call again, while what they have
// constructed needs the tables. The verb is for the name of the package.
var preparations = map[string]string{
	"hash/crc32":     "%[1]s.MakeTable(%[1]s.IEEE); %[1]s.MakeTable(%[1]s.Castagnoli)",
	"compress/flate": "%[1]s.NewReader(nil)",
	"crypto/des":     "%[1]s.NewCipher(make([]byte, 8))",
}

// preparationsFor returns the calls for those of the packages that need them.
func preparationsFor(importable []*types.Package) []rewrite.Statements {
	var list []rewrite.Statements
	for _, pkg := range importable {
		if text := preparations[pkg.Path()]; text != "" {
			list = append(list, rewrite.Statements{Package: pkg, Text: text})
		}
	}
	return list
}

// A libraryState is a variable of the standard library.
type libraryState struct {
	path, name string
	// pointer is an expression for a pointer to it, with a verb for the name of the package. If it
	// is empty, the package does not tell: it is given one more file, which does. That file is the
	// same for all programs, so that the package is compiled once.
	pointer string
	// setters are functions by which the program, or a module that it requires, changes it.
	setters []string
	// registers are such functions, too, or the variable itself, that do not matter in modules
	// which use them while they are initialised only: they do so in each process. If both are nil,
	// it changes in any case.
	registers []string
	// transient is a field of a type of the package that is not saved.
	transient string
	// visitor is the text of the file that the package is given if the variable is not saved as it
	// is. It has a function with the name of the accessor, which the function hook of package ckp
	// is called with.
	visitor, hook string
	// more is another function of that file, which hook is called with, too.
	more string
}

// signalHandlers goes over what signal.Notify has been called with, and has signals looked at
// before these channels are notified.
const signalHandlers = `
import (
	"os"
	"sync/atomic"
	"syscall"
)

var ckpgenFirst atomic.Pointer[func(os.Signal) bool]

// CkpgenFirst has take called with each signal. No channel is notified of it if that returns true.
func CkpgenFirst(take func(os.Signal) bool) {
	ckpgenFirst.Store(&take)
	watchSignalLoop = ckpgenLoop
}

// ckpgenLoop is loop with that.
func ckpgenLoop() {
	for {
		s := syscall.Signal(signal_recv())
		if !(*ckpgenFirst.Load())(s) {
			process(s)
		}
	}
}

// CkpgenHandlers calls f with each channel that is notified of signals, and with these.
func CkpgenHandlers(f func(c chan<- os.Signal, signals []os.Signal)) {
	handlers.Lock()
	defer handlers.Unlock()
	for c, h := range handlers.m {
		var signals []os.Signal
		for n := range numSig {
			if h.want(n) {
				signals = append(signals, syscall.Signal(n))
			}
		}
		f(c, signals)
	}
}
`

// changed reports whether a program changes the variable.
func (l *libraryState) changed(a *Analysis) bool {
	switch {
	case l.setters != nil:
		return a.uses(l.path, l.setters, true)
	case l.registers != nil:
		return a.uses(l.path, l.registers, false) || a.Closure.RunsLate(l.path, l.registers...)
	}
	return true
}

// accessor is the name of the function in the file that a package is given.
func (l *libraryState) accessor() string {
	r := []rune(l.name)
	return "Ckpgen" + string(unicode.ToUpper(r[0])) + string(r[1:])
}

const accessorFile = "ckpgen_state.go"

// librariesOf fills in the state that is to be saved of the packages that in.Standard names, which
// the main package of a program may import, and returns the files that they are given for that. Of
// a program that is built by the go command alone (OwnOnly) they can't be given any: unsaved are
// the packages that would need one.
func (a *Analysis) librariesOf(in *rewrite.Input, s *state) (files map[string][]byte, unsaved []string, err error) {
	importable := in.Standard
	byPath := make(map[string]*types.Package)
	for _, pkg := range importable {
		byPath[pkg.Path()] = pkg
	}
	files = make(map[string][]byte)
	for _, l := range library {
		pkg := byPath[l.path]
		if pkg == nil || s.leaves(l.path, l.name) || !l.changed(a) {
			continue
		}
		v := rewrite.StandardVariable{Package: pkg, Name: l.name, Pointer: l.pointer, Object: l.pointer == "%s."+l.name}
		if l.transient != "" {
			v.Transient = l.path + "." + l.transient
		}
		if l.pointer == "" {
			if a.OwnOnly {
				if len(unsaved) == 0 || unsaved[len(unsaved)-1] != l.path {
					unsaved = append(unsaved, l.path)
				}
				continue
			}
			name, text, err := a.accessors(l.path)
			if err != nil {
				return nil, nil, err
			}
			files[name] = text
			v.Pointer = "%s." + l.accessor() + "()"
		}
		if l.hook != "" {
			in.Hooks = append(in.Hooks, rewrite.Statements{Package: pkg, Text: "%[3]s." + l.hook + "(%[1]s." + l.accessor() + ", %[1]s." + l.more + ")"})
			continue
		}
		in.StandardState = append(in.StandardState, v)
	}
	in.StandardState = append(in.StandardState, a.assigned(byPath, in.StandardState, s)...)
	in.Preparations, in.Singletons = preparationsFor(importable), a.singletonsFor(importable)
	return files, unsaved, nil
}

// assigned returns the exported variables that the program gives other values, except those that
// are in the list and those that package ckp saves. They need no file. What they held before is the
// process's own, as it is where a variable keeps its value, unless the program has changed that,
// too, or it is in the list itself.
func (a *Analysis) assigned(importable map[string]*types.Package, except []rewrite.StandardVariable, s *state) []rewrite.StandardVariable {
	known := map[string]bool{"os.Args": true, "os.Stdin": true, "os.Stdout": true, "os.Stderr": true, "time.Local": true}
	objects := make(map[string]bool)
	for _, v := range except {
		if v.Object {
			objects[v.Package.Path()+"."+v.Name] = true
		} else {
			known[v.Package.Path()+"."+v.Name] = true
		}
	}
	var list []rewrite.StandardVariable
	for v, how := range a.Closure.Assigned() {
		path := v.Pkg().Path()
		if pkg := importable[path]; pkg != nil && !known[path+"."+v.Name()] && !s.leaves(path, v.Name()) {
			_, whole := v.Type().Underlying().(*types.Struct)
			initial := !how.Within && !how.Initially && !whole && !objects[path+"."+v.Name()]
			list = append(list, rewrite.StandardVariable{Package: pkg, Name: v.Name(), Pointer: "&%s." + v.Name(), Initial: initial})
		}
	}
	slices.SortFunc(list, func(v, w rewrite.StandardVariable) int {
		return cmp.Or(cmp.Compare(v.Package.Path(), w.Package.Path()), cmp.Compare(v.Name, w.Name))
	})
	return list
}

// uses reports whether the user's packages use one of the functions or variables of another one,
// which belongs to the standard library, or packages of other modules do, if they count.
func (a *Analysis) uses(path string, names []string, modules bool) bool {
	if a.used == nil {
		a.used = make(map[types.Object]bool)
		keeping := make(map[*types.Package]bool)
		for _, l := range library {
			if pkg := a.Program.Package(l.path); pkg != nil {
				keeping[pkg.Types] = true
			}
		}
		for _, pkg := range a.Program.All {
			own := load.Own(pkg)
			if pkg.TypesInfo == nil || !own && !load.Dependency(pkg) {
				continue
			}
			for _, obj := range pkg.TypesInfo.Uses {
				if keeping[obj.Pkg()] && obj.Parent() == obj.Pkg().Scope() {
					a.used[obj] = a.used[obj] || own
				}
			}
		}
	}
	pkg := a.Program.Package(path)
	if pkg == nil {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool {
		own, used := a.used[pkg.Types.Scope().Lookup(name)]
		return own || used && modules
	})
}

// accessors returns the file that a package of the standard library is given.
func (a *Analysis) accessors(path string) (name string, text []byte, err error) {
	var pkg *packages.Package
	for _, p := range a.Program.All {
		if p.PkgPath == path && !load.Variant(p) {
			pkg = p
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// Code generated by ckpgen; DO NOT EDIT.\n\npackage %s\n", pkg.Name)
	for _, l := range library {
		if l.path != path || l.pointer != "" {
			continue
		}
		if _, ok := pkg.Types.Scope().Lookup(l.name).(*types.Var); !ok {
			return "", nil, fmt.Errorf("package %s of this version of Go has no variable %s, which the program changes by %s; get a newer ckpgen for it, or leave it out by a line //ckp:transient %s.%s",
				path, l.name, strings.Join(append(l.setters, l.registers...), " or "), path, l.name)
		}
		if l.visitor != "" {
			b.WriteString(l.visitor)
			continue
		}
		fmt.Fprintf(&b, "\n// %s returns a pointer to %s, which is a part of checkpoints.\nfunc %s() any { return &%s }\n", l.accessor(), l.name, l.accessor(), l.name)
	}
	return filepath.Join(pkg.Dir, accessorFile), []byte(b.String()), nil
}
