package rewrite

import (
	"go/token"
	"strings"
)

// Each line directive is a file to the compiler, and where it removes tests for nil it goes through all files of a function for
// each block of code: for a package with large functions that was a twentieth of its time. So where only the compiler reads
// the new file, a statement that comes after what stood right before it gets empty lines in place of a directive, and what
// is added to a statement stands behind it on its line.

// A running is what lines the text of a function has from some place on.
type running struct {
	b    *strings.Builder
	at   int // in the text of b
	file string
	line int // at that place
}

// maxSkipped is the largest number of lines that are skipped by empty ones.
const maxSkipped = 8

// writeLine makes what is written next stand at a position.
func (c *function) writeLine(b *strings.Builder, pos token.Pos) {
	at := c.p.fset.Position(pos)
	skip := -1
	if c.p.Unread && c.running.b == b && c.running.file == at.Filename {
		between := b.String()[c.running.at:]
		if !strings.Contains(between, "//line ") && !strings.Contains(between, "/*line ") {
			skip = at.Line - c.running.line - strings.Count(between, "\n")
		}
	}
	if 0 <= skip && skip <= maxSkipped {
		b.WriteString(strings.Repeat("\n", skip))
	} else {
		b.WriteString("//line " + c.linePosition(at) + "\n")
	}
	c.running = running{b, b.Len(), at.Filename, at.Line}
}

// writeAdded writes statements of one line that have no original, behind one that has.
func (c *function) writeAdded(b *strings.Builder, text string) {
	if c.p.Unread {
		b.WriteString("; " + text + "\n")
	} else {
		b.WriteString("\n//line <ckpgen>:1:1\n" + text + "\n")
	}
}
