package slog

// Added:

// ckpgenTypes has the types that a [Value] keeps to itself found by their names.
var ckpgenTypes []any

func init() {
	ckpgenTypes = []any{(*stringptr)(nil), (*groupptr)(nil), (*timeLocation)(nil), (*timeTime)(nil), (*kind)(nil)}
}
