// Package omega is initialised before package alpha, as it imports so little.
package omega

import "github.com/ckpgen/ckpgen/testdata/programs/initialisation/registry"

var At = registry.Add("omega")

func Do(f func()) { f() }
