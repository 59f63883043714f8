package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/instrument"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// A Program is an instrumented program in the cache, ready to be built.
type Program struct {
	// Overlay is the file for go build -overlay.
	Overlay string
	// Empty is set if no checkpoint can be reached from the program: then
	// nothing was rewritten.
	Empty bool
	// Obstacles are the frames that would be in the way of a checkpoint, as
	// lines of text.
	Obstacles []string
	// Losses are the places where the program does what means nothing in a process that goes on.
	Losses []string
	// Renamed are the embedded fields that have another name to reflection.
	Renamed []string
	// Carried is set if the runtime is added to the standard library: see
	// instrument.Carried.
	Carried bool
	// Leaf is set if parts of the runtime are added, and packages of the standard library are
	// rewritten.
	Leaf bool
	// Untestable says why checkpoints can't be taken in tests, if that is so.
	Untestable string
	// LeftOut has the packages that would be rewritten and can't be, if nothing is: that may be
	// why.
	LeftOut []string
	// Cached is set if the analysis was found in the cache.
	Cached bool

	key   string
	tools toolchain
	added []string // files that the rewriter added

	replaced string // file about what tools of the go command are told otherwise; "" if there is none
	embedded bool   // it tells of embedded files
}

// result is the part of a Program that is kept in the cache.
type result struct {
	// Sizes are those of the entry's files: what was being written as the machine died is shorter.
	Sizes map[string]int64 `json:"sizes"`

	Empty     bool     `json:"empty"`
	Obstacles []string `json:"obstacles"`
	Losses    []string `json:"losses"`
	Renamed   []string `json:"renamed"`
	Added     []string `json:"added"`
	Carried   bool     `json:"carried"`
	Leaf      bool     `json:"leaf"`
	Copies    []string `json:"copies"`

	Untestable string   `json:"untestable"`
	LeftOut    []string `json:"leftOut"`
	Covering   bool     `json:"covering"`
	Embedding  bool     `json:"embedding"`
}

// Instrument analyses and rewrites the program named by c, which is the command line
// of go test if test is true, as seen from dir; or finds the outcome of that in the
// cache. env is the environment of the go command, that of this process if it is nil.
// The error is a *load.Error if the program does not build, and an
// *instrument.Refused if something in it can't be rewritten.
func Instrument(ctx context.Context, dir string, env []string, c *CommandLine, test bool) (*Program, error) {
	const most = 3
	for i := 1; ; i++ {
		p, err := instrumentOnce(ctx, dir, env, c, test)
		if changed := new(changedError); i == most || !errors.As(err, &changed) {
			return p, err
		}
	}
}

