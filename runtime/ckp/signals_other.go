//go:build !unix

package ckp

import "time"

// There are no such signals.
func (r *run) watchSignals()   {}
func (r *run) settleSignals()  {}
func (r *run) unwatchSignals() {}

// processorTime is not known here.
func processorTime() (time.Duration, bool) { return 0, false }
