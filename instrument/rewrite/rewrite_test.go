package rewrite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/ckpgen/ckpgen/instrument"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// rewriteArchive unpacks an archive below testdata into a module of its own and
// rewrites it. The cases need no package of ours: a function point of their own has
// the directive that makes it a checkpoint call. With polls if the comment begins so.
func rewriteArchive(t *testing.T, ar *txtar.Archive) (map[string]string, []rewrite.Refusal) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range ar.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, f.Data, 0o666))
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/case\n\ngo 1.24\n"), 0o666))
	}
	a, err := instrument.Analyze(context.Background(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS="), Auto: bytes.HasPrefix(ar.Comment, []byte("With polls"))}, ".")
	require.NoError(t, err)
	sources, err := a.Rewrite()
	var refused *instrument.Refused
	if errors.As(err, &refused) {
		for i := range refused.Refusals {
			pos := &refused.Refusals[i].Pos
			rel, err := filepath.Rel(dir, pos.Filename)
			require.NoError(t, err)
			pos.Filename = filepath.ToSlash(rel)
		}
		return nil, refused.Refusals
	}
	require.NoError(t, err)
	files := make(map[string]string)
	for name, text := range sources.Files {
		rel, err := filepath.Rel(dir, name)
		require.NoError(t, err)
		_, err = format.Source(text)
		require.NoError(t, err, "%s", text)
		files[filepath.ToSlash(rel)] = string(text)
	}
	return files, nil
}

var directive = regexp.MustCompile(`(?m)^//line .*\n|/\*line [^*]*\*/`)

// squeezed drops line directives and makes one space of all white space, so that a
// case shows what matters of the rewritten source.
func squeezed(text string) string {
	return strings.Join(strings.Fields(directive.ReplaceAllString(text, "")), " ")
}

var refusalMark = regexp.MustCompile(`// refused: (.*)$`)

// TestCases runs the archives below testdata. A line that ends with "// refused: text"
// must be refused with that text as reason, in the form "reason; way out", and no other
// line may be. An archive without such lines has files named contains/NAME and lacks/NAME:
// each paragraph of theirs must be, or must not be, in the rewritten file NAME, whatever
// the white space.
func TestCases(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(archive)
			require.NoError(t, err)
			require.NotEmpty(t, strings.TrimSpace(string(ar.Comment)), "a case says why it exists")
			var want, got []string
			for _, f := range ar.Files {
				for i, line := range strings.Split(string(f.Data), "\n") {
					if m := refusalMark.FindStringSubmatch(line); m != nil {
						want = append(want, fmt.Sprintf("%s:%d: %s", f.Name, i+1, m[1]))
					}
				}
			}
			files, refusals := rewriteArchive(t, ar)
			for _, r := range refusals {
				require.NotEmpty(t, r.WayOut)
				got = append(got, fmt.Sprintf("%s:%d: %s; %s", r.Pos.Filename, r.Pos.Line, r.Reason, r.WayOut))
			}
			slices.Sort(want)
			slices.Sort(got)
			require.Equal(t, strings.Join(want, "\n"), strings.Join(slices.Compact(got), "\n"))

			for _, f := range ar.Files {
				what, name, _ := strings.Cut(f.Name, "/")
				if what != "contains" && what != "lacks" {
					continue
				}
				text, ok := files[name]
				require.True(t, ok, "no rewritten file %s", name)
				for _, paragraph := range strings.Split(strings.TrimSpace(string(f.Data)), "\n\n") {
					if what == "contains" {
						require.Contains(t, squeezed(text), squeezed(paragraph), "%s", text)
					} else {
						require.NotContains(t, squeezed(text), squeezed(paragraph), "%s", text)
					}
				}
			}
		})
	}
}

