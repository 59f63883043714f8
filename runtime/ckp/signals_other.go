//go:build !unix

package ckp

// watchSignals does nothing: there are no such signals.
func (r *run) watchSignals() (stop func()) { return func() {} }
