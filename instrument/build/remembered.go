package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ckpgen/ckpgen/instrument/closure"
	"github.com/ckpgen/ckpgen/instrument/polls"
)

// If nothing has changed since the last build, asking the go command for its settings and for the
// packages of the program takes as long as go build itself. So what it said is remembered, with all
// that it depends on: the names of the Go files in the folders of the program's own packages, the
// contents of these files and of those that say which modules are built, the absence of such files
// where the go command would look for them, the environment, and the go command. Modules in the
// module cache and the standard library do not change.
//
// It is not remembered if the patterns need a search for packages, nor if a file has changed so
// recently that another change could have the same time.

// A remembered is what the go command said about a program, and on which files that depends.
type remembered struct {
	Settings string            `json:"settings"` // see settle
	Key      string            `json:"key"`      // see key
	Folders  map[string]string `json:"folders"`  // hashes of the names of the Go files in them
	Files    map[string]string `json:"files"`    // hashes of contents; "" for files that must not be there
}

// rememberedName is the file of an entry of the cache.
const rememberedName = "remembered.json"

// A former is a program as it was, which helps to analyse it if something has changed.
type former struct {
	Key   string   `json:"key"`
	Files []string `json:"files"` // all Go files
}

// formerName is the file with it.
const formerName = "former.json"

// recent is how old a change is at least, if one after it is sure to have another time.
const recent = 2 * time.Second

// memory is where what is remembered of a command line is kept.
type memory struct {
	entries folder
	key     string // "" if the command line is not remembered
}

// openMemory finds the place of what is remembered of a command line, which is that of go test if
// test is true, in the environment env, that of this process if it is nil.
func openMemory(dir string, env []string, c *CommandLine, choice *polls.Choice, test bool) (memory, error) {
	entries, err := openFolder("remembered")
	if err != nil {
		return memory{}, err
	}
	for _, p := range c.Patterns {
		if strings.Contains(p, "...") || p == "all" || p == "std" || p == "cmd" || p == "tool" || p == "work" {
			return memory{}, nil
		}
	}
	if env == nil {
		env = os.Environ()
	}
	tool, err := toolHash()
	if err != nil {
		return memory{}, fmt.Errorf("hash of the tool: %w", err)
	}
	command, err := exec.LookPath("go")
	if err != nil {
		return memory{}, nil // it will be missed
	}
	info, err := os.Stat(command)
	if err != nil {
		return memory{}, nil
	}
	h := sha256.New()
	fmt.Fprintf(h, "ckpgen remembered 1\ntool %s\ngo %s %d %s\ndir %s\ntest %t\n", tool, command, info.Size(), info.ModTime(), dir, test)
	fmt.Fprintf(h, "auto %t all %t %q %q measured %t cover %q\nload %q\nflags %q\npatterns %q\n", c.Auto, c.All, c.Polled, choice, c.Measured, c.Cover, c.Load, c.Flags, c.Patterns)
	configured := "" // the file that go env -w writes
	if d, err := os.UserConfigDir(); err == nil {
		configured = filepath.Join(d, "go", "env")
	}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		switch name {
		case "HOME", "PATH", "XDG_CONFIG_HOME", "AppData", closure.PollsVariable:
		case "GOENV":
			configured = value
		default:
			if !strings.HasPrefix(name, "GO") && !strings.HasPrefix(name, "CGO_") {
				continue
			}
		}
		fmt.Fprintf(h, "env %q\n", v)
	}
	sum, _ := contents(configured)
	fmt.Fprintf(h, "configured %s\n", sum)
	return memory{entries, hex.EncodeToString(h.Sum(nil)[:20])}, nil
}

