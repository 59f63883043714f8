package ckp

import (
	"fmt"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp/section"
)

// sourcePath names the function and the user's variable, in place of the numbers of goroutine and
// frame, in a path to something that stopped a checkpoint from being saved or continued.
func sourcePath(path string, stack section.Stack) string {
	for i, g := range stack.Goroutines {
		inside, ok := strings.CutPrefix(path, fmt.Sprintf("%s[%d].", section.GoroutinesRoot, i))
		if !ok {
			continue
		}
		for k := range g.Frames {
			rest, ok := strings.CutPrefix(inside, fmt.Sprintf("Frames[%d].", k))
			if !ok {
				continue
			}
			if f, ok := stack.FrameOf(g, k); ok {
				return f.Function + ": " + sourceName(stack.Renamed[f.Function], rest)
			}
		}
	}
	return path
}

// sourceName puts the name of the user's variable at the beginning of a path in a frame.
func sourceName(renamed map[string]string, path string) string {
	for name, variable := range renamed {
		if rest, ok := strings.CutPrefix(path, name); ok && variable != "" && (rest == "" || strings.ContainsRune(".[(", rune(rest[0]))) {
			return strings.TrimPrefix(variable, "*") + rest
		}
	}
	return path
}
