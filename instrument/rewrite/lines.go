package rewrite

import (
	"go/token"
	"path/filepath"
	"strings"
)

// Each line directive is a file to the compiler, and where it removes tests for nil it goes through
// all files of a function for each block of code: for a package with large functions that was a
// twentieth of its time. So where only the compiler reads the new file, a statement that comes
// after what stood right before it gets empty lines in place of a directive, and what is added to a
// statement stands behind it on its line.

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
	name := c.nameAt(at)
	if c.p.Unread && c.running.b == b && c.running.file == name {
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
	c.running = running{b, b.Len(), name, at.Line}
}

// writeAdded writes statements of one line that have no original, behind one that has.
func (c *function) writeAdded(b *strings.Builder, text string) {
	if c.p.Unread {
		b.WriteString("; " + text + "\n")
	} else {
		b.WriteString("\n//line <ckpgen>:1:1\n" + text + "\n")
	}
}

// A renaming is a line directive of the user's with a relative file name. To the compiler this is
// the name of the file, while package token has it below the directory of the source.
type renaming struct {
	from int    // the offset from which it counts
	name string // as it is written
	full string // as package token has it
}

// renamings returns those of a file, in their order. One with a name that is not relative is among
// them without the name as it is written, as what comes after it is not in the file of the one
// before.
func (f *file) renamings() (list []renaming) {
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			from := c.End()
			text, ok := strings.CutPrefix(c.Text, "//line ")
			if ok {
				from++ // it counts from the next line on
			} else if text, ok = strings.CutPrefix(strings.TrimSuffix(c.Text, "*/"), "/*line "); !ok {
				continue
			}
			if from > f.syntax.FileEnd {
				continue
			}
			full := f.p.fset.Position(from).Filename
			d := renaming{from: int(from - f.base), full: full}
			for name := text; d.name == "" && strings.Contains(name, ":"); { // a line, or a line and a column
				name = name[:strings.LastIndexByte(name, ':')]
				if name != "" && !filepath.IsAbs(name) && filepath.Join(filepath.Dir(f.name), name) == full {
					d.name = name
				}
			}
			if n := len(list); n > 0 && d.name == "" && list[n-1].full == full { // it names the file of the one before
				d.name = list[n-1].name
			}
			list = append(list, d)
		}
	}
	return list
}

// nameAt is the name of the file of a position to the compiler.
func (f *file) nameAt(at token.Position) string {
	for i := len(f.renamed) - 1; i >= 0; i-- {
		if d := f.renamed[i]; d.from <= at.Offset {
			if d.name != "" && d.full == at.Filename {
				return d.name
			}
			break
		}
	}
	if at.Filename == f.name {
		return f.line
	}
	return at.Filename
}
