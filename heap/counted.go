package heap

import (
	"reflect"
	"slices"
	"strings"
)

// A Value of package log/slog, or of golang.org/x/exp/slog, which it was made of, keeps a string,
// or a group of attributes, as a pointer to the first byte or attribute, in an interface, and the
// number of them beside it. Of what such a pointer leads to by its type only the first would be
// saved.

var slogs = []string{"log/slog", "golang.org/x/exp/slog"}

// isOfSlog reports whether a name is that of one of some types of these packages.
func isOfSlog(name string, types ...string) bool {
	i := strings.LastIndexByte(name, '.')
	return i > 0 && slices.Contains(slogs, name[:i]) && slices.Contains(types, name[i+1:])
}

// countBefore returns how many bytes before the given field of a struct the number stands that
// counts what the field leads to, or 0 if none does.
func countBefore(t *Type, field int) uint64 {
	if field == 0 || !isOfSlog(t.Name, "Value") || t.Fields[field].Type.Kind != reflect.Interface {
		return 0
	}
	if num := t.Fields[field-1]; num.Name == "num" && num.Type.Kind == reflect.Uint64 {
		return t.Fields[field].off - num.off
	}
	return 0
}

// isCounted reports whether pointers of a type lead to more than one value.
func (t *Type) isCounted() bool {
	return t.Kind == reflect.Pointer && isOfSlog(t.Name, "stringptr", "groupptr")
}
