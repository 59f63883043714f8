package instrument

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// singletons are objects that packages of the standard library make once, and give to everybody who
// calls a function: a program may compare them, and the packages themselves do; or that they keep
// in fields of what they make. In a process that goes on from a checkpoint they are those that the
// packages give there. What is in exported variables is bound by the variable's name, and need not
// be listed.
var singletons = []singleton{
	{path: "crypto/ecdh", calls: []string{"P256", "P384", "P521", "X25519"}},
	// The parameters are compared where keys are.
	{path: "crypto/elliptic", calls: []string{"P224", "P256", "P384", "P521"}, more: ".Params()"},
	{path: "crypto/hpke", calls: []string{"AES128GCM", "AES256GCM", "ChaCha20Poly1305", "HKDFSHA256", "HKDFSHA384", "HKDFSHA512", "SHAKE128", "SHAKE256",
		"MLKEM768", "MLKEM1024", "MLKEM768P256", "MLKEM768X25519", "MLKEM1024P384"}},
	{path: "crypto/hpke", uses: "DHKEM", text: `for _, id := range []uint16{0x10, 0x11, 0x12, 0x20} {
kem, _ := %[1]s.NewKEM(id)
name("crypto/hpke.NewKEM", int(id), kem)
}`},
	// Errors that tell a state, and are not for the program.
	{path: "compress/flate", uses: "NewWriter", text: `if w, err := %[1]s.NewWriter(%[2]s.Discard, %[1]s.NoCompression); err == nil && w.Close() == nil {
name("compress/flate.errWriterClosed", 0, w, "d", "err")
}`},
	{path: "compress/lzw", uses: "NewWriter", text: `if w := %[1]s.NewWriter(%[2]s.Discard, %[1]s.LSB, 8); w.Close() == nil {
name("compress/lzw.errClosed", 0, w, "err")
}`},
	{path: "html/template", uses: "New", text: `if t := %[1]s.Must(%[1]s.New("t").Parse("")); t.Execute(%[2]s.Discard, nil) == nil {
name("html/template.escapeOK", 0, t, "escapeErr")
}`},
	// The types that every program has are compared by their addresses.
	{path: "go/types", uses: "init", text: `for i, t := range %[1]s.Typ {
name("go/types.Typ", i, t)
}
for _, n := range %[1]s.Universe.Names() {
obj := %[1]s.Universe.Lookup(n)
name("go/types.Universe."+n, 0, obj)
if t := obj.Type(); t != nil {
name("go/types.Universe."+n+".Type()", 0, t)
name("go/types.Universe."+n+".Type().Underlying()", 0, t.Underlying())
if t, ok := t.Underlying().(*%[1]s.Interface); ok {
for i := 0; i < t.NumMethods(); i++ {
name("go/types.Universe."+n+".Method", i, t.Method(i))
name("go/types.Universe."+n+".Method.Type()", i, t.Method(i).Type())
}
}
}
}
name("go/types.NewInterfaceType(nil, nil)", 0, %[1]s.NewInterfaceType(nil, nil))`},
	{path: "hash/crc32", uses: "MakeTable", text: `name("hash/crc32.MakeTable(Castagnoli)", 0, %[1]s.MakeTable(%[1]s.Castagnoli))`},
	{path: "hash/crc64", uses: "MakeTable", text: `name("hash/crc64.MakeTable(ISO)", 0, %[1]s.MakeTable(%[1]s.ISO))
name("hash/crc64.MakeTable(ECMA)", 0, %[1]s.MakeTable(%[1]s.ECMA))`},
	{path: "time", uses: "FixedZone", text: `for hour := -12; hour <= 14; hour++ {
name("time.FixedZone", hour, %[1]s.FixedZone("", hour*3600))
}`},
	{path: "unicode", uses: "init", text: `for n, t := range %[1]s.FoldCategory {
name("unicode.FoldCategory."+n, 0, t)
}
for n, t := range %[1]s.FoldScript {
name("unicode.FoldScript."+n, 0, t)
}`},
}

// A singleton is one object of a package, or several.
type singleton struct {
	path string
	// calls are functions without parameters that return one each; more is written behind a call
	// for one more.
	calls []string
	more  string
	// text are statements that hand them to the function name of a shadow.Package, as
	// rewrite.Statements have them. uses is a function without which the program does not get at
	// them.
	uses, text string
}

// singletonsFor returns the statements that name the singletons of the packages. Functions that the
// program does not call, even in the standard library, it shall not link because of this.
func (a *Analysis) singletonsFor(importable []*types.Package) []rewrite.Statements {
	byPath := make(map[string]*types.Package)
	for _, pkg := range importable {
		byPath[pkg.Path()] = pkg
	}
	var list []rewrite.Statements
	for _, s := range singletons {
		pkg := byPath[s.path]
		if pkg == nil {
			continue
		}
		var lines []string
		if s.text != "" && a.Closure.Runs(s.path, s.uses) {
			lines = append(lines, s.text)
		}
		for _, f := range s.calls {
			if !a.Closure.Runs(s.path, f) {
				continue
			}
			lines = append(lines, fmt.Sprintf("name(%q, 0, %%[1]s.%s())", s.path+"."+f, f))
			if s.more != "" {
				lines = append(lines, fmt.Sprintf("name(%q, 0, %%[1]s.%s()%s)", s.path+"."+f+"()"+s.more, f, s.more))
			}
		}
		if len(lines) > 0 {
			list = append(list, rewrite.Statements{Package: pkg, Text: strings.Join(lines, "\n")})
		}
	}
	return list
}
