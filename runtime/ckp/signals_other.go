//go:build !unix

package ckp

// There are no such signals.
func (r *run) watchSignals()   {}
func (r *run) settleSignals()  {}
func (r *run) unwatchSignals() {}
