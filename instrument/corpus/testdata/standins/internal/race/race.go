// Package race tells nobody.
package race

import "unsafe"

const Enabled = false

func Acquire(unsafe.Pointer)         {}
func Release(unsafe.Pointer)         {}
func ReleaseMerge(unsafe.Pointer)    {}
func Disable()                       {}
func Enable()                        {}
func Read(unsafe.Pointer)            {}
func Write(unsafe.Pointer)           {}
func ReadRange(unsafe.Pointer, int)  {}
func WriteRange(unsafe.Pointer, int) {}
func Errors() int                    { return 0 }
