// Package reflectlite is package reflect.
package reflectlite

import "reflect"

type (
	Type  = reflect.Type
	Value = reflect.Value
)

const (
	Interface = reflect.Interface
	Ptr       = reflect.Pointer
	Slice     = reflect.Slice
	String    = reflect.String
	Struct    = reflect.Struct
)

func Swapper(slice any) func(i, j int) { return reflect.Swapper(slice) }
func TypeOf(x any) Type                { return reflect.TypeOf(x) }
func ValueOf(x any) Value              { return reflect.ValueOf(x) }
