package heap

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// typelinks is reflect's list of the types that the linker put into the
// binary: pointers, slices and other unnamed types. Named types are behind
// their pointers.
//
//go:linkname typelinks reflect.typelinks
func typelinks() (sections []unsafe.Pointer, offsets [][]int32)

// A finder finds types and functions of the binary by name.
type finder struct {
	found  map[*Type]reflect.Type
	making map[*Type]bool // types whose parts are being found
	limit  uint64         // bytes that values of all array types may have which are made
}

func newFinder() *finder {
	return &finder{found: make(map[*Type]reflect.Type), making: make(map[*Type]bool), limit: math.MaxUint64}
}

// linkedTypes lists all types that can be reached from typelinks. They do not change while the
// process runs.
var linkedTypes = sync.OnceValue(func() []reflect.Type {
	sections, offsets := typelinks()
	most := 0
	for _, of := range offsets {
		most += 3 * len(of) // without names, and as many with
	}
	var seen addressSet
	if len(sections) > 0 {
		seen.start = uintptr(sections[0])
	}
	list := make([]reflect.Type, 0, most)
	add := func(t reflect.Type) {
		if seen.add(uintptr(descriptor(t))) {
			list = append(list, t)
		}
	}
	for k := reflect.Bool; k <= reflect.UnsafePointer; k++ {
		if t := basic[k]; t != nil {
			add(t)
		}
	}
	for i, base := range sections {
		for _, off := range offsets[i] {
			add(described(unsafe.Add(base, int(off))))
		}
	}
	for i := 0; i < len(list); i++ {
		t := list[i]
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
			add(t.Elem())
		case reflect.Map:
			add(t.Elem())
			add(t.Key())
		case reflect.Struct:
			for _, f := range fieldsOf(t) {
				add(described(f.typ))
			}
		case reflect.Func:
			for i := range t.NumIn() {
				add(t.In(i))
			}
			for i := range t.NumOut() {
				add(t.Out(i))
			}
		}
	}
	return list
})

// namedTypes are the named, func, interface and array types among them, by name.
var namedTypes = sync.OnceValue(func() *nameIndex[reflect.Type] {
	return newNameIndex(typeText, len(linkedTypes()), func(add func(reflect.Type, string)) {
		for _, t := range linkedTypes() {
			if isNamed(t) || t.Kind() == reflect.Func || t.Kind() == reflect.Interface || t.Kind() == reflect.Array {
				add(t, typeText(t))
			}
		}
	})
})

// linkedStructs are the struct types without a name among them, by the names of their fields.
// Package reflect does not make those that have an embedded field whose name is not exported.
var linkedStructs = sync.OnceValue(func() *nameIndex[reflect.Type] {
	return newNameIndex(namesOfFields, 0, func(add func(reflect.Type, string)) {
		for _, t := range linkedTypes() {
			if t.Kind() == reflect.Struct && !isNamed(t) {
				add(t, namesOfFields(t))
			}
		}
	})
})

func namesOfFields(t reflect.Type) string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Name
	}
	return strings.Join(names, ", ")
}

// sameFields reports whether a struct type has these fields.
func sameFields(t reflect.Type, fields []reflect.StructField) bool {
	for i, f := range fields {
		g := t.Field(i)
		if f.Name != g.Name || f.Type != g.Type || f.Anonymous != g.Anonymous || f.PkgPath != g.PkgPath || f.Tag != g.Tag {
			return false
		}
	}
	return true
}

var basic = map[reflect.Kind]reflect.Type{
	reflect.Bool: reflect.TypeFor[bool](), reflect.Int: reflect.TypeFor[int](), reflect.Int8: reflect.TypeFor[int8](),
	reflect.Int16: reflect.TypeFor[int16](), reflect.Int32: reflect.TypeFor[int32](), reflect.Int64: reflect.TypeFor[int64](),
	reflect.Uint: reflect.TypeFor[uint](), reflect.Uint8: reflect.TypeFor[uint8](), reflect.Uint16: reflect.TypeFor[uint16](),
	reflect.Uint32: reflect.TypeFor[uint32](), reflect.Uint64: reflect.TypeFor[uint64](), reflect.Uintptr: reflect.TypeFor[uintptr](),
	reflect.Float32: reflect.TypeFor[float32](), reflect.Float64: reflect.TypeFor[float64](),
	reflect.Complex64: reflect.TypeFor[complex64](), reflect.Complex128: reflect.TypeFor[complex128](),
	reflect.String: reflect.TypeFor[string](), reflect.UnsafePointer: reflect.TypeFor[unsafe.Pointer](),
	reflect.Interface: reflect.TypeFor[any](),
}

