package other

import "github.com/ckpgen/ckpgen/testdata/programs/hiddentypes/other/internal/deep"

// A Count is a type of an internal package.
type Count = deep.Known

// NewCount returns a count.
func NewCount() *Count { return new(deep.Known) }

// NewMeter returns what other packages have no name for.
func NewMeter() *deep.Meter { return new(deep.Meter) }