// instrumentOnce is Instrument if no file is changed meanwhile. Else its error is a *changedError.
func instrumentOnce(ctx context.Context, dir string, env []string, c *CommandLine, test bool) (*Program, error) {
	entries, err := openFolder("program")
	if err != nil {
		return nil, err
	}
	cfg, err := c.Config(dir, env, test)
	if err != nil {
		return nil, err
	}
	last, err := openMemory(dir, env, c, cfg.Choice, test)
	if err != nil {
		return nil, err
	}
	loading, stop := context.WithCancel(ctx)
	defer stop()
	set, k, known := last.recall()
	var loaded func() (*load.Program, error)
	var own []listed
	if !known {
		asked := time.Now()
		// Something has changed, so the program is likely to be analysed, and to be much the same
		// as before.
		if former := last.former(); len(former.Files) > 0 {
			cfg.Files, cfg.Standard = former.Files, entries.leaf(former.Key)
			loaded = load.Begin(loading, cfg, c.Patterns...)
		}
		if set, err = settle(ctx, dir, env); err != nil {
			return nil, err
		}
		var files []string
		if k, own, files, err = key(ctx, dir, env, set, c, cfg.Choice, test); err != nil && !errors.Is(err, errListing) {
			return nil, err
		}
		if err == nil {
			if err := last.remember(dir, set, c, k, own, files, asked); err != nil {
				return nil, err
			}
			cfg.Files = files
		}
	}
	tools, err := set.toolchain()
	if err != nil {
		return nil, err
	}
	if k != "" && entries.use(k) {
		if p, err := read(entries.path(k)); err == nil {
			p.Cached, p.key, p.tools = true, k, tools
			return p, nil
		}
		// Damaged, by hand or by a full disk.
		if err := os.RemoveAll(entries.path(k)); err != nil {
			return nil, fmt.Errorf("cache of instrumented sources: %w", err)
		}
	}
	if loaded == nil {
		loaded = load.Begin(loading, cfg, c.Patterns...)
	}
	whole, err := loaded()
	if err != nil {
		return nil, err
	}
	if err := unchanged(own, whole.Text); err != nil {
		return nil, err
	}
	a, err := instrument.AnalyzeProgram(whole, cfg)
	if err != nil {
		return nil, err
	}
	if pkg := instrumented(a.Program); pkg != "" {
		return nil, fmt.Errorf("%s was written by ckpgen gen and is instrumented already: use 'go build' and 'go test' for it, or name the packages that it was made from", pkg)
	}
	if k == "" {
		return nil, fmt.Errorf("go list can't list %q; 'go list -deps' tells why", c.Patterns)
	}
	copies, err := copiesFor(a.Program, set.trims(c))
	if err != nil {
		return nil, err
	}
	a.Line, a.Unread = copies.line, true
	var sources *instrument.Sources
	if c.Measured {
		sources, err = a.Counting()
	} else {
		sources, err = a.Rewrite()
	}
	if err != nil {
		return nil, err
	}
	r := result{Empty: a.Closure.Empty(), Carried: sources.Carried && len(sources.Files) > 0, Leaf: sources.Leaf, Untestable: a.Program.Excluded(instrument.TestingPath)}
	for _, o := range a.Closure.Obstacles() {
		r.Obstacles = append(r.Obstacles, o.Text(dir))
	}
	if r.Empty {
		r.LeftOut = a.Program.LeftOut()
	} else {
		for _, l := range a.Closure.Losses() {
			r.Losses = append(r.Losses, l.Text(dir))
		}
		for _, l := range sources.Left {
			r.Losses = append(r.Losses, instrument.Describe(l, dir))
		}
		for _, x := range sources.Renamed {
			r.Renamed = append(r.Renamed, instrument.Describe(x, dir))
		}
	}
	var covered map[string]coveredFile
	if c.Cover != "" && len(sources.Files) > 0 {
		covered, err = analysed{a, cfg, c.Patterns, c.Cover, tools}.cover(ctx, sources)
		if err != nil {
			return nil, err
		}
		r.Covering = true
	}
	for name := range sources.Files {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			r.Added = append(r.Added, name)
		}
	}
	sort.Strings(r.Added)
	embedded := make(map[string][]byte)
	for _, name := range embeds(a.Program.All, slices.Collect(maps.Keys(sources.Files))) {
		embedded[name] = nil
	}
	if embedded, err = copies.move(embedded); err != nil {
		return nil, err
	}
	files, err := copies.move(sources.Files)
	if err != nil {
		return nil, err
	}
	if r.Copies = copies.folders(); len(r.Copies) > 0 {
		name := set.modFile(dir, c)
		if files[name], err = copies.replaced(name); err != nil {
			return nil, err
		}
	}
	if len(files) > 0 && (a.Program.Links("hash/maphash") || sources.HashesValues) {
		hashes, err := stableHashes(tools.goroot)
		if err != nil {
			return nil, err
		}
		maps.Copy(files, hashes)
	}
	if len(files) > 0 && imports(a.Program, "unique") {
		handles, err := remadeHandles(tools.goroot)
		if err != nil {
			return nil, err
		}
		maps.Copy(files, handles)
	}
	if len(r.Copies) > 0 && imports(a.Program, "runtime/debug") {
		originals, err := copies.originalModules(tools.goroot)
		if err != nil {
			return nil, err
		}
		maps.Copy(files, originals)
	}
	overlay := make(map[string]string)
	if r.Carried || r.Leaf {
		var folders []string // all
		switch {
		case c.Measured:
			folders = []string{instrument.VisitsFolder}
		case !r.Carried:
			folders = instrument.Leaf
		}
		if overlay, err = carried(tools.goroot, folders); err != nil {
			return nil, err
		}
		files = set.renamed(files, tools)
	}
	originals := make(map[string]string)
	for name := range embedded {
		text, exists, err := marked(name, files[name])
		if err != nil {
			return nil, err
		}
		if files[name] = text; exists {
			originals[name] = name
		} else {
			originals[name] = ""
		}
	}
	r.Embedding = len(originals) > 0
	err = entries.add(k, func(tmp string) error {
		lie, err := write(tmp, entries.path(k), files, overlay, r)
		if err != nil || !r.Covering && !r.Embedding {
			return err
		}
		c := replacing{Rewritten: slices.Concat(slices.Sorted(maps.Keys(files)), slices.Sorted(maps.Keys(overlay))), Embedded: make(map[string]string)}
		for name, original := range originals {
			c.Embedded[lie[name]] = original
		}
		return c.write(tmp, entries.path(k), covered)
	})
	if err != nil {
		return nil, err
	}
	p, err := read(entries.path(k))
	if err != nil {
		return nil, err
	}
	p.key, p.tools = k, tools
	return p, nil
}

