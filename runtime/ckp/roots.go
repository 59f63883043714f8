package ckp

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/section"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// roots returns all that a checkpoint consists of: goroutines, variables, libraries.
func roots(goroutines *[]shadow.Saved) []heap.Root {
	list := []heap.Root{{Name: section.GoroutinesRoot, Ptr: goroutines}}
	for _, p := range shadow.Packages() {
		for _, g := range p.Globals {
			list = append(list, heap.Root{Name: g.Name, Ptr: g.Ptr})
		}
	}
	list = append(list, processRoots()...)
	list = append(list, heap.Root{Name: section.TimersRoot, Ptr: &timers})
	if len(numberedTypes()) > 0 || hashes != nil {
		list = append(list, heap.Root{Name: section.NumbersRoot, Ptr: &locations})
	}
	if len(backs()) > 0 {
		list = append(list, heap.Root{Name: section.AddressesRoot, Ptr: &addresses})
	}
	for _, l := range usedLibraries() {
		list = append(list, heap.Root{Name: section.StateRoot + l.Name(), Ptr: l.State()})
	}
	return list
}

// firsts, hiding, backs and longs return what heap.Options has as Firsts, Hiding, Backs and Longs.
var (
	firsts = names(func(p *shadow.Package) []string { return p.Firsts })
	hiding = names(func(p *shadow.Package) []string { return p.Hiding })
	backs  = names(func(p *shadow.Package) []string { return p.Backs })
	longs  = names(func(p *shadow.Package) []string { return p.Longs })
)

func names(of func(*shadow.Package) []string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		all := make(map[string]bool)
		for _, p := range shadow.Packages() {
			for _, name := range of(p) {
				all[name] = true
			}
		}
		return all
	})
}

// options returns the fields that are left out, and the variables that are saved by name: those
// that instrumented packages refer to, and the usual ones of the standard library, which may be
// reached through others.
func options() heap.Options {
	opt := heap.Options{
		Transient: []string{madeSwap()},
		Firsts:    firsts(),
		Hiding:    hiding(),
		Backs:     backs(),
		Longs:     longs(),
		Addresses: &addresses,
		Located:   numberedTypes(),
		Hashed:    hashed(),
		Locations: &locations,
		Number:    numberOf,
	}
	seen := make(map[string]bool)
	add := func(r heap.Root) {
		if !seen[r.Name] {
			seen[r.Name] = true
			opt.Named = append(opt.Named, r)
		}
	}
	for _, r := range processNames() {
		add(r)
	}
	for _, p := range shadow.Packages() {
		for _, g := range p.Named {
			add(heap.Root{Name: g.Name, Ptr: g.Ptr})
		}
		opt.Transient = append(opt.Transient, p.Transient...)
		opt.Heads = append(opt.Heads, p.Heads...)
		opt.Parts = append(opt.Parts, p.Parts...)
		opt.Wide = append(opt.Wide, p.Wide...)
		opt.Wholes = append(opt.Wholes, p.Wholes...)
		opt.Punned = append(opt.Punned, p.Punned...)
		opt.Iterators = append(opt.Iterators, pointedTypes(p.Iterators)...)
		opt.Words = append(opt.Words, pointedTypes(p.Words)...)
		opt.Recast = append(opt.Recast, pointedTypes(p.Recast)...)
		opt.Holders = append(opt.Holders, pointedTypes(p.Holders)...)
		for _, x := range p.Pointees {
			y := heap.Pointee{Field: x.Field, Type: x.Type, Count: x.Count, Generic: x.Generic, Leads: x.Leads, Several: x.Several}
			if x.Of != nil {
				y.Of = reflect.TypeOf(x.Of).Elem()
			}
			if x.To != nil {
				y.To = reflect.TypeOf(x.To).Elem()
			}
			opt.Pointees = append(opt.Pointees, y)
		}
	}
	for _, r := range heap.StandardNamed() {
		add(r)
	}
	for _, r := range singletons() {
		add(r)
	}
	return opt
}

// pointedTypes returns the types of what nil pointers would lead to.
func pointedTypes(pointers []any) (list []reflect.Type) {
	for _, p := range pointers {
		list = append(list, reflect.TypeOf(p).Elem())
	}
	return list
}

