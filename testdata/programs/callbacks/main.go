// Callbacks takes checkpoints in functions that the standard library calls.
package main

import (
	"github.com/ckpgen/ckpgen/instrument/testdata/callback"
	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() { callback.Run(ckp.Checkpoint) }
