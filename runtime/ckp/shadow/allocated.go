package shadow

// Allocated returns a pointer to a new variable with a value. Generated code calls it in generic functions in place of &T{...}, for which the compiler
// allocates a type that stands for all with the same layout of their type parameters: new(T) allocates T, and that can be told from the memory.
func Allocated[T any](v T) *T {
	p := new(T)
	*p = v
	return p
}
