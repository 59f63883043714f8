package closure

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// The runtime describes each goroutine in a struct, whose address assembly finds in a register or in
// storage of the thread. Packages look up there what number the goroutine has:
//
//	TEXT ·number(SB), NOSPLIT, $0-8
//		MOVQ (TLS), AX
//		MOVQ 152(AX), AX
//		MOVQ AX, ret+0(FP)
//		RET

// descriptor is what stands for the address of the description in assembly.
var descriptor = regexp.MustCompile(`\(TLS\)|[\s(,]g[\s(),]`)

// text is where a function of the package begins in assembly.
var text = regexp.MustCompile(`(?m)^TEXT[ \t]+·(\w+)\(SB\)`)

// describing returns the names of the functions of a package that are assembly which gets at the
// description of the goroutine. files are those of the package that are not Go.
func describing(files []string) map[string]bool {
	names := make(map[string]bool)
	for _, file := range files {
		if filepath.Ext(file) != ".s" {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			continue // the build tells
		}
		found := text.FindAllSubmatchIndex(src, -1)
		for i, at := range found {
			end := len(src)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			for line := range strings.Lines(string(src[at[1]:end])) {
				code, _, _ := strings.Cut(line, "//")
				if descriptor.MatchString(code) {
					names[string(src[at[2]:at[3]])] = true
				}
			}
		}
	}
	return names
}

// describes reports whether a function is one of these.
func describes(fn *ssa.Function, names map[string]map[string]bool) bool {
	return bodiless(fn) && fn.Signature.Recv() == nil && names[packagePath(fn)][fn.Name()]
}
