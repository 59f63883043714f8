//go:build ckpgen_all_packages

// No build has the tag. The file is for 'go mod vendor', which takes all tags for set: programs
// that import this package are given packages by the precompiler that they do not
// import as they are written, and vendor directories must have them.

package ckp

import _ "github.com/ckpgen/ckpgen/runtime/ckp/quiet"
