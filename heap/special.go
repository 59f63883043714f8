package heap

import (
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"
)

// The types of the standard library whose meaning is not in their bytes.

var (
	typeOfTime    = reflect.TypeFor[time.Time]()
	typeOfSyncMap = reflect.TypeFor[sync.Map]() // in the image: a struct of one map[any]any
	typeOfEntries = reflect.TypeFor[map[any]any]()
	typeOfPool    = reflect.TypeFor[sync.Pool]()
	typeOfCond    = reflect.TypeFor[sync.Cond]()
)

// isA reports whether a type is a struct type of the standard library that has unexported fields,
// or one that is declared as that, as in type stamp time.Time: no other has its fields.
func isA(rt, known reflect.Type) bool {
	return rt == known || rt.Kind() == reflect.Struct && rt.Size() == known.Size() && rt.ConvertibleTo(known)
}

func isSyncMap(rt reflect.Type) bool { return isA(rt, typeOfSyncMap) }

// restated reports whether values of a type have other fields in images than in memory.
func (pl *planner) restated(rt reflect.Type) bool {
	return isSyncMap(rt) || isTimer(rt) || isFile(rt) || pl.iterates(rt)
}

// translated tells the same of a type as this image has it.
func (pl *planner) translated(rt reflect.Type) bool { return pl.restated(rt) || pl.foreign[rt] != nil }

// syncMapEntries copies a sync.Map, which hashes with a seed of the process.
func syncMapEntries(m *sync.Map) map[any]any {
	entries := make(map[any]any)
	m.Range(func(key, value any) bool {
		entries[key] = value
		return true
	})
	return entries
}

// isCache reports whether maps of a type hold nothing but what is made again when it is missing:
// they are empty in the image. A gob.Decoder keeps so what it has compiled for a type, which are
// func values that can't be saved unless encoding/gob is rewritten.
func isCache(rt reflect.Type) bool {
	if elem := rt.Elem(); elem.Kind() == reflect.Pointer && elem.Elem().Kind() == reflect.Pointer {
		return genericOf(elem.Elem().Elem()) == "encoding/gob.decEngine"
	}
	return false
}

// fieldType returns the type that a field is treated as: sync/atomic.Pointer
// hides a typed pointer behind an unsafe one, and so does weak.Pointer.
func fieldType(parent reflect.Type, f reflect.StructField) reflect.Type {
	if f.Type.Kind() == reflect.UnsafePointer && f.PkgPath == "sync/atomic" && parent.NumField() > 0 {
		if first := parent.Field(0).Type; first.Kind() == reflect.Array && first.Elem().Kind() == reflect.Pointer {
			return first.Elem()
		}
	}
	if isWeak(parent) && f.Type.Kind() == reflect.UnsafePointer {
		return weakTarget(parent)
	}
	return f.Type
}

// refused returns why values of a type, other than zero, can't be saved, or "".
func refused(rt reflect.Type) string {
	if rt.PkgPath() == "" {
		return ""
	}
	if isLock(rt) && !locksKnown() {
		return "this version of Go keeps locks in a way that is not known; unlock it before the checkpoint"
	}
	if isHandle(rt) && remakerOf(rt) == nil {
		if genericOf(rt) != "unique.Handle" {
			return "a type declared as unique.Handle can't be remade in another process; declare an alias, or a struct with the handle"
		}
		return noRemaker
	}
	if isWeakPointer(rt) && !weakKnown() {
		return "this version of Go keeps weak pointers in a way that is not known"
	}
	switch genericOf(rt) {
	case "os.File", "os.file":
		if innerFile == nil {
			return "this version of Go keeps files in a way that is not known; close it before the checkpoint and open it again afterwards"
		}
	case "os.Root", "os.root":
		if innerRoot == nil {
			return "this version of Go keeps roots in a way that is not known; close it before the checkpoint and open it again afterwards"
		}
	case "internal/poll.FD", "net.netFD", "net.conn", "net.TCPConn", "net.UDPConn", "net.UnixConn", "net.IPConn",
		"net.TCPListener", "net.UnixListener", "crypto/tls.Conn":
		return "an open descriptor belongs to the process; close it before the checkpoint and open it again afterwards"
	case "os.Process":
		if !processesKnown() {
			return "a child process can't be taken along"
		}
	case "hash/maphash.Seed":
		if _, ok := rt.MethodByName("SavedByCkpgen"); !ok { // ckpgen build adds it
			return "package hash/maphash computes other hashes in each process; build the program with ckpgen build"
		}
	case "internal/runtime/maps.Iter":
		if !iteratorsKnown() {
			return unknownIterators
		}
	case "runtime.Frames":
		if !framesKnown() {
			return "this version of Go keeps the frames of a stack in a way that is not known"
		}
	case "runtime.Pinner", "runtime.Func", "plugin.Plugin":
		return "it belongs to the runtime of the process"
	}
	return ""
}

