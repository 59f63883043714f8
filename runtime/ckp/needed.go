package ckp

import (
	"fmt"
	"strings"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/section"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// neededBy returns whether an image needs a function to be the one that it was: one that has a frame
// there, or whose name the precompiler has made, as it has for a literal, if a func value is such a
// one, or a value is of the type that has it as a method, which holds its variables. Names of this
// kind count the literals of a function, and mean others if that is another one. What a func value
// is otherwise is called by its name, whatever it does on this machine; and so are methods.
func neededBy(image *heap.Image) func(section.Function) bool {
	onStack := make(map[string]bool)
	for _, fr := range stackOf(image).Places {
		onStack[fr.Function] = true
	}
	names := image.Names()
	return func(f section.Function) bool {
		if onStack[f.String()] {
			return true
		}
		return f.Title != "" && (names[f.Name] || names[shadow.Readable(receiver(f.Name))])
	}
}

// receiver returns the name of the type to which a method belongs, without type parameters, with
// the path of its package, by the name that the runtime gives the method or a literal in it; or the
// name itself.
func receiver(name string) string {
	path, method, ok := strings.Cut(name, ".(*")
	if !ok {
		return name
	}
	typ, _, _ := strings.Cut(method, ")")
	typ, _, _ = strings.Cut(typ, "[")
	return path + "." + typ
}

// tellMissing tells of variables that are there on the machine of an image only.
func tellMissing(names []string, was string) {
	const most = 3
	if len(names) == 0 {
		return
	}
	more := ""
	if n := len(names) - most; n > 0 {
		names, more = names[:most], fmt.Sprintf(" and %d more", n)
	}
	say(fmt.Sprintf("the program for %s has no variable %s%s, as the one for %s has: what was there is lost", system(), strings.Join(names, ", "), more, was))
}
