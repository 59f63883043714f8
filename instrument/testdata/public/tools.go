//go:build tools

// Package public names the programs of other modules.
package public

import (
	_ "github.com/crillab/gophersat"
	_ "github.com/d5/tengo/v2/cmd/tengo"
	_ "github.com/ulikunitz/xz/cmd/gxz"
)
