// Package parts has what structs of other packages begin with.
package parts

import "github.com/ckpgen/ckpgen/runtime/ckp"

// A Part is the beginning of something that has so many letters.
type Part struct {
	Letters int
	Next    *Part
}

// Same returns the part, after two checkpoints.
func (p *Part) Same() *Part {
	ckp.Checkpoint()
	ckp.Checkpoint()
	return p
}
