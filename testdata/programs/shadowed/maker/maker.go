// Package maker has what it makes from another package, which who calls it need not import.
package maker

import "github.com/ckpgen/ckpgen/testdata/programs/shadowed/env"

func Make(n int) *env.Setting { return &env.Setting{N: n} }