// TestShelves rewrites a table whose rows call functions. What is written must not grow faster than
// the table.
func TestShelves(t *testing.T) {
	t.Parallel()
	length := func(rows int) int {
		var b strings.Builder
		b.WriteString("package main\n//ckp:point\nfunc point(n int) string { return \"\" }\ntype row struct { n int; s string; list []any }\nfunc table() []row {\nreturn []row{\n")
		for i := range rows {
			fmt.Fprintf(&b, "{%d, point(%d), []any{point(1), 2}},\n", i, i)
		}
		b.WriteString("}\n}\nfunc main() { println(len(table())) }\n")
		files, refusals := rewriteArchive(t, &txtar.Archive{Files: []txtar.File{{Name: "main.go", Data: []byte(b.String())}}})
		require.Empty(t, refusals)
		require.Contains(t, squeezed(files["main.go"]), fmt.Sprintf("shelf1 = make([]string, %d)", 2*rows))
		return len(files["main.go"])
	}
	require.Less(t, length(400), 5*length(100))
}

// TestOutlined rewrites a function whose copies would be too large for the compiler to inline
// anything into, and one that is half as large.
func TestOutlined(t *testing.T) {
	t.Parallel()
	rewritten := func(statements int) string {
		const rest = "sum = sum*31 + i ^ n + sum>>3 + i*n ^ sum*i + n*7\n"
		files, refusals := rewriteArchive(t, &txtar.Archive{Files: []txtar.File{{Name: "main.go", Data: fmt.Appendf(nil, `package main

//ckp:point
func point(i int) int { return i }

func run(n int) (sum int) {
	for i := 0; i < n; i++ {
		if point(i) == 7 {
			break
		}
		%s
	}
	return sum + n
}

func main() { println(run(100)) }
`, strings.Repeat(rest, statements))}}})
		require.Empty(t, refusals)
		return squeezed(files["main.go"])
	}
	large := rewritten(90)
	for _, text := range []string{
		"var home *run_home sum = run_restored(fr.(*run_frame), &home) if home == nil { return } n = home.n sum = home.sum i = home.i goto loop1_home",
		"call1 = point(i) if shadow.Busy == 0 { goto on1 }; if shadow.Unwinding() { run_save1(1, n, sum, i); return } on1: if call1 == 7",
		"func run_restored(fr *run_frame, home **run_home) (sum int) {",
		"resume1: call1 = point(i) if shadow.Unwinding() { run_save1(1, n, sum, i); return }",
		"done1_restored: return sum + n exit1: *home",
		"exit1: *home = &run_home{At: 1, n: n, sum: sum, i: i} return",
	} {
		require.Contains(t, large, text)
	}
	require.NotContains(t, large, "loop1_again")
	require.NotContains(t, rewritten(45), "run_restored")
}

// TestOutlinedErrors rewrites such a function with an error that it returns behind its loop only:
// what the error leads to is kept off the stack of the function that the copy of the loop is.
func TestOutlinedErrors(t *testing.T) {
	t.Parallel()
	files, refusals := rewriteArchive(t, &txtar.Archive{Files: []txtar.File{{Name: "main.go", Data: fmt.Appendf(nil, `package main

import "unsafe"

//ckp:point
func point(i int) int { return i }

type failure struct{ at unsafe.Pointer }

func (f *failure) Error() string { return "" }

func try(x *int) error { return &failure{unsafe.Pointer(x)} }

var number int

func run(n int) (int, error) {
	var err error
	sum := 0
	for i := 0; i < n; i++ {
		err = try(&number)
		point(i)
		if err != nil {
			sum++
		}
		%s
	}
	err = try(&number)
	return sum, err
}

func main() { run(100) }
`, strings.Repeat("sum = sum*31 + i ^ n + sum>>3 + i*n ^ sum*i + n*7\n", 90))}}})
	require.Empty(t, refusals)
	text := squeezed(files["main.go"])
	require.Contains(t, text, "err = try(&number) point(i)")
	_, restored, found := strings.Cut(text, "func run_restored(")
	require.True(t, found)
	require.Contains(t, restored, "shadow.KeepError(err) switch fr.At {")
}
