//go:build unix && !linux

package store

import "os"

// nameless makes a temporary file without a name.
func nameless() (*os.File, error) { return unlinked() }