// find returns the type of the program that has the name and structure of t.
func (f *finder) find(t *Type) (rt reflect.Type, err error) {
	if rt := f.found[t]; rt != nil {
		return rt, nil
	}
	if len(f.making) > maxDepth {
		return nil, fmt.Errorf("type %s is nested too deeply", t)
	}
	if f.making[t] {
		return nil, errors.New("a type without a name is part of itself, which package reflect can't make")
	}
	f.making[t] = true
	defer func() {
		delete(f.making, t)
		if e := recover(); e != nil {
			rt, err = nil, fmt.Errorf("type %s can't be made: %v", t, e)
		}
		if err == nil {
			f.found[t] = rt
		}
	}()
	if b := basic[t.Kind]; b != nil && t.Name == b.Name() && t.Kind != reflect.Interface {
		return b, nil
	}
	if t.made != nil {
		return f.signature(t)
	}
	if t.Name != "" {
		return f.named(t)
	}
	switch t.Kind {
	case reflect.Map:
		key, err := f.find(t.Key)
		if err != nil {
			return nil, err
		}
		elem, err := f.find(t.Elem)
		if err != nil {
			return nil, err
		}
		return reflect.MapOf(key, elem), nil
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		elem, err := f.find(t.Elem)
		if err != nil {
			return nil, err
		}
		switch t.Kind {
		case reflect.Pointer:
			return reflect.PointerTo(elem), nil
		case reflect.Slice:
			return reflect.SliceOf(elem), nil
		case reflect.Chan:
			return reflect.ChanOf(t.Dir, elem), nil
		}
		for _, rt := range namedTypes().find("[" + strconv.Itoa(t.Len) + "]" + typeText(elem)) {
			if rt.Elem() == elem {
				return rt, nil
			}
		}
		if t.size > f.limit || t.size == 0 && t.Len > 0 && t.Elem.refs {
			return nil, fmt.Errorf("array type %s is too large", t)
		}
		f.limit -= t.size
		return reflect.ArrayOf(t.Len, elem), nil
	case reflect.Struct:
		fields := make([]reflect.StructField, len(t.Fields))
		for i, g := range t.Fields {
			ft, err := f.find(g.Type)
			if err != nil {
				return nil, err
			}
			fields[i] = reflect.StructField{Name: g.Name, Type: ft, Anonymous: g.Embedded, PkgPath: g.pkg, Tag: reflect.StructTag(g.tag)}
		}
		for _, rt := range linkedStructs().find(fieldNames(t)) {
			if sameFields(rt, fields) {
				return rt, nil
			}
		}
		return reflect.StructOf(fields), nil
	}
	return nil, fmt.Errorf("type %s can't be made", t)
}

// isMade reports whether package reflect has made a func type: those of the binary are not in Go's
// heap. Methods have such types as reflect.Method tells them, with the receiver.
func isMade(rt reflect.Type) bool {
	base, _, _ := findObject(uintptr(descriptor(rt)), 0, 0)
	return base != 0
}

// signature makes a func type of its parts.
func (f *finder) signature(t *Type) (reflect.Type, error) {
	var parts [2][]reflect.Type
	for i, list := range [][]*Type{t.made.in, t.made.out} {
		for _, part := range list {
			rt, err := f.find(part)
			if err != nil {
				return nil, err
			}
			parts[i] = append(parts[i], rt)
		}
	}
	rt := reflect.FuncOf(parts[0], parts[1], t.made.variadic)
	if name := typeText(rt); name != t.Name {
		return nil, &TypeChangedError{Type: t.Name, Was: "this type", Is: name}
	}
	return rt, nil
}

// named looks a type up. Of several types of one name, which were declared
// inside functions, the one with the right structure is taken.
func (f *finder) named(t *Type) (reflect.Type, error) {
	var fits []reflect.Type
	var changed error
	for _, rt := range namedTypes().find(t.Name) {
		m := newMatcher()
		if err := m.match(t, rt); err != nil {
			changed = err
		} else {
			fits = append(fits, rt)
		}
	}
	switch {
	case len(fits) == 1:
		return fits[0], nil
	case len(fits) > 1:
		return nil, fmt.Errorf("%d types are named %s and have the same structure; give them different names", len(fits), t.Name)
	case changed != nil:
		return nil, changed
	}
	return nil, &TypeChangedError{Type: t.Name, Was: "it", Is: "no such type"}
}

// A matcher compares types of an image with types of the program.
type matcher struct {
	bound   map[*Type]reflect.Type
	order   []*Type
	foreign map[reflect.Type]*Type         // structs of system calls that are to be converted
	fills   map[reflect.Type]map[int]*Type // blank fields that have another length in the image, by number
}

func newMatcher() *matcher {
	return &matcher{bound: make(map[*Type]reflect.Type), foreign: make(map[reflect.Type]*Type), fills: make(map[reflect.Type]map[int]*Type)}
}

