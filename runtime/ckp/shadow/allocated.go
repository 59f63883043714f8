package shadow

// Allocated returns a pointer to a new variable with a value. Generated code calls it in generic
// functions in place of &T{...}, for which the compiler allocates a type that stands for all with
// the same layout of their type parameters: new(T) allocates T, and that can be told from the
// memory. It also makes the linker list *T, by which T is found by its name.
func Allocated[T any](v T) *T {
	p := new(T)
	*p = v
	linked(p)
	return p
}

// linked does nothing with a pointer, of which the type is known by that.
func linked(any) {}
