//go:build !linux || !(amd64 || arm64 || riscv64 || loong64 || s390x)

package dirty

import "errors"

// Pages is what this system does not have.
type Pages struct{}

// New returns an error.
func New() (*Pages, error) {
	return nil, errors.New("this system does not tell which pages were written")
}

// Watch is never called.
func (*Pages) Watch(_, _ uintptr) error { return errors.ErrUnsupported }

// Written is never called.
func (*Pages) Written(_, _ uintptr, _ func(start, end uintptr)) error { return errors.ErrUnsupported }

// Forget is never called.
func (*Pages) Forget(_, _ uintptr) {}

// Close is never called.
func (*Pages) Close() error { return nil }
