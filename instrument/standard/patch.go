package standard

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed _patches
var files embed.FS

// A change is another text for a part of a line.
type change struct {
	from, to string // $0 in to is what stood there
	times    int    // how often it occurs
}

// changes are made to the files of the standard library, by import path and base name. What is in
// the folder _patches under the same name, after its package clause and imports, is added at the
// end of the file, if there is any.
var changes = map[string][]change{
	// What was compiled for a type is not saved with what is known of it, and the process that goes
	// on can be in the middle of it.
	"encoding/gob/encode.go": {{"state.enc.encodeStruct(state.b, enc, sv)", "if enc == nil { enc = getEncEngine(userType(sv.Type()), nil) }; $0", 1}},
	"iter/iter.go": {
		{"(seq Seq[V]) (next func() (V, bool), stop func()) {", "$0 if !off() { return pullSaved(\"iter.Pull\", seq) };", 1},
		{"(seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {", "$0 if !off() { return pull2Saved(seq) };", 1},
		{"// then next (or stop) itself panics with the same value.", "//ckp:asis", 2},
	},
	"log/slog/value.go": nil,
	// Whatever waits for the lock that these share with the goroutine in which signals come, which
	// belongs to the process, does not do so for long.
	"os/signal/signal.go": {
		{"\n\n// Stop relaying the signals,", "\n//ckp:asis\n// Stop relaying the signals,", 1},
		{"\n\n// Notify causes package signal", "\n//ckp:asis\n// Notify causes package signal", 1},
		{"\n\n// Stop causes package signal", "\n//ckp:asis\n// Stop causes package signal", 1},
		{"\n\nfunc process(", "\n//ckp:asis\nfunc process(", 1},
	},
	// What a call becomes at which a goroutine waits is in a package that imports this one. By a method
	// expression it is none.
	"reflect/iter.go": {{"value, ok := v.Recv(); ok; value, ok = v.Recv()", "value, ok := Value.Recv(v); ok; value, ok = Value.Recv(v)", 1}},
	// To go on, a method calls a function again that has its parameters already: it needs arguments
	// of the right types. A checkpoint that is taken below a function that MakeFunc has made leaves
	// it with no results.
	"reflect/value.go": {
		{"return v.call(\"Call\", in)", "f, args := settled(v, in); return f.call(\"Call\", args)", 1},
		{"return v.call(\"CallSlice\", in)", "f, args := settled(v, in); return f.call(\"CallSlice\", args)", 1},
		{"func (v Value) call(op string, in []Value) []Value {", "$0 if in == nil { in = zeroArguments(v.Type(), op) };", 1},
		{"\tout := f(in)\n", "\tout, returned := callMade(f, in); if !returned { out = zeroResults(ftyp) }\n", 1},
	},
	"sort/slice.go": {{"reflectlite.Swapper(x)", "swapper(x)", 2}},
	"sync/map.go":   {{"m.m.Range(f)", "m.rangeOver(f)", 1}},
	// It returns with preemption disabled: whoever waits for anything then, as package shadow may,
	// ends the program.
	"sync/pool.go": {{"\n\nfunc (p *Pool) pinSlow() ", "\n//ckp:asis\nfunc (p *Pool) pinSlow() ", 1}},

	"testing/testing.go": {
		{"func (m *M) Run() (code int) {", "$0 if m.ckpgenStarted() { return ckpgenExit };", 1},
		{"\t\tcode = m.exitCode\n", "\t\tcode = m.exitCode; ckpgenExit = code\n", 1},
		{"race.Errors()", "racesFound()", 5},
		{"m.deps.SetPanicOnExit0(true)", "$0; ckpgenProcess.panics = m", 1},
		{"m.deps.SetPanicOnExit0(false)", "$0; ckpgenProcess.panics = nil", 1},
		{"already-created bubble.\n//\n", "already-created bubble.\n//ckp:asis\n", 1},
		{"func testingSynctestTest(t *T, f func(*T)) (ok bool) {", "$0 if CkpgenBubble != nil { CkpgenBubble(1); defer CkpgenBubble(-1) };", 1},
		{"creator:    pc[:n],", "creator:    fromText(pc[:n]),", 2},
		{"cleanupPc := pc[:n]", "cleanupPc := fromText(pc[:n])", 1},
		{"runtime.CallersFrames(c.cleanupPc)", "runtime.CallersFrames(inText(c.cleanupPc))", 1},
		{"runtime.CallersFrames(c.creator)", "runtime.CallersFrames(inText(c.creator))", 1},
		{"if _, found := c.helperPCs[pc[0]]; !found {", "fromText(pc[:]); $0", 1},
		{"c.helperNames[pcToName(pc)]", "c.helperNames[pcToName(pc+textStart())]", 1},
	},
	"testing/allocs.go": {
		{"\tdefer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))\n", "ckpgenMeasure(1); defer ckpgenMeasure(-1); $0", 1},
		{"runtime.ReadMemStats(", "readMemStats(", 2},
	},
	"testing/benchmark.go": {
		{"creator: pc[:n],", "creator: fromText(pc[:n]),", 1},
		{"runtime.ReadMemStats(", "readMemStats(", 3},
	},
	"testing/fuzz.go": {
		{"if _, found := f.helperPCs[pc[0]]; !found {", "fromText(pc[:]); $0", 1},
		{"creator:   pc[:n],", "creator:   fromText(pc[:n]),", 1},
	},
	"testing/run_example.go": {{"func runExample(eg InternalExample) (ok bool) {", "$0 if !off() { return runExampleToFile(eg) };", 1}},
}

// Patched reports whether a file of a package, given by its base name, is written differently.
func Patched(pkg, file string) bool {
	_, ok := changes[path.Join(pkg, file)]
	return ok
}

// Two directives may stand above functions there.
const (
	// AsIs is that of a function that is not rewritten.
	AsIs = "ckp:asis"
	// Off is that of a function with a result, which becomes whether there are no checkpoints.
	Off = "ckp:off"
)

// Patch returns the text of a file of a package in the form in which it is analysed and
// rewritten. The error says that the file is not the one that is known.
func Patch(pkg, file string, text []byte) ([]byte, error) {
	name := path.Join(pkg, file)
	list, ok := changes[name]
	if !ok {
		return text, nil
	}
	s := string(text)
	for _, c := range list {
		if n := strings.Count(s, c.from); n != c.times {
			return nil, fmt.Errorf("%s has %q %d times, and not %d times as in the version of Go that is known here", name, c.from, n, c.times)
		}
		s = strings.ReplaceAll(s, c.from, strings.ReplaceAll(c.to, "$0", c.from))
	}
	added, err := files.ReadFile("_patches/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		return []byte(s), nil
	}
	if err != nil {
		return nil, fmt.Errorf("patch of %s: %w", name, err)
	}
	_, declarations, ok := strings.Cut(string(added), "\n// Added:\n")
	if !ok {
		return nil, fmt.Errorf("patch of %s: no line says what is added", name)
	}
	return []byte(strings.TrimRight(s, "\n") + "\n" + declarations), nil
}
