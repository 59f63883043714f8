package inspect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/section"
	"github.com/ckpgen/ckpgen/runtime/ckp/stored"
	_ "github.com/ckpgen/ckpgen/runtime/ckp/zstd" // what a program has compressed is opened without it
)

// readImage reads one image. What prevents it is the Problem of the result.
func readImage(b []byte, opt Options) Process {
	p := Process{Bytes: int64(len(b))}
	im, err := stored.Parse(b)
	if err == nil {
		err = p.fill(im, opt)
	}
	if err != nil {
		p.Problem = err.Error()
	}
	return p
}

func (p *Process) fill(im *heap.Image, opt Options) error {
	var program section.Program
	var stack section.Stack
	sections := []struct {
		name string
		into any
	}{
		{section.ProcessName, &p.Process},
		{section.ProgramName, &program},
		{section.StackName, &stack},
	}
	for _, s := range sections {
		b, ok := im.Section(s.name)
		if !ok {
			return fmt.Errorf("the image has no section %q: it was not written by package ckp", s.name)
		}
		if err := json.Unmarshal(b, s.into); err != nil {
			return fmt.Errorf("section %q of the image: %w", s.name, err)
		}
		if s.name == section.ProgramName {
			p.Program = section.Hash(b)
		}
	}
	p.Functions = len(program.Functions)
	p.Objects, p.HeapBytes, p.image = im.Objects(), im.DataSize(), im
	limits := opt.limits()
	for _, root := range im.Roots() {
		library, isLibrary := strings.CutPrefix(root.Name, section.StateRoot)
		switch {
		case root.Name == section.GoroutinesRoot:
			if err := p.fillGoroutines(root.Value, stack, limits); err != nil {
				return err
			}
		case isLibrary:
			p.Libraries = append(p.Libraries, variable(library, root.Name, root.Value, limits))
		case (root.Name == section.ProcessRoot || root.Name == section.TimersRoot) && root.Value.IsNil():
		case root.Value.Format(limits) == root.Name:
			// os.Stdout, for instance, that is still what a process has by this name.
		default:
			p.Variables = append(p.Variables, variable(root.Name, root.Name, root.Value, limits))
		}
	}
	for i, t := range im.ByType() {
		if max := opt.types(); max >= 0 && i == max {
			break
		}
		p.Types = append(p.Types, TypeSize{Type: t.Type.String(), Objects: t.Objects, Bytes: t.Bytes, id: t.Type.ID})
	}
	return nil
}

// fillGoroutines joins the descriptions of the stacks with the values in their frames.
func (p *Process) fillGoroutines(saved heap.Value, stack section.Stack, l heap.Limits) error {
	if n := saved.Len(); n != len(stack.Goroutines) || n == 0 {
		return fmt.Errorf("the image has %d goroutines and describes %d", n, len(stack.Goroutines))
	}
	for i, described := range stack.Goroutines {
		frames, ok := saved.Index(i).Field("Frames")
		if !ok || frames.Len() != len(described.Frames) {
			return fmt.Errorf("the image has %d frames of goroutine %d and describes %d", frames.Len(), described.Number, len(described.Frames))
		}
		g := Goroutine{Goroutine: described}
		for k := range described.Frames {
			f, ok := stack.FrameOf(described, k)
			if !ok {
				return fmt.Errorf("the image does not describe frame %d of goroutine %d", k, described.Number)
			}
			key := fmt.Sprintf("%d %d %s ", described.Number, len(described.Frames)-k, f.Function)
			g.Stack = append(g.Stack, Frame{f, frameVariables(key, frames.Index(k), stack.Renamed[f.Function], l)})
		}
		g.Frames = nil
		p.Goroutines = append(p.Goroutines, g)
	}
	p.Stack = p.Goroutines[0].Stack
	if len(p.Goroutines) == 1 && !p.Goroutines[0].Ended && p.Goroutines[0].Waiting == "" {
		p.Goroutines = nil
	}
	return nil
}

// frameVariables returns the fields of a generated frame struct, without the
// number of the resume point. Their keys begin with key.
// Variables that are not in the source come last.
func frameVariables(key string, frame heap.Value, renamed map[string]string, l heap.Limits) []Variable {
	pointer, _ := frame.Elem()
	fields, _ := pointer.Elem()
	var list, generated []Variable
	for i := range fields.NumField() {
		f := fields.FieldAt(i)
		if i == 0 && f.Name == "At" {
			continue
		}
		v := variable(f.Name, key+f.Name, f.Value, l)
		user, other := renamed[f.Name]
		switch {
		case !other:
			list = append(list, v)
		case user != "" && user[0] == '*':
			if cell, ok := f.Value.Elem(); ok {
				v = variable(v.Name, v.key, cell, l)
			}
			v.Name = user[1:]
			list = append(list, v)
		case user != "":
			v.Name = user
			list = append(list, v)
		default:
			v.Generated = true
			generated = append(generated, v)
		}
	}
	return append(list, generated...)
}

func variable(name, key string, v heap.Value, l heap.Limits) Variable {
	r := Variable{Name: name, Value: v.Format(l), value: v, key: key}
	if t := v.Type(); t != nil {
		r.Type = t.String()
	}
	return r
}

func (o Options) limits() heap.Limits {
	l := heap.Limits{Depth: 3, Elements: 8, Bytes: 64, Total: 2000}
	if o.Depth > 0 {
		l.Depth = o.Depth
		l.Total *= 1 + o.Depth/3
	}
	if o.Elements > 0 {
		l.Elements = o.Elements
		l.Bytes = max(l.Bytes, o.Elements)
		l.Total = max(l.Total, 20*o.Elements)
	}
	return l
}

func (o Options) types() int {
	if o.Types == 0 {
		return 20
	}
	return o.Types
}