// recall returns what is remembered, if it is still so.
func (m memory) recall() (*setting, string, bool) {
	if m.key == "" || !m.entries.use(m.key) {
		return nil, "", false
	}
	var r remembered
	if err := readJSON(filepath.Join(m.entries.path(m.key), rememberedName), &r); err != nil {
		os.RemoveAll(m.entries.path(m.key)) // damaged
		return nil, "", false
	}
	for name, want := range r.Folders {
		if got, err := goFiles(name); err != nil || got != want {
			return nil, "", false
		}
	}
	for name, want := range r.Files {
		if got, err := contents(name); err != nil || got != want {
			return nil, "", false
		}
	}
	set := &setting{text: []byte(r.Settings)}
	if err := json.Unmarshal(set.text, set); err != nil {
		return nil, "", false
	}
	return set, r.Key, true
}

// former returns the program as it was when it was remembered. It is empty if it was not.
func (m memory) former() former {
	var f former
	if m.key == "" || readJSON(filepath.Join(m.entries.path(m.key), formerName), &f) != nil {
		return former{}
	}
	return f
}

// remember keeps what the go command said of a program: its key, the packages whose files can
// change, and all files. asked is when it was asked first.
func (m memory) remember(dir string, set *setting, c *CommandLine, k string, own []listed, files []string, asked time.Time) error {
	if m.key == "" {
		return nil
	}
	r := remembered{Settings: string(set.text), Key: k, Folders: make(map[string]string), Files: make(map[string]string)}
	above := func(name string) {
		for d := name; ; d = filepath.Dir(d) {
			for _, base := range []string{"go.mod", "go.sum", "go.work", "go.work.sum", filepath.Join("vendor", "modules.txt")} {
				r.Files[filepath.Join(d, base)] = ""
			}
			if d == filepath.Dir(d) {
				return
			}
		}
	}
	above(dir)
	if name := set.modFile(dir, c); name != "" {
		r.Files[name] = ""
		r.Files[strings.TrimSuffix(name, filepath.Ext(name))+".sum"] = ""
	}
	for _, p := range own {
		r.Folders[p.Dir] = ""
		above(p.Dir)
		for _, name := range p.files() {
			r.Files[name] = ""
			r.Folders[filepath.Dir(name)] = ""
		}
	}
	for name := range r.Folders {
		entries, err := os.ReadDir(name)
		if err != nil {
			return nil // it is being changed
		}
		for _, e := range entries {
			if isGo(e.Name()) {
				r.Files[filepath.Join(name, e.Name())] = ""
			}
		}
		if r.Folders[name], err = goFiles(name); err != nil || changedSince(name, asked.Add(-recent)) {
			return nil
		}
	}
	for name := range r.Files {
		sum, err := contents(name)
		if err != nil || changedSince(name, asked.Add(-recent)) {
			return nil
		}
		r.Files[name] = sum
	}
	os.RemoveAll(m.entries.path(m.key)) // what was true before
	return m.entries.add(m.key, func(tmp string) error {
		for name, v := range map[string]any{rememberedName: r, formerName: former{k, files}} {
			b, err := json.Marshal(v)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(tmp, name), b, 0o666); err != nil {
				return err
			}
		}
		return nil
	})
}

// changedSince reports whether a file, or the list of those in a folder, has changed since then.
func changedSince(name string, then time.Time) bool {
	info, err := os.Stat(name)
	return err == nil && info.ModTime().After(then)
}

// contents returns the hash of a file's contents, an empty string if it does not exist.
func contents(name string) (string, error) {
	sum, err := fileHash(name)
	if isAbsent(err) {
		return "", nil
	}
	return sum, err
}

// isAbsent reports whether an error says that there is no such file, or that what should be its
// folder is none.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// goFiles returns the hash of the names of the Go files in a folder.
func goFiles(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	names := slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !isGo(e.Name()) })
	h := sha256.New()
	for _, e := range names {
		fmt.Fprintf(h, "%q %s\n", e.Name(), e.Type())
	}
	return hex.EncodeToString(h.Sum(nil)[:20]), nil
}

func isGo(name string) bool { return filepath.Ext(name) == ".go" }
