package heap

import (
	"reflect"
	"strconv"
	"strings"
)

// The type arguments of an instance of a generic type are in its name, and nowhere else, with the
// paths of their packages:
//
//	example.org/mod.table[string,*example.org/mod/sub.item]
//
// Names tell types apart: those that functions declare have a number there, which their own names
// have not, and so are not found.

// A genericField is a field of all instances of a type.
type genericField struct{ of, field string }

// isInstance reports whether a type is an instance of a generic one.
func isInstance(rt reflect.Type) bool { return strings.HasSuffix(rt.Name(), "]") }

// typeArguments returns the names of the type arguments of an instance.
func typeArguments(rt reflect.Type) []string {
	name := nameOf(rt)
	list := name[strings.IndexByte(name, '[')+1 : len(name)-1]
	var args []string
	for list != "" {
		n := argument(list)
		args = append(args, list[:n])
		list = strings.TrimPrefix(list[n:], ",")
	}
	return args
}

// argument returns the length of the first of some type arguments, or what the first bracket of a
// name has in it.
func argument(list string) int {
	depth, quoted := 0, false
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case quoted && c == '\\':
			i++
		case c == '"': // the tag of a field
			quoted = !quoted
		case quoted:
		case c == '[' || c == '(' || c == '{':
			depth++
		case (c == ']' || c == ')' || c == '}') && depth > 0:
			depth--
		case depth == 0 && (c == ',' || c == ']'):
			return i
		}
	}
	return len(list)
}

// instantiated returns a name with arguments in the place of $0, $1 and so on; "" if there are too
// few.
func instantiated(name string, args []string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(name, "$")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name = strings.TrimLeft(after, "0123456789")
		i, err := strconv.Atoi(after[:len(after)-len(name)])
		if err != nil || i >= len(args) {
			return ""
		}
		b.WriteString(args[i])
	}
}

// typeNamed returns the type of a name, nil if the program has none or several, or it is not the
// name of a declared type, or of a pointer, slice, array, map or channel of such types.
func typeNamed(name string) reflect.Type {
	if elem, ok := strings.CutPrefix(name, "*"); ok {
		return composed(reflect.PointerTo, elem)
	}
	if elem, ok := strings.CutPrefix(name, "[]"); ok {
		return composed(reflect.SliceOf, elem)
	}
	if rest, ok := strings.CutPrefix(name, "["); ok {
		size, elem, _ := strings.Cut(rest, "]")
		n, err := strconv.Atoi(size)
		if err != nil || n < 0 {
			return nil
		}
		return composed(func(elem reflect.Type) reflect.Type { return reflect.ArrayOf(n, elem) }, elem)
	}
	if rest, ok := strings.CutPrefix(name, "map["); ok {
		n := argument(rest)
		if n == len(rest) {
			return nil
		}
		key := typeNamed(rest[:n])
		if key == nil || !key.Comparable() {
			return nil
		}
		return composed(func(elem reflect.Type) reflect.Type { return reflect.MapOf(key, elem) }, rest[n+1:])
	}
	for _, c := range channels {
		if elem, ok := strings.CutPrefix(name, c.prefix); ok {
			if inner, ok := strings.CutPrefix(elem, "("); ok { // chan (<-chan T)
				elem = strings.TrimSuffix(inner, ")")
			}
			return composed(func(elem reflect.Type) reflect.Type { return reflect.ChanOf(c.dir, elem) }, elem)
		}
	}
	switch name {
	case "interface {}":
		return reflect.TypeFor[any]()
	case "struct {}":
		return reflect.TypeFor[struct{}]()
	}
	if fits := namedTypes().find(name); len(fits) == 1 && fits[0].Name() != "" {
		return fits[0]
	}
	return nil
}

// channels are the kinds of channel types, with what their names begin with.
var channels = []struct {
	prefix string
	dir    reflect.ChanDir
}{{"chan ", reflect.BothDir}, {"<-chan ", reflect.RecvDir}, {"chan<- ", reflect.SendDir}}

// composed returns what is made of the type of a name, or nil if that is not known.
func composed(of func(reflect.Type) reflect.Type, name string) reflect.Type {
	if t := typeNamed(name); t != nil {
		return of(t)
	}
	return nil
}