// instrumented returns the path of a package that ckpgen gen has written, or an empty
// string if the program has none.
func instrumented(p *load.Program) string {
	for _, pkg := range p.All {
		if !load.Own(pkg) {
			continue
		}
		for _, file := range pkg.Syntax {
			for _, c := range file.Comments {
				if c.Pos() < file.Package && strings.HasPrefix(c.List[0].Text, "// Code generated by ckpgen;") {
					return pkg.PkgPath
				}
			}
		}
	}
	return ""
}

// write fills an entry of the cache in the directory tmp, which will be renamed to
// final: with files that stand in for others, and with an overlay of them and of what is
// elsewhere. It returns the overlay.
func write(tmp, final string, files map[string][]byte, elsewhere map[string]string, r result) (map[string]string, error) {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	var overlay struct{ Replace map[string]string }
	overlay.Replace = maps.Clone(elsewhere)
	r.Sizes = make(map[string]int64)
	for i, name := range names {
		base := fmt.Sprintf("%03d_%s", i, filepath.Base(name))
		if err := os.WriteFile(filepath.Join(tmp, base), files[name], 0o666); err != nil {
			return nil, err
		}
		overlay.Replace[name] = filepath.Join(final, base)
		r.Sizes[base] = int64(len(files[name]))
	}
	for name, v := range map[string]any{"overlay.json": overlay, "result.json": r} {
		b, err := json.MarshalIndent(v, "", "\t")
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(tmp, name), append(b, '\n'), 0o666); err != nil {
			return nil, err
		}
	}
	return overlay.Replace, nil
}

// leaf reports whether packages of the standard library were rewritten for an entry.
func (f folder) leaf(key string) bool {
	var r result
	return readJSON(filepath.Join(f.path(key), "result.json"), &r) == nil && r.Leaf
}

