// Package alpha waits for package strings, but not for what prints.
package alpha

import (
	"strings"

	"github.com/ckpgen/ckpgen/testdata/programs/initialisation/registry"
)

var At int

func init() { At = registry.Add(strings.ToLower("ALPHA")) }

func Do(f func()) { f() }
