// Package blocking has the blocking operations of package time as checkpoint
// functions, for generated code to call. Package shadow can't have them, as package
// time may not be imported there.
package blocking
