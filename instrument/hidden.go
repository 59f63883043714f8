package instrument

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A frame may have to name a type that its package can't name: of a variable that holds what a
// function of another package returned. If the type is not exported, its package gets an exported
// alias for it, in a file of its own, rewritten or not: that it is of the user's or of another
// module will do. If the type is of an internal package, it is named by way of a package between,
// which the one may import and which imports the other: such packages often have an exported alias
// for it, and get one else. A type that a file of tests declares is seen by the external tests of
// the package only, as its alias is.
type hiddenTypes struct {
	owners map[*types.Package]*packages.Package // whose types can be made known

	lock  sync.Mutex
	asked map[*packages.Package]map[string]hiddenType // by alias
}

// A hiddenType is what an alias stands for: a type of the package itself, or one of another package
// by a name that this exports.
type hiddenType struct {
	obj      *types.TypeName
	exported string // "" if it is of the package itself
}

func newHiddenTypes(p *load.Program, pkgs []*packages.Package) *hiddenTypes {
	h := &hiddenTypes{owners: make(map[*types.Package]*packages.Package), asked: make(map[*packages.Package]map[string]hiddenType)}
	for _, pkg := range pkgs {
		// What tests a main package, from outside, is all that can import it.
		if !p.StandardLibrary(pkg) && (pkg.Name != "main" || load.Variant(pkg)) {
			h.owners[pkg.Types] = pkg
		}
	}
	return h
}

// others makes the packages of other modules, which are not rewritten, some whose types can be made
// known.
func (h *hiddenTypes) others(p *load.Program) {
	for _, pkg := range p.All {
		if load.Dependency(pkg) && !load.Variant(pkg) && !load.System(pkg) && pkg.Name != "main" && len(pkg.GoFiles) > 0 && h.owners[pkg.Types] == nil {
			h.owners[pkg.Types] = pkg
		}
	}
}

// name returns the package that the package from can import to name a type, and the name that it
// exports; "" if there is none. importable tells what from can import.
func (h *hiddenTypes) name(from *types.Package, obj *types.TypeName, importable func(path string) bool) (*types.Package, string) {
	name := obj.Name()
	if !obj.Exported() {
		if name = h.alias(obj); name == "" {
			return nil, ""
		}
	}
	if importable(obj.Pkg().Path()) {
		return obj.Pkg(), name
	}
	if t, ok := obj.Type().(interface{ TypeParams() *types.TypeParamList }); ok && t.TypeParams().Len() > 0 || obj.Parent() != obj.Pkg().Scope() {
		return nil, ""
	}
	var between *types.Package // one that gets an alias
	for _, pkg := range imported(from) {
		if !importable(pkg.Path()) || !slices.Contains(pkg.Imports(), obj.Pkg()) {
			continue
		}
		for _, name := range pkg.Scope().Names() {
			if other, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && other.Exported() && other.IsAlias() && types.Unalias(other.Type()) == types.Unalias(obj.Type()) && !h.inTest(pkg, other) {
				return pkg, name
			}
		}
		if between == nil && h.owners[pkg] != nil {
			between = pkg
		}
	}
	if between == nil {
		return nil, ""
	}
	return between, h.ask(between, identifier(obj.Pkg().Path())+"_"+name, hiddenType{obj, name})
}

// imported returns the packages that a package imports, and those that these import: nearer ones
// first, then by path.
func imported(from *types.Package) []*types.Package {
	var all []*types.Package
	seen := map[*types.Package]bool{from: true}
	for next := []*types.Package{from}; len(next) > 0; {
		var more []*types.Package
		for _, pkg := range next {
			for _, p := range pkg.Imports() {
				if !seen[p] {
					seen[p] = true
					more = append(more, p)
				}
			}
		}
		slices.SortFunc(more, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
		all, next = append(all, more...), more
	}
	return all
}

// identifier returns an import path as a part of an identifier.
func identifier(path string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, path)
}

// inTest reports whether a name is declared in a file of tests, which other packages do not see.
func (h *hiddenTypes) inTest(pkg *types.Package, obj *types.TypeName) bool {
	owner := h.owners[pkg]
	return owner != nil && strings.HasSuffix(owner.Fset.PositionFor(obj.Pos(), false).Filename, "_test.go")
}

