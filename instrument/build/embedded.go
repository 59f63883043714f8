package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Embedded files. A program can embed its own Go files (//go:embed), often without intent, as by
// the pattern * in the package that has the line. The go command embeds what the overlay has of
// them, and finds the files that were added, too. So it runs the compiler by way of this command
// (-toolexec), which gives it the user's files, and none that the user does not have.
//
// What the compiler makes of a package is kept by the go command's cache under the contents of the
// files that it knows of. So the new text of such a file ends with a line that tells the old one.

// embeds returns the files among names that a package embeds, if they match a pattern of its.
func embeds(all []*packages.Package, names []string) []string {
	var list []string
	for _, pkg := range all {
		if len(pkg.EmbedPatterns) == 0 {
			continue
		}
		for _, name := range names {
			rel, ok := within(pkg.Dir, name)
			if ok && slices.ContainsFunc(pkg.EmbedPatterns, func(pattern string) bool {
				p, ok := within(pkg.Dir, pattern) // package packages has put the folder in front of it
				return ok && matches(p, rel)
			}) {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// within returns the path from a folder to what is in it, with slashes.
func within(dir, name string) (string, bool) {
	rel, err := filepath.Rel(dir, name)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// matches reports whether the pattern of a go:embed line names a file or a folder that it is in.
func matches(pattern, name string) bool {
	pattern = strings.TrimPrefix(pattern, "all:")
	for ; name != "."; name = path.Dir(name) {
		if ok, err := path.Match(pattern, name); ok || err != nil {
			return true
		}
	}
	return pattern == "."
}

// marked returns the new text of a file that is embedded, and whether the user has it.
func marked(name string, text []byte) ([]byte, bool, error) {
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, fmt.Errorf("embedded file: %w", err)
	}
	return fmt.Appendf(slices.Clone(text), "\n// Embedded as %x\n", sha256.Sum256(old)), err == nil, nil
}

// embedding is what the go command tells the compiler of embedded files.
type embedding struct {
	Patterns map[string][]string // to names
	Files    map[string]string   // by name, where they lie
}

// restored returns the arguments of the compiler with the user's files, by where those lie that
// stand in for them.
func restored(args []string, originals map[string]string) ([]string, error) {
	i := slices.Index(args, "-embedcfg") + 1
	if i == 0 || i == len(args) {
		return args, nil
	}
	var e embedding
	if err := readJSON(args[i], &e); err != nil {
		return nil, fmt.Errorf("embedded files: %w", err)
	}
	added := make(map[string]bool)
	for name, file := range e.Files {
		switch original, ok := originals[file]; {
		case !ok:
		case original == "":
			added[name] = true
			delete(e.Files, name)
		default:
			e.Files[name] = original
		}
	}
	for pattern, names := range e.Patterns {
		e.Patterns[pattern] = slices.DeleteFunc(names, func(name string) bool { return added[name] })
	}
	b, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("embedded files: %w", err)
	}
	args = slices.Clone(args)
	args[i] += ".ckpgen"
	if err := os.WriteFile(args[i], append(bytes.TrimSpace(b), '\n'), 0o666); err != nil {
		return nil, fmt.Errorf("embedded files: %w", err)
	}
	return args, nil
}
