package load

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/polls"
)

// A PolledError is a pattern of Config.Polled that names no package which can poll.
type PolledError struct{ Pattern, Reason string }

// Error returns the pattern, and the reason.
func (e *PolledError) Error() string { return fmt.Sprintf("-auto=%s: %s", e.Pattern, e.Reason) }

// setPolled finds the packages of the program that patterns name. They are those of the go command:
// import paths or, if they begin with a dot, directories, of which "..." stands for any text, and
// at the end after a slash for none as well. The error is a *PolledError.
func (p *Program) setPolled(dir string, patterns []string) error {
	if len(patterns) == 0 {
		return nil
	}
	p.polled = make(map[string]bool)
	for _, pattern := range patterns {
		match, reason := matcher(dir, pattern), "no package of the program is named so; 'go list -deps' lists them"
		found := false
		for _, pkg := range p.All {
			switch {
			case !match(pkg):
			case Own(pkg), Dependency(pkg):
				p.polled[pkg.PkgPath], found = true, true
				if Dependency(pkg) {
					p.added[pkg.PkgPath] = true
				}
			default:
				reason = "packages of the standard library do not poll, nor do ckpgen's own"
			}
		}
		if !found {
			return &PolledError{pattern, reason}
		}
	}
	return nil
}

// setChosen has packages of the program poll that have chosen places.
func (p *Program) setChosen(c *polls.Choice) {
	chosen := make(map[string]bool)
	for _, place := range c.Places {
		chosen[place.Path] = true
	}
	p.polled = make(map[string]bool)
	for _, pkg := range p.All {
		if chosen[pkg.PkgPath] && (Own(pkg) || Dependency(pkg)) {
			p.polled[pkg.PkgPath] = true
			if Dependency(pkg) {
				p.added[pkg.PkgPath] = true
			}
		}
	}
}

// matcher returns a function that reports whether a pattern names a package.
func matcher(dir, pattern string) func(*packages.Package) bool {
	name := func(pkg *packages.Package) string { return pkg.PkgPath }
	if local := pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../"); local || filepath.IsAbs(pattern) {
		if local {
			pattern = filepath.Join(dir, filepath.FromSlash(pattern))
		}
		pattern = filepath.ToSlash(pattern)
		name = func(pkg *packages.Package) string {
			if len(pkg.GoFiles) == 0 {
				return ""
			}
			return filepath.ToSlash(filepath.Dir(pkg.GoFiles[0]))
		}
	}
	text := strings.ReplaceAll(regexp.QuoteMeta(strings.ToValidUTF8(pattern, "\uFFFD")), `\.\.\.`, ".*")
	if rest, ok := strings.CutSuffix(text, "/.*"); ok {
		text = rest + "(/.*)?"
	}
	form := regexp.MustCompile("^" + text + "$")
	return func(pkg *packages.Package) bool { return form.MatchString(name(pkg)) }
}
