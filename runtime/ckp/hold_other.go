//go:build !linux

package ckp

// hold makes requests of the signals that have arrived.
func (r *run) hold() { r.settleSignals() }
