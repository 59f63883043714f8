package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// Coverage. A profile tells of the blocks of what the user has written, so the counters must be
// there before anything is rewritten. The go command has its tool cover put them in while it
// builds, and gives it the user's files and not those of the overlay. So the program is rewritten
// twice: as it is, for the overlay, and with the counters that the tool puts in, which is run here
// for that. While it builds, the go command runs the tool by way of this command (-toolexec), which
// puts the second into the place of what the tool has written: see covertool.go.
//
// What the counters are declared by, and how they are reported, remains the go command's. They are
// package variables of the program, so they are saved: a process that goes on from a checkpoint
// counts on.

// replacing is what tools of the go command are told otherwise of a program, for coverage and for
// embedded files.
type replacing struct {
	// Files are the rewritten files with counters, by the names of the user's files.
	Files map[string]coveredFile
	// Rewritten are all files of the overlay.
	Rewritten []string
	// Key tells the versions of the program apart, if there are such files.
	Key string
	// Embedded are files of the overlay that the program embeds, by where they lie: the user's
	// file, or "" if the user has none.
	Embedded map[string]string
}

// A coveredFile is a rewritten file with counters.
type coveredFile struct {
	Name  string // where it lies
	Plain string // hash of what the tool writes for the user's file; "" if the user has none of this name

	text []byte
}

// cover rewrites the program a second time, with counters in the packages that changes are made to.
func (a analysed) cover(ctx context.Context, sources *instrument.Sources) (map[string]coveredFile, error) {
	tmp, err := os.MkdirTemp("", "ckpgen-cover-")
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	defer os.RemoveAll(tmp)
	changed := make(map[string]bool) // folders
	for name := range sources.Files {
		changed[filepath.Dir(name)] = true
	}
	overlay, plain, folders := make(map[string][]byte), make(map[string]string), make(map[string]bool)
	reports := make(map[string]bool) // files that have the import
	for _, pkg := range a.Program.All {
		if !load.Own(pkg) || len(pkg.GoFiles) == 0 || !changed[filepath.Dir(pkg.GoFiles[0])] || folders[filepath.Dir(pkg.GoFiles[0])] {
			continue
		}
		if slices.ContainsFunc(pkg.GoFiles, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
			continue // what there is of it without tests is another package of the program
		}
		if len(pkg.CompiledGoFiles) != len(pkg.GoFiles) {
			continue // with cgo; told when it is asked for
		}
		files, variables, err := a.counters(ctx, tmp, pkg)
		if err != nil {
			return nil, err
		}
		dir := filepath.Dir(pkg.GoFiles[0])
		folders[dir] = true
		for i, name := range pkg.GoFiles {
			sum := sha256.Sum256(files[i])
			plain[name] = hex.EncodeToString(sum[:])
			_, text, _ := bytes.Cut(files[i], []byte("\n")) // without the directive that names the file
			// What the import leads to is no more of the program than without counters.
			overlay[name] = bytes.Replace(text, []byte(reporting), nil, 1)
			reports[name] = len(overlay[name]) < len(text)
		}
		overlay[filepath.Join(dir, countersFile)] = variables
	}
	if len(folders) == 0 {
		return make(map[string]coveredFile), nil // the tool still tells what can't be measured
	}
	cfg, patterns := a.config, a.patterns
	cfg.Overlay, cfg.Files = overlay, nil
	if strings.HasSuffix(patterns[0], ".go") {
		folder, _ := filepath.Split(patterns[0]) // the go command wants it to be the same for all
		patterns = append(slices.Clone(patterns), folder+countersFile)
	}
	again, err := instrument.Analyze(ctx, cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("program with counters: %w", err)
	}
	again.Line, again.Unread = a.Line, a.Unread
	again.Read = func(name string) ([]byte, error) {
		if text, ok := overlay[name]; ok {
			return text, nil
		}
		return os.ReadFile(name)
	}
	second, err := again.Rewrite()
	if err != nil {
		return nil, err
	}
	list := make(map[string]coveredFile)
	for _, texts := range []map[string][]byte{sources.Files, second.Files} {
		for name := range texts {
			if !folders[filepath.Dir(name)] || strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, ok := second.Files[name]
			if !ok || !slices.Equal(functionsIn(text), functionsIn(sources.Files[name])) {
				return nil, fmt.Errorf("coverage: with counters, %s is rewritten in another way; please report it with the source", name)
			}
			if reports[name] {
				text = packageClause.ReplaceAll(text, []byte("$0"+reporting))
			}
			if plain[name] != "" {
				text = append([]byte("//line "+name+":1:1\n"), text...)
			}
			list[name] = coveredFile{Plain: plain[name], text: text}
		}
	}
	return list, nil
}

