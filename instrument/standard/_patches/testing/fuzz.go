package testing

import "reflect"

// Added:

// callTarget calls a fuzz target. That of one argument, or of two that are often used, is not
// called by reflection, below which there are no checkpoints.
func callTarget(target any, t *T, values []any) {
	if len(values) == 1 {
		switch f := target.(type) {
		case func(*T, []byte):
			f(t, values[0].([]byte))
			return
		case func(*T, string):
			f(t, values[0].(string))
			return
		case func(*T, bool):
			f(t, values[0].(bool))
			return
		case func(*T, float32):
			f(t, values[0].(float32))
			return
		case func(*T, float64):
			f(t, values[0].(float64))
			return
		case func(*T, int):
			f(t, values[0].(int))
			return
		case func(*T, int8):
			f(t, values[0].(int8))
			return
		case func(*T, int16):
			f(t, values[0].(int16))
			return
		case func(*T, int32):
			f(t, values[0].(int32))
			return
		case func(*T, int64):
			f(t, values[0].(int64))
			return
		case func(*T, uint):
			f(t, values[0].(uint))
			return
		case func(*T, uint8):
			f(t, values[0].(uint8))
			return
		case func(*T, uint16):
			f(t, values[0].(uint16))
			return
		case func(*T, uint32):
			f(t, values[0].(uint32))
			return
		case func(*T, uint64):
			f(t, values[0].(uint64))
			return
		}
	}
	if len(values) == 2 {
		switch f := target.(type) {
		case func(*T, []byte, []byte):
			f(t, values[0].([]byte), values[1].([]byte))
			return
		case func(*T, string, string):
			f(t, values[0].(string), values[1].(string))
			return
		case func(*T, string, int):
			f(t, values[0].(string), values[1].(int))
			return
		case func(*T, int, int):
			f(t, values[0].(int), values[1].(int))
			return
		case func(*T, []byte, int):
			f(t, values[0].([]byte), values[1].(int))
			return
		}
	}
	args := []reflect.Value{reflect.ValueOf(t)}
	for _, v := range values {
		args = append(args, reflect.ValueOf(v))
	}
	reflect.ValueOf(target).Call(args)
}
