// Package cache keeps a handle that can't be saved.
package cache

import "unique"

// Last is what was used last.
var Last unique.Handle[string]
