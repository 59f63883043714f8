package shadow

// A goroutine identifies a goroutine while it lives: the address of the
// runtime's descriptor, which is reused only after the goroutine has ended.
type goroutine uintptr
