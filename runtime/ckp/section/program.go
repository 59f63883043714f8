package section

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// programFormat is the version of the sections and of the meaning of the
// fingerprints in it.
const programFormat = 2

// A Program is the fingerprint of an instrumented program: whatever must be
// equal for an image to be continued by a binary. It is the same on all
// architectures.
type Program struct {
	Format    int        `json:"format"`
	Image     int        `json:"image"` // version of the image format
	Functions []Function `json:"functions"`
	Variables []Variable `json:"variables"`
}

// A Function is an instrumented function and the hash of its source and frame
// layout.
type Function struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // what people know it by, if it is not Name
	Fingerprint string `json:"fingerprint"`
}

// String returns what people know the function by.
func (f Function) String() string {
	if f.Title != "" {
		return f.Title
	}
	return f.Name
}

// A Variable is a package variable, or the state of a library, and its type.
type Variable struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Encode returns the section. Equal programs have equal sections.
func (p *Program) Encode() ([]byte, error) {
	p.Format = programFormat
	slices.SortFunc(p.Functions, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(p.Variables, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return json.Marshal(p)
}

// Hash returns a hash of an encoded section, as it stands in manifests.
func Hash(section []byte) string {
	h := fnv.New128a()
	h.Write(section)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Differences returns what has changed from p, the program of an image, to q, the running one: a
// line for each function and variable that is not the same. If it returns none, q can go on where p
// was. If counts is not nil, q is for another machine: those functions count for which it returns
// true, and variables need not be there in both.
func (p *Program) Differences(q *Program, counts func(Function) bool) []string {
	var lines []string
	note := func(f Function, what string) {
		if counts == nil || counts(f) {
			lines = append(lines, "function "+f.String()+what)
		}
	}
	if p.Format != q.Format || p.Image != q.Image {
		lines = append(lines, fmt.Sprintf("image format %d.%d, this program uses %d.%d", p.Image, p.Format, q.Image, q.Format))
	}
	was := make(map[string]string, len(p.Functions))
	for _, f := range p.Functions {
		was[f.Name] = f.Fingerprint
	}
	for _, f := range q.Functions {
		old, ok := was[f.Name]
		switch {
		case !ok:
			note(f, " is new")
		case old != f.Fingerprint:
			note(f, " was changed")
		}
		delete(was, f.Name)
	}
	for _, f := range p.Functions {
		if _, ok := was[f.Name]; ok {
			note(f, " is gone")
		}
	}
	types := make(map[string]string, len(p.Variables))
	for _, v := range p.Variables {
		types[v.Name] = v.Type
	}
	for _, v := range q.Variables {
		old, ok := types[v.Name]
		switch {
		case !ok:
			if counts == nil {
				lines = append(lines, "variable "+v.Name+" is new")
			}
		case old != v.Type:
			lines = append(lines, "variable "+v.Name+" was "+old+" and is "+v.Type)
		}
		delete(types, v.Name)
	}
	for _, v := range p.Variables {
		if _, ok := types[v.Name]; ok && counts == nil {
			lines = append(lines, "variable "+v.Name+" is gone")
		}
	}
	return lines
}
