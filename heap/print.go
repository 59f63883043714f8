package heap

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Limits bound the printing of a value.
type Limits struct {
	Depth    int // of structs, arrays, pointers and so on in one another
	Elements int // of a slice, array or map that are shown
	Bytes    int // of a string that are shown
	Total    int // of the whole text, about
}

// defaultLimits give a line or two.
var defaultLimits = Limits{Depth: 3, Elements: 8, Bytes: 64, Total: 2000}

// String prints the value within moderate limits.
func (v Value) String() string { return v.Format(defaultLimits) }

// Format prints the value in a notation close to Go's. A pointer is shown as the
// number of the object and what is there: #12 node{left: nil, key: 5}; beyond
// the limits stands {...}.
func (v Value) Format(l Limits) string {
	p := &printer{Limits: l}
	p.value(v, 0)
	return p.b.String()
}

type printer struct {
	Limits
	b strings.Builder
}

func (p *printer) value(v Value, depth int) {
	if !v.IsValid() {
		p.b.WriteString("nil")
		return
	}
	if v.text != "" {
		p.b.WriteString(v.text)
		return
	}
	if p.b.Len() > p.Total || depth > 2*p.Depth+2 {
		p.b.WriteString("...")
		return
	}
	if i, ok := v.Int(); ok {
		switch v.typ.Kind {
		case reflect.Uint, reflect.Uint64, reflect.Uintptr:
			p.b.WriteString(strconv.FormatUint(uint64(i), 10))
		default:
			p.b.WriteString(strconv.FormatInt(i, 10))
		}
		return
	}
	if f, ok := v.Float(); ok {
		p.b.WriteString(strconv.FormatFloat(f, 'g', -1, int(v.typ.size)*8))
		return
	}
	switch v.kind() {
	case reflect.Bool:
		b, _ := v.Bool()
		p.b.WriteString(strconv.FormatBool(b))
	case reflect.Complex64, reflect.Complex128:
		part := &Type{Kind: reflect.Float64, size: v.typ.size / 2}
		if v.typ.Kind == reflect.Complex64 {
			part.Kind = reflect.Float32
		}
		re, _ := Value{im: v.im, typ: part, b: v.b}.Float()
		im, _ := Value{im: v.im, typ: part, b: v.b[part.size:]}.Float()
		p.b.WriteString(strconv.FormatComplex(complex(re, im), 'g', -1, int(v.typ.size)*8))
	case reflect.String:
		s, _ := v.Text(p.Bytes)
		p.b.WriteString(strconv.Quote(s))
		if v.Len() > len(s) {
			fmt.Fprintf(&p.b, "...(%d bytes)", v.Len())
		}
	case reflect.Struct:
		if text, ok := v.fileText(); ok {
			p.b.WriteString(text)
			return
		}
		p.b.WriteString(shortName(v.typ))
		var fields []int
		of := v.typ.processFields()
		for i, f := range v.typ.Fields {
			if !slices.Contains(of, f.Name) {
				fields = append(fields, i)
			}
		}
		p.list(len(fields), depth, len(fields), func(i int) {
			f := v.FieldAt(fields[i])
			p.b.WriteString(f.Name + ": ")
			p.value(f.Value, depth+1)
		})
	case reflect.Array:
		p.b.WriteString(shortName(v.typ))
		p.list(v.Len(), depth, p.Elements, func(i int) { p.value(v.Index(i), depth+1) })
	case reflect.Slice:
		if v.IsNil() {
			p.b.WriteString("nil")
			return
		}
		p.b.WriteString(shortName(v.typ))
		p.list(v.Len(), depth, p.Elements, func(i int) { p.value(v.Index(i), depth+1) })
	case reflect.Map:
		if v.IsNil() {
			p.b.WriteString("nil")
			return
		}
		if tag, n := split(v.reference(0)); tag == tagNamed {
			p.b.WriteString(v.im.names[n].name)
			return
		}
		p.b.WriteString(shortName(v.typ))
		p.list(v.Len(), depth, p.Elements, func(i int) {
			key, value := v.Entry(i)
			p.value(key, depth+1)
			p.b.WriteString(": ")
			p.value(value, depth+1)
		})
	case reflect.Chan:
		if v.IsNil() {
			p.b.WriteString("nil")
			return
		}
		tag, n := split(v.reference(0))
		if tag == tagNamed {
			p.b.WriteString(v.im.names[n].name)
			return
		}
		c := v.im.chans[n]
		fmt.Fprintf(&p.b, "%s(cap %d", shortName(v.typ), c.cap)
		if c.closed {
			p.b.WriteString(", closed")
		}
		p.b.WriteByte(')')
		p.list(v.Len(), depth, p.Elements, func(i int) { p.value(v.Index(i), depth+1) })
	case reflect.Func:
		code, env := v.Func()
		if code == "" {
			code = "nil"
		}
		p.b.WriteString(code)
		if env.IsValid() {
			p.b.WriteByte(' ')
			p.value(env, depth+1)
		}
	case reflect.Pointer, reflect.Interface:
		e, ok := v.Elem()
		switch {
		case ok && v.typ.Kind == reflect.Pointer:
			if e.id != 0 {
				fmt.Fprintf(&p.b, "#%d ", e.id)
			} else if e.text == "" {
				p.b.WriteByte('&')
			}
			p.value(e, depth+1)
		case ok:
			if k := e.typ.Kind; k != reflect.Struct && k != reflect.Pointer && k != reflect.Slice && k != reflect.Map && k != reflect.Array && e.text == "" {
				p.b.WriteString(shortName(e.typ) + "(")
				p.value(e, depth+1)
				p.b.WriteByte(')')
				return
			}
			p.value(e, depth+1)
		case v.typ.Kind == reflect.Pointer && v.reference(0) != 0:
			_, n := split(v.reference(0))
			p.b.WriteString("type " + v.im.types[n].String())
		default:
			p.b.WriteString("nil")
		}
	default:
		p.b.WriteString("nil")
	}
}

// list prints up to limit of n elements in braces.
func (p *printer) list(n, depth, limit int, element func(i int)) {
	if n > 0 && depth >= p.Depth {
		p.b.WriteString("{...}")
		return
	}
	p.b.WriteByte('{')
	for i := range n {
		if i > 0 {
			p.b.WriteString(", ")
		}
		if i == limit || p.b.Len() > p.Total {
			fmt.Fprintf(&p.b, "...(%d)", n)
			break
		}
		element(i)
	}
	p.b.WriteByte('}')
}

// shortName returns the type as a programmer would write it: with the last
// element of package paths only.
func shortName(t *Type) string {
	s := t.String()
	var b strings.Builder
	word := 0 // where the current path begins in s
	for i := 0; i <= len(s); i++ {
		if i < len(s) && !strings.ContainsRune("[]*(){} ,;", rune(s[i])) {
			continue
		}
		part := s[word:i]
		if k := strings.LastIndexByte(part, '/'); k >= 0 {
			part = part[k+1:]
		}
		b.WriteString(part)
		if i < len(s) {
			b.WriteByte(s[i])
		}
		word = i + 1
	}
	return b.String()
}
