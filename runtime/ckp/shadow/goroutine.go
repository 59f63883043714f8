package shadow

import identity "github.com/ckpgen/ckpgen/runtime/ckp/shadow/goroutine"

// A goroutine identifies a goroutine while it lives.
type goroutine uintptr

// current returns the identity of the calling goroutine.
func current() goroutine { return goroutine(identity.Current()) }