// singletons returns variables that hold the objects which the standard library has but one of. It
// is not called before a process saves or goes on, as some are made at the first use.
var singletons = sync.OnceValue(func() []heap.Root {
	var list []heap.Root
	for _, p := range shadow.Packages() {
		if p.Singletons == nil {
			continue
		}
		p.Singletons(func(name string, number int, object any, fields ...string) {
			for _, f := range fields {
				object = held(object, f)
			}
			list = append(list, heap.Root{Name: fmt.Sprintf("%s %d", name, number), Ptr: &object})
		})
	}
	return list
})

// held returns what a field of a struct holds, which may be one that is not exported: a pointer,
// possibly in an interface. The struct is given by a pointer. It returns nil if there is no such
// field.
func held(object any, field string) any {
	v := reflect.ValueOf(object)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	v = v.Elem().FieldByName(field)
	if v.Kind() == reflect.Struct {
		return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface()
	}
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil
	}
	return reflect.NewAt(v.Type().Elem(), v.UnsafePointer()).Interface()
}

// fingerprint returns what an image must agree with.
func fingerprint() *section.Program {
	p := &section.Program{Image: heap.Version}
	for _, pkg := range shadow.Packages() {
		for _, f := range pkg.Functions {
			f := f.Described()
			described := section.Function{Name: f.Name, Fingerprint: f.Fingerprint}
			if s := f.String(); s != f.Name {
				described.Title = s
			}
			p.Functions = append(p.Functions, described)
		}
	}
	for _, r := range roots(new([]shadow.Saved)) {
		p.Variables = append(p.Variables, section.Variable{Name: r.Name, Type: typeName(reflect.TypeOf(r.Ptr).Elem())})
	}
	return p
}

func typeName(t reflect.Type) string {
	if t.Name() != "" && t.PkgPath() != "" {
		return t.PkgPath() + "." + t.Name()
	}
	return t.String()
}

// describe returns the goroutines in the user's terms.
func describe(goroutines []shadow.Saved) section.Stack {
	s := section.Stack{Goroutines: make([]section.Goroutine, len(goroutines))}
	known := make(map[place]int)
	for i, g := range goroutines {
		s.Goroutines[i] = section.Goroutine{Number: g.Number, Frames: describeFrames(&s, known, g.Frames), Ended: g.Ended}
		if w := g.Waiting; w.Kind != 0 && !w.Done {
			s.Goroutines[i].Waiting = w.Kind.String()
			if w.Signalled {
				s.Goroutines[i].Waiting = shadow.Locking.String()
			}
			s.Goroutines[i].Remaining = w.Remaining
		}
		if len(g.Frames) == 0 && g.F != nil {
			s.Goroutines[i].Begins = title(strings.TrimSuffix(runtime.FuncForPC(reflect.ValueOf(g.F).Pointer()).Name(), "-fm"))
		}
	}
	return s
}

// A place is a resume point of a function.
type place struct {
	function *shadow.Function
	at       int
}

// describeFrames returns the places of frames, and adds those that are not known yet.
func describeFrames(s *section.Stack, known map[place]int, frames []shadow.Frame) []int {
	list := make([]int, len(frames))
	for i, fr := range frames {
		function, at := fr.ResumePoint()
		n, ok := known[place{function, at}]
		if !ok {
			n = len(s.Places)
			known[place{function, at}] = n
			s.Places = append(s.Places, describePlace(s, function.Described(), at))
		}
		list[i] = n
	}
	return list
}

func describePlace(s *section.Stack, f *shadow.Description, at int) section.Frame {
	fr := section.Frame{Function: f.String(), File: f.File, Line: f.Line, At: at}
	if at >= 1 && at <= len(f.Points) {
		p := f.Points[at-1]
		fr.Line, fr.Column, fr.Call = p.Line, p.Column, p.Call
	}
	describeVariables(s, f)
	return fr
}

// describeVariables adds what the variables of a function are called in its source.
func describeVariables(s *section.Stack, f *shadow.Description) {
	if len(f.Renamed) == 0 || s.Renamed[f.String()] != nil {
		return
	}
	names := make(map[string]string, len(f.Renamed))
	for _, v := range f.Renamed {
		names[v.Name] = v.Variable
	}
	if s.Renamed == nil {
		s.Renamed = make(map[string]map[string]string)
	}
	s.Renamed[f.String()] = names
}
