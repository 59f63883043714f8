//go:build !linux

package ckp

// hold does nothing: a signal that comes in the moments of an exec ends the
// process, as it would have without a handler.
func (r *run) hold() {}
