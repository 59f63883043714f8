package heap

import (
	"errors"
	"fmt"
)

// A TypeChangedError tells that the program that rebuilds an image is not the
// program that wrote it: a variable or type is missing, new or different.
type TypeChangedError struct {
	Type  string // the type, or the variable if Field is empty
	Field string // the field of Type that differs, or empty
	Was   string // what the image has
	Is    string // what the program has
}

// Error names the type, the field and both sides of the difference.
func (e *TypeChangedError) Error() string {
	s := e.Type
	if e.Field != "" {
		s += "." + e.Field
	}
	return fmt.Sprintf("heap: %s changed: the image has %s, the program has %s; rebuild with the program that wrote the image", s, e.Was, e.Is)
}

// An UnsupportedError tells that a value reachable from the roots can't be
// saved. Path leads from the root to it, in the notation of Go.
type UnsupportedError struct {
	Path string // for instance main.sim.cache["x"].conn
	Type string // the type of the value
	Why  string
}

// Error gives path, type and reason.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("heap: %s (%s) can't be saved: %s", e.Path, e.Type, e.Why)
}

// A FileError tells that a file which is open in an image can't be opened again.
type FileError struct {
	File string // by the name that the program has for it, and its path
	Err  error  // continues a sentence that begins with the file, and says what can be done
	// Lost is set if the program was writing the file, and it, or part of it, is gone: by the
	// program itself, as a rule, which has renamed it, or written it anew, since.
	Lost bool
}

// Error names the file.
func (e *FileError) Error() string {
	return fmt.Sprintf("heap: file %s, which is open in the checkpoint, %v", e.File, e.Err)
}

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }

// A FormatError tells that the bytes are not an image, or a damaged one.
type FormatError struct {
	Section string // the section that is at fault, or "header"
	Detail  string
}

// Error names the section and the fault.
func (e *FormatError) Error() string {
	return fmt.Sprintf("heap: damaged image: section %s: %s", e.Section, e.Detail)
}

// ErrVersion is wrapped by the error of Parse for an image of another version
// of the format.
var ErrVersion = errors.New("image format version not supported")

func damaged(section, format string, args ...any) *FormatError {
	return &FormatError{Section: section, Detail: fmt.Sprintf(format, args...)}
}

// A refusal is an UnsupportedError whose path is not known yet: the walk that
// met it keeps no paths. The capture walks again and keeps them.
type refusal struct {
	typ, why string
}

func (r *refusal) Error() string { return "heap: " + r.typ + " can't be saved: " + r.why }