// match binds t, and all types that it is made of, to types of the program.
func (m *matcher) match(t *Type, rt reflect.Type) error {
	type pair struct {
		t  *Type
		rt reflect.Type
	}
	todo := []pair{{t, rt}}
	for len(todo) > 0 {
		t, rt := todo[len(todo)-1].t, todo[len(todo)-1].rt
		todo = todo[:len(todo)-1]
		if b := m.bound[t]; b != nil {
			if b != rt {
				return &TypeChangedError{Type: t.String(), Was: "one type", Is: "two: " + b.String() + " and " + rt.String()}
			}
			continue
		}
		m.bound[t] = rt
		m.order = append(m.order, t)
		changed := func(field, was, is string) error {
			return &TypeChangedError{Type: t.String(), Field: field, Was: was, Is: is}
		}
		if t.Kind != rt.Kind() {
			return changed("", "kind "+t.Kind.String(), "kind "+rt.Kind().String())
		}
		name := ""
		if rt.Name() != "" || rt.Kind() == reflect.Func || rt.Kind() == reflect.Interface {
			name = typeText(rt)
		}
		if t.Name != name {
			return changed("", t.String(), typeText(rt))
		}
		switch t.Kind {
		case reflect.Map:
			todo = append(todo, pair{t.Elem, rt.Elem()}, pair{t.Key, rt.Key()})
		case reflect.Chan:
			if t.Dir != rt.ChanDir() {
				return changed("", t.String(), typeText(rt))
			}
			todo = append(todo, pair{t.Elem, rt.Elem()})
		case reflect.Array:
			if t.Len != rt.Len() {
				return changed("", fmt.Sprint(t.Len, " elements"), fmt.Sprint(rt.Len(), " elements"))
			}
			todo = append(todo, pair{t.Elem, rt.Elem()})
		case reflect.Pointer, reflect.Slice:
			todo = append(todo, pair{t.Elem, rt.Elem()})
		case reflect.Struct:
			if isSyncMap(rt) && len(t.Fields) == 1 {
				todo = append(todo, pair{t.Fields[0].Type, typeOfEntries})
				continue
			}
			if isTimer(rt) && isTimerType(t) && refused(rt) == "" {
				for i, f := range timerFields {
					todo = append(todo, pair{t.Fields[i].Type, f.rt})
				}
				continue
			}
			if t.isIteration() && (isIterator(rt) || canIterate(rt)) {
				todo = append(todo, pair{t.Fields[0].Type, reflect.PointerTo(typeOfIteration)})
				continue
			}
			if isFile(rt) {
				if !isFileType(t) {
					return changed("", "other contents", "an open file")
				}
				for i, f := range fileFields {
					todo = append(todo, pair{t.Fields[i].Type, f.rt})
				}
				continue
			}
			if why := refused(rt); why != "" || t.opaque {
				if !t.opaque {
					return fmt.Errorf("heap: the image has a %s: %s", t, why)
				}
				if why == "" {
					return changed("", "other contents", typeText(rt))
				}
				continue
			}
			if foreign(t, rt) != nil {
				m.foreign[rt] = t
				continue
			}
			for i := len(t.Fields) - 1; i >= 0; i-- {
				g := t.Fields[i]
				if i >= rt.NumField() {
					return changed(g.Name, "type "+g.Type.String(), "no such field")
				}
				f := rt.Field(i)
				if f.Name != g.Name || f.Anonymous != g.Embedded {
					was := "the fields " + fieldNames(t)
					return changed(g.Name, was, "the field "+f.Name+" in its place")
				}
				ft := fieldType(rt, f)
				if ft.Kind() != g.Type.Kind || ft.Name() == "" != (g.Type.Name == "") && ft.Kind() != reflect.Func && ft.Kind() != reflect.Interface ||
					ft.Name() != "" && typeText(ft) != g.Type.Name {
					return changed(g.Name, "type "+g.Type.String(), "type "+typeText(ft))
				}
				if isFill(g, ft) {
					if m.fills[rt] == nil {
						m.fills[rt] = make(map[int]*Type)
					}
					m.fills[rt][i] = g.Type
					continue
				}
				todo = append(todo, pair{g.Type, ft})
			}
			if rt.NumField() > len(t.Fields) {
				return changed(rt.Field(len(t.Fields)).Name, "no such field", "type "+typeText(rt.Field(len(t.Fields)).Type))
			}
		}
	}
	return nil
}

// isFill reports whether a field is a blank array of numbers that has another length in the image:
// it fills a struct up to a size, such as that of a line of the cache, which is another one on
// another machine.
func isFill(g Field, rt reflect.Type) bool {
	return g.Name == "_" && rt.Kind() == reflect.Array && rt.Len() != g.Type.Len && isNumber(rt.Elem().Kind()) && g.Type.Elem.Kind == rt.Elem().Kind()
}

func fieldNames(t *Type) string {
	names := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}