// read reads an entry and checks that its files are there.
func read(dir string) (*Program, error) {
	var r result
	if err := readJSON(filepath.Join(dir, "result.json"), &r); err != nil {
		return nil, err
	}
	p := &Program{Overlay: filepath.Join(dir, "overlay.json"), Empty: r.Empty, Obstacles: r.Obstacles, Losses: r.Losses, Renamed: r.Renamed, Carried: r.Carried, Leaf: r.Leaf, Untestable: r.Untestable, LeftOut: r.LeftOut, added: r.Added}
	if r.Covering || r.Embedding {
		p.replaced, p.embedded = filepath.Join(dir, replacingFile), r.Embedding
		if _, err := os.Stat(p.replaced); err != nil {
			return nil, err
		}
	}
	var overlay struct{ Replace map[string]string }
	if err := readJSON(p.Overlay, &overlay); err != nil {
		return nil, err
	}
	for _, name := range overlay.Replace {
		if info, err := os.Stat(name); err != nil {
			return nil, err
		} else if info.Size() == 0 {
			return nil, fmt.Errorf("%s is empty", name)
		} else if size, ok := r.Sizes[filepath.Base(name)]; ok && filepath.Dir(name) == dir && info.Size() != size {
			return nil, fmt.Errorf("%s has %d bytes, not the %d that were written", name, info.Size(), size)
		}
	}
	for _, dir := range r.Copies {
		name := filepath.Join(dir, "go.mod")
		if _, err := os.Stat(name); err != nil {
			return nil, err
		}
		overlay.Replace[name] = name
	}
	keep(slices.Collect(maps.Values(overlay.Replace)))
	return p, nil
}

func readJSON(name string, v any) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// addedBeside returns the files that the rewriter added to a package that is given as a list
// of files. To other packages they belong because of the folder that they are in.
func (p *Program) addedBeside(dir string, patterns []string) []string {
	if !strings.HasSuffix(patterns[0], ".go") {
		return nil
	}
	given, _ := filepath.Split(patterns[0]) // the go command wants it to be the same for all
	folder := given
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(dir, folder)
	}
	var list []string
	for _, name := range p.added {
		if filepath.Dir(name) == filepath.Clean(folder) {
			list = append(list, given+filepath.Base(name))
		}
	}
	return list
}

// Go runs the go command on the program: verb is build or test. Its standard
// streams are those of this process. The error is an *exec.ExitError if the go
// command fails, which has then said why.
func (p *Program) Go(ctx context.Context, dir string, env []string, verb string, c *CommandLine) error {
	args := []string{verb, "-overlay=" + p.Overlay}
	if c.Output != "" {
		args = append(args, "-o", c.Output)
	}
	args = append(args, c.Flags...)
	if updates(slices.Concat(p.tools.flags, c.Load)) {
		args = append(args, "-mod=readonly")
	}
	if p.embedded && c.Toolexec {
		return &UsageError{"-toolexec can't be used with a program that embeds Go files of its own (//go:embed): ckpgen uses it for them"}
	}
	if p.replaced != "" {
		flag, err := p.toolexec()
		if err != nil {
			return err
		}
		args = append(args, flag)
	}
	if verb == "test" && (p.Carried || p.Leaf) {
		// Vet is started in the folder of each package, and those that are added to the standard
		// library don't exist.
		switch c.Vet {
		case "":
			args = append(args, "-vet=off")
		case "off":
		default:
			return &UsageError{fmt.Sprintf("-vet=%s can't be used here, since packages are added to the standard library: use 'go vet'", c.Vet)}
		}
	}
	if verb != "test" {
		args = append(args, "--")
	}
	args = append(args, p.addedBeside(dir, c.Patterns)...) // initialised first, as in a folder
	if verb != "test" || !c.Here {                         // go test shows the output of the package here as it comes
		args = append(args, c.Patterns...)
	}
	args = append(args, c.Rest...)
	cmd := exec.CommandContext(ctx, p.tools.command, args...)
	cmd.Dir = dir
	cmd.Env = env
	if len(p.tools.env) > 0 {
		cmd.Env = append(cmd.Environ(), p.tools.env...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if !p.Cached {
		go debug.FreeOSMemory() // the compiler needs it more than what is left of the analysis
	}
	return cmd.Run()
}
