package load

import (
	"go/token"
	"path/filepath"
	"strings"
)

// Position returns a position as file:line:column, with the name of the file
// relative to dir if it lies below it.
func Position(pos token.Position, dir string) string {
	if rel, err := filepath.Rel(dir, pos.Filename); err == nil && filepath.IsAbs(pos.Filename) && !strings.HasPrefix(rel, "..") {
		pos.Filename = "." + string(filepath.Separator) + rel
	}
	return pos.String()
}
