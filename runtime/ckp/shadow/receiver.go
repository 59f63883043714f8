package shadow

// Receiver returns x, the receiver of a method value x.M or of a deferred call. If x
// is an interface value without a dynamic type it panics as the evaluation of x.M
// would: generated code looks for the method only when it is called.
func Receiver[T any](x T) T {
	if any(x) == nil {
		var nothing *byte
		_ = *nothing
	}
	return x
}
