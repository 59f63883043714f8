package ckp

import (
	"reflect"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/section"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// roots returns all that a checkpoint consists of: frames, variables, libraries.
func roots(frames *[]shadow.Frame) []heap.Root {
	list := []heap.Root{{Name: section.FramesRoot, Ptr: frames}}
	for _, p := range shadow.Packages() {
		for _, g := range p.Globals {
			list = append(list, heap.Root{Name: g.Name, Ptr: g.Ptr})
		}
	}
	for _, l := range usedLibraries() {
		list = append(list, heap.Root{Name: section.LibraryRoot + l.Name(), Ptr: l.State()})
	}
	return list
}

// options returns the variables that are saved by name: those that instrumented
// packages refer to, and the usual ones of the standard library, which may be
// reached through others.
func options() heap.Options {
	var named []heap.Root
	seen := make(map[string]bool)
	add := func(r heap.Root) {
		if !seen[r.Name] {
			seen[r.Name] = true
			named = append(named, r)
		}
	}
	for _, p := range shadow.Packages() {
		for _, g := range p.Named {
			add(heap.Root{Name: g.Name, Ptr: g.Ptr})
		}
	}
	for _, r := range heap.StandardNamed() {
		add(r)
	}
	return heap.Options{Named: named}
}

// fingerprint returns what an image must agree with.
func fingerprint() *section.Program {
	p := &section.Program{Image: heap.Version}
	for _, pkg := range shadow.Packages() {
		for _, f := range pkg.Functions {
			p.Functions = append(p.Functions, section.Function{Name: f.Name, Fingerprint: f.Fingerprint})
		}
	}
	for _, r := range roots(new([]shadow.Frame)) {
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

// describeStack returns the frames in the user's terms.
func describeStack(frames []shadow.Frame) section.Stack {
	s := section.Stack{Frames: make([]section.Frame, len(frames))}
	for i, fr := range frames {
		f, at := fr.ResumePoint()
		s.Frames[i] = section.Frame{Function: f.Name, File: f.File, Line: f.Line, At: at}
		if at >= 1 && at <= len(f.Points) {
			p := f.Points[at-1]
			s.Frames[i].Line, s.Frames[i].Column, s.Frames[i].Call = p.Line, p.Column, p.Call
		}
	}
	return s
}
