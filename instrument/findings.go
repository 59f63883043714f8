package instrument

import (
	"errors"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A Finding is something that can't be checkpointed, or not without a change of meaning.
type Finding struct {
	Pos    token.Position
	Reason string
	WayOut string
	// Builds is set if the program can be built nevertheless: the checkpoint
	// is refused when it runs.
	Builds bool
	text   func(dir string) string
}

// Message returns the finding without its position.
func (f Finding) Message() string {
	// No file name in it is relative to another folder than its own.
	return strings.TrimPrefix(f.text(filepath.Dir(f.Pos.Filename)), load.Position(f.Pos, filepath.Dir(f.Pos.Filename))+": ")
}

// Text returns the finding as one line, with file names relative to dir.
func (f Finding) Text(dir string) string { return f.text(dir) }

// Findings rewrites the program to see what can't be, and returns that and the
// obstacles of the closure, ordered by position.
func (a *Analysis) Findings() ([]Finding, error) {
	var list []Finding
	var r *Refused
	a.Unread = true // nobody reads the sources at all
	sources, err := a.Rewrite()
	if errors.As(err, &r) {
		for _, x := range r.Refusals {
			list = append(list, Finding{Pos: x.Pos, Reason: x.Reason, WayOut: x.WayOut,
				text: func(dir string) string { return Describe(x, dir) }})
		}
	} else if err != nil {
		return nil, err
	} else {
		for _, x := range slices.Concat(sources.Left, sources.Renamed) {
			list = append(list, Finding{Pos: x.Pos, Reason: x.Reason, WayOut: x.WayOut, Builds: true,
				text: func(dir string) string { return Describe(x, dir) }})
		}
	}
	for _, o := range a.Closure.Obstacles() {
		list = append(list, Finding{Pos: o.Pos, Reason: o.Reason, WayOut: o.WayOut, Builds: true, text: o.Text})
	}
	if a.Closure.Empty() { // there is no restart
		return list, nil
	}
	for _, x := range a.Closure.Losses() {
		list = append(list, Finding{Pos: x.Pos, Reason: x.Reason, WayOut: x.WayOut, Builds: true, text: x.Text})
	}
	slices.SortStableFunc(list, func(a, b Finding) int {
		switch {
		case before(a.Pos, b.Pos):
			return -1
		case before(b.Pos, a.Pos):
			return 1
		}
		return strings.Compare(a.Reason, b.Reason)
	})
	return list, nil
}
