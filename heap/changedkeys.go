package heap

import "reflect"

// A string that a program has made of a slice of bytes by package unsafe changes with these. If it
// is the key of a map by then, the map has it where it was put, and no longer finds it. In another
// process the map would find it, or could not be made again, as two of its keys are equal.

const changedKey = "it has a key that it does not find, as the program has changed the bytes of the string since it was put there, by package unsafe, as where a buffer is used again; use a copy as the key, strings.Clone(s)"

// keysLookedFor returns how many keys of a map are looked for, to find one that has changed: none
// if the type has no strings in it. Where buffers are used again many keys have changed, and to
// look for each one of a large map would make its capture longer.
func keysLookedFor(key *plan) int {
	if len(key.slots) == 0 {
		return 0
	}
	switch key.rt.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan:
		return 0
	}
	return 64
}
