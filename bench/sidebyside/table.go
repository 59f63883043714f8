package sidebyside

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A Table is a table in Markdown. Its first column is text, the others are numbers.
type Table struct {
	Head []string
	Rows [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Write writes the table, with its columns aligned in the source as well.
func (t *Table) Write(w io.Writer) error {
	widths := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	var text strings.Builder
	line := func(row []string) {
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				cell += pad
			} else {
				cell = pad + cell
			}
			fmt.Fprintf(&text, "| %s ", cell)
		}
		text.WriteString("|\n")
	}
	line(t.Head)
	for i, width := range widths {
		if i == 0 {
			fmt.Fprintf(&text, "|%s", strings.Repeat("-", width+2))
		} else {
			fmt.Fprintf(&text, "|%s:", strings.Repeat("-", width+1))
		}
	}
	text.WriteString("|\n")
	for _, row := range t.Rows {
		line(row)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