// alias returns the name of an exported alias for a type, or "" if there can be none.
func (h *hiddenTypes) alias(obj *types.TypeName) string {
	if h.owners[obj.Pkg()] == nil || obj.Parent() != obj.Pkg().Scope() {
		return ""
	}
	return h.ask(obj.Pkg(), obj.Name(), hiddenType{obj: obj})
}

// ask makes a package get an alias, and returns its name.
func (h *hiddenTypes) ask(pkg *types.Package, name string, what hiddenType) string {
	name = "Ckpgen_" + name
	for pkg.Scope().Lookup(name) != nil {
		name += "_"
	}
	h.lock.Lock()
	defer h.lock.Unlock()
	owner := h.owners[pkg]
	if h.asked[owner] == nil {
		h.asked[owner] = make(map[string]hiddenType)
	}
	h.asked[owner][name] = what
	return name
}

// declaration returns the declaration of an alias. It notes the packages that the constraints
// of type parameters name.
func declaration(name string, t hiddenType, imports map[string]string) (text string, generic bool) {
	obj := t.obj
	if t.exported != "" {
		by := "ckpgen_" + identifier(obj.Pkg().Path())
		imports[obj.Pkg().Path()] = by
		return fmt.Sprintf("type %s = %s.%s\n", name, by, t.exported), false
	}
	var list *types.TypeParamList
	if t, ok := obj.Type().(interface{ TypeParams() *types.TypeParamList }); ok {
		list = t.TypeParams()
	}
	if list.Len() == 0 {
		return fmt.Sprintf("type %s = %s\n", name, obj.Name()), false
	}
	qualified := func(p *types.Package) string {
		if p == obj.Pkg() {
			return ""
		}
		imports[p.Path()] = p.Name()
		return p.Name()
	}
	var params, args []string
	for i := range list.Len() {
		param := list.At(i).Obj().Name()
		if param == "_" {
			param = fmt.Sprintf("Blank%d", i+1)
		}
		args = append(args, param)
		// In an interface, as [P *T] would be taken for the length of an array.
		params = append(params, param+" interface{ "+types.TypeString(list.At(i).Constraint(), qualified)+" }")
	}
	return fmt.Sprintf("type %s[%s] = %s[%s]\n", name, strings.Join(params, ", "), obj.Name(), strings.Join(args, ", ")), true
}

// aliasesOf are those that one file of a package declares.
type aliasesOf struct {
	pkg     *packages.Package
	aliases map[string]hiddenType
}

// byFile returns the aliases of each file. A package, and what of it is compiled anew for a test,
// have one file.
func (h *hiddenTypes) byFile() map[string]aliasesOf {
	files := make(map[string]aliasesOf)
	for pkg, aliases := range h.asked {
		for name, t := range aliases {
			file := filepath.Join(filepath.Dir(pkg.GoFiles[0]), "ckpgen_hidden")
			end := ".go"
			if t.exported == "" && h.inTest(pkg.Types, t.obj) {
				end = "_test.go"
			}
			for i := 1; ; i++ {
				number := ""
				if i > 1 {
					number = fmt.Sprint(i)
				}
				if _, err := os.Lstat(file + number + end); err != nil {
					file += number + end
					break
				}
			}
			if files[file].pkg == nil {
				files[file] = aliasesOf{pkg, make(map[string]hiddenType)}
			}
			files[file].aliases[name] = t
		}
	}
	return files
}

// files calls put with the files of aliases.
func (h *hiddenTypes) files(put func(pkg *packages.Package, name string, text []byte) error) error {
	for file, of := range h.byFile() {
		pkg := of.pkg
		var lines []string
		imports := make(map[string]string)
		version := ""
		for name, t := range of.aliases {
			line, generic := declaration(name, t, imports)
			lines = append(lines, line)
			if generic {
				version = "//go:build go1.24\n\n"
			}
		}
		sort.Strings(lines)
		var paths []string
		for path, name := range imports {
			paths = append(paths, fmt.Sprintf("import %s %q\n", name, path))
		}
		sort.Strings(paths)
		text := fmt.Sprintf("// Code generated by ckpgen; DO NOT EDIT.\n\n%spackage %s\n\n%s\n// Types that frames of other packages hold.\n\n%s",
			version, pkg.Name, strings.Join(paths, ""), strings.Join(lines, "\n"))
		if err := put(pkg, file, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}
