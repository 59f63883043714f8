//go:build !linux

package heap

import "errors"

func makeWritable([]nameMemory) error { return errors.ErrUnsupported }