// countersFile is the name of the file that declares the counters of a package, for the analysis.
// It comes after the names of files with registrations, of which each is chosen to come before all
// that are there.
const countersFile = "counters_of_ckpgen.go"

// reporting is what the tool adds to the package clause of main.
const reporting = `; import _ "runtime/coverage"`

var packageClause = regexp.MustCompile(`(?m)^package main\b`)

var registeredName = regexp.MustCompile(`(?m)^\t?Name: +".*",$`) // formatted or not

// functionsIn returns the names of the functions that a file registers.
func functionsIn(text []byte) []string { return registeredName.FindAllString(string(text), -1) }

// analysed is a program and how it was loaded.
type analysed struct {
	*instrument.Analysis
	config   load.Config
	patterns []string
	mode     string // of counters
	tools    toolchain
}

// counters has the tool put counters into the files of a package, and returns their texts, in the
// order of pkg.GoFiles, and a file that declares the variables.
func (a analysed) counters(ctx context.Context, tmp string, pkg *packages.Package) (files [][]byte, variables []byte, err error) {
	cfg := struct {
		PkgPath, PkgName, Granularity, OutConfig, ModulePath string
	}{PkgPath: pkg.PkgPath, PkgName: pkg.Name, Granularity: "perblock", OutConfig: filepath.Join(tmp, "config")}
	if pkg.Module != nil {
		cfg.ModulePath = pkg.Module.Path
	}
	b, err := json.Marshal(cfg)
	if err != nil {
		return nil, nil, err
	}
	outputs := []string{filepath.Join(tmp, "variables.go")}
	for i := range pkg.GoFiles {
		outputs = append(outputs, filepath.Join(tmp, fmt.Sprintf("%d.go", i)))
	}
	pkgcfg, list := filepath.Join(tmp, "pkgcfg"), filepath.Join(tmp, "list")
	if err := os.WriteFile(pkgcfg, b, 0o666); err != nil {
		return nil, nil, err
	}
	if err := os.WriteFile(list, []byte(strings.Join(outputs, "\n")+"\n"), 0o666); err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256([]byte(pkg.PkgPath))
	args := []string{"tool", "cover", "-pkgcfg", pkgcfg, "-mode", a.mode, "-var", fmt.Sprintf("goCover_%x_", sum[:6]), "-outfilelist", list}
	cmd := exec.CommandContext(ctx, a.tools.command, append(args, pkg.GoFiles...)...)
	cmd.Dir = a.config.Dir
	if cmd.Env = a.config.Env; len(a.tools.env) > 0 {
		cmd.Env = append(cmd.Environ(), a.tools.env...)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("counters of package %s: %w\n%s", pkg.PkgPath, err, out)
	}
	for _, name := range outputs {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, text)
	}
	return files[1:], declared(files[0]), nil
}

var (
	described = regexp.MustCompile(`(?s)var goCover_\w+M = \[\.\.\.\]byte\{.*?\n?\}\n`)
	numbered  = regexp.MustCompile(`(?m)^var goCover_\w+P uint32$`)
)

// declared returns the declarations of the variables that the program has of its counters. The
// number of the package is one that the process gives it, and what describes the counters can't be
// written to.
func declared(text []byte) []byte {
	return numbered.ReplaceAll(described.ReplaceAll(text, nil), []byte("//ckp:transient\n$0"))
}

// write adds it to an entry of the cache, with the files that have counters.
func (c replacing) write(tmp, final string, list map[string]coveredFile) error {
	c.Files = make(map[string]coveredFile)
	h := sha256.New()
	for i, name := range slices.Sorted(maps.Keys(list)) {
		f := list[name]
		base := fmt.Sprintf("cover%03d_%s", i, filepath.Base(name))
		if err := os.WriteFile(filepath.Join(tmp, base), f.text, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d\n%s", name, len(f.text), f.text)
		f.Name = filepath.Join(final, base)
		c.Files[name] = f
	}
	if list != nil {
		c.Key = hex.EncodeToString(h.Sum(nil)[:20])
	}
	b, err := json.MarshalIndent(c, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(tmp, replacingFile), b, 0o666)
}

const replacingFile = "tools.json"

// toolexec returns the flag by which the go command runs its tools by way of this one.
func (p *Program) toolexec() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("tools of the go command: %w", err)
	}
	var words []string
	for _, word := range []string{exe, ToolVerb, p.replaced} {
		if strings.ContainsAny(word, " \t'\"") {
			if strings.Contains(word, "'") {
				return "", fmt.Errorf("the go command can't be told the file name %s", word)
			}
			word = "'" + word + "'"
		}
		words = append(words, word)
	}
	return "-toolexec=" + strings.Join(words, " "), nil
}
