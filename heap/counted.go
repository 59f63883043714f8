package heap

import "reflect"

// A Value of package log/slog keeps a string, or a group of attributes, as a pointer to the first byte or attribute, in an
// interface, and the number of them beside it. Of what such a pointer leads to by its type only the first would be saved.

const slogValue = "log/slog.Value"

// countBefore returns how many bytes before the given field of a struct the number stands that counts what the field leads to,
// or 0 if none does.
func countBefore(t *Type, field int) uint64 {
	if t.Name != slogValue || field == 0 || t.Fields[field].Type.Kind != reflect.Interface {
		return 0
	}
	if num := t.Fields[field-1]; num.Name == "num" && num.Type.Kind == reflect.Uint64 {
		return t.Fields[field].off - num.off
	}
	return 0
}

// isCounted reports whether pointers of a type lead to more than one value.
func (t *Type) isCounted() bool {
	return t.Kind == reflect.Pointer && (t.Name == "log/slog.stringptr" || t.Name == "log/slog.groupptr")
}