var (
	typeOfCleanup = reflect.TypeFor[runtime.Cleanup]()
	typeOfFrame   = reflect.TypeFor[runtime.Frame]()
)

// kept returns which fields of a struct type are saved, or nil for all.
func (pl *planner) kept(rt reflect.Type) func(field string) bool {
	if left := pl.transient[genericOf(rt)]; left != nil && rt.Name() != "" {
		return func(field string) bool { return !left[field] }
	}
	if of := processFields(rt); len(of) > 0 {
		return func(field string) bool { return !slices.Contains(of, field) }
	}
	if rt == typeOfProcess {
		return processField
	}
	if isA(rt, typeOfCleanup) { // a new process has none of the program's cleanups; to stop a zero one does nothing
		return func(string) bool { return false }
	}
	if rt == typeOfFrame { // the innards are for profiles, which a frame has a name for without them, and for a runtime.Frames, which is saved with what it would ask them
		return func(field string) bool { return field != "funcInfo" }
	}
	if rt == typeOfFrames {
		return func(field string) bool { return field == "frames" }
	}
	if isA(rt, typeOfPool) { // what it holds may be dropped at any time
		return func(field string) bool { return field == "New" }
	}
	if isA(rt, typeOfCond) { // checker is the address of the Cond itself; nobody waits at a checkpoint
		return func(field string) bool { return field == "L" }
	}
	return nil
}

// clears returns the bytes of a type that are zero in the image although they
// are not in memory.
func (pl *planner) clears(rt reflect.Type, t *Type) []span {
	var spans []span
	switch rt.Kind() {
	case reflect.Array:
		one := pl.clears(rt.Elem(), t.Elem)
		if len(one) > 0 {
			for i := range rt.Len() {
				for _, s := range one {
					spans = append(spans, span{s.off + uintptr(uint64(i)*t.Elem.size), s.len})
				}
			}
		}
	case reflect.Struct:
		if pl.translated(rt) {
			return nil
		}
		keep := pl.kept(rt)
		for i := range t.Fields {
			f := t.Fields[i]
			if keep != nil && !keep(f.Name) {
				spans = append(spans, span{uintptr(f.off), uintptr(f.Type.size)})
				continue
			}
			for _, s := range pl.clears(fieldType(rt, rt.Field(i)), f.Type) {
				spans = append(spans, span{s.off + uintptr(f.off), s.len})
			}
		}
	}
	return spans
}

// appendValues finds the values of certain types in a value.
func (pl *planner) appendValues(s []slot, p *plan, off uintptr, wire uint64, wanted func(reflect.Type) bool) []slot {
	switch {
	case wanted(p.rt):
		return append(s, slot{off: off, wire: wire, target: p})
	case p.rt.Kind() == reflect.Array && p.Len > 0:
		one := pl.appendValues(nil, p.elem, off, wire, wanted)
		for i := range p.Len {
			for _, t := range one {
				s = append(s, slot{off: t.off + uintptr(i)*p.elem.native, wire: t.wire + uint64(i)*p.elem.size, target: t.target})
			}
			if one == nil {
				break
			}
		}
	case p.rt.Kind() == reflect.Struct && !pl.translated(p.rt):
		keep := pl.kept(p.rt)
		for i := range p.Fields {
			f := p.rt.Field(i)
			if keep == nil || keep(f.Name) {
				s = pl.appendValues(s, pl.plans[fieldType(p.rt, f)], off+f.Offset, wire+p.Fields[i].off, wanted)
			}
		}
	}
	return s
}
