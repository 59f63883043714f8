package load

import (
	"path/filepath"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/directive"
)

// expand returns the text of a file in which directives that are statements have become calls.
func (s *skeleton) expand(name string, src []byte) []byte {
	if s.has(name) || s.goroot != "" && strings.HasPrefix(name, filepath.Join(s.goroot, "src")+string(filepath.Separator)) {
		return src
	}
	e := directive.Expand(name, src)
	if e == nil {
		return src
	}
	s.lock.Lock()
	s.directives[name] = e
	s.lock.Unlock()
	if e.Text == nil {
		return src
	}
	return e.Text
}

// Expanded returns the text of a file with calls in place of directives, nil if it is as it was
// written.
func (p *Program) Expanded(name string) []byte {
	if e := p.directives[name]; e != nil {
		return e.Text
	}
	return nil
}

// Misdirected returns the directives that can't be followed: those of the user's own packages that
// are wrong, and statements in packages that are not rewritten. It is asked when it is known which
// are.
func (p *Program) Misdirected() []directive.Problem {
	var list []directive.Problem
	seen := make(map[string]bool) // variants for tests have the files of their packages
	for _, pkg := range p.All {
		for _, name := range pkg.CompiledGoFiles {
			e := p.directives[name]
			if e == nil || seen[name] {
				continue
			}
			seen[name] = true
			if Own(pkg) {
				list = append(list, e.Problems...)
				continue
			}
			if p.Rewrites(pkg) {
				continue
			}
			for _, at := range e.Statements {
				list = append(list, directive.Problem{Pos: at, Reason: "a directive in package " + pkg.PkgPath + ", which is not rewritten, would have no effect",
					WayOut: "call the function of package ckp there, or make the module one of your own by a replace directive"})
			}
		}
	}
	return list
}
