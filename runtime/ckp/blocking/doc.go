// Package blocking has the blocking operations of packages time and reflect as checkpoint
// functions, for generated code to call. Package shadow can't have them, as these
// may not be imported there.
package blocking
