package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"

	"github.com/ckpgen/ckpgen"
	"github.com/ckpgen/ckpgen/instrument"
)

// carried puts the runtime's sources into the cache and returns the overlay that adds them to the
// standard library in goroot, those of packages in the given folders only if there are any.
func carried(goroot string, folders []string) (map[string]string, error) {
	bare, err := bareFolder(goroot)
	if err != nil {
		return nil, err
	}
	importPath := func(folder string) string {
		if folder == ckpgen.Assembly {
			return bare
		}
		return path.Join(instrument.Carried, folder)
	}
	sources, err := ckpgen.Sources(importPath)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(sources))
	for name := range sources {
		names = append(names, name)
	}
	sort.Strings(names)
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%s %d\n%s", name, len(sources[name]), sources[name])
	}
	key := hex.EncodeToString(h.Sum(nil)[:20])
	entries, err := openFolder("runtime")
	if err != nil {
		return nil, err
	}
	overlay := make(map[string]string)
	whole := true
	for _, name := range names {
		file := filepath.Join(entries.path(key), filepath.FromSlash(name))
		if len(folders) > 0 && !slices.Contains(folders, path.Dir(name)) {
			continue
		}
		overlay[filepath.Join(goroot, "src", filepath.FromSlash(importPath(path.Dir(name))), path.Base(name))] = file
		info, err := os.Stat(file)
		whole = whole && err == nil && info.Size() == int64(len(sources[name]))
	}
	if entries.use(key) {
		if whole {
			return overlay, nil
		}
		if err := os.RemoveAll(entries.path(key)); err != nil {
			return nil, fmt.Errorf("cache of instrumented sources: %w", err)
		}
	}
	err = entries.add(key, func(tmp string) error {
		for _, name := range names {
			file := filepath.Join(tmp, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(file, sources[name], 0o666); err != nil {
				return err
			}
		}
		return nil
	})
	return overlay, err
}

// bareFolder returns the import path of a folder of the standard library that exists, holds
// no package, and is closed to user code. The assembler is started in the folder of
// its package, so the one with assembly can't be where no folder is.
func bareFolder(goroot string) (string, error) {
	candidates := []string{"internal/syscall", "internal/types", "internal/runtime"}
next:
	for _, p := range candidates {
		entries, err := os.ReadDir(filepath.Join(goroot, "src", filepath.FromSlash(p)))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if !e.IsDir() {
				continue next
			}
		}
		return p, nil
	}
	return "", fmt.Errorf("none of %q in %s is a folder without files, as the runtime needs one; get a newer ckpgen for this version of Go, or let the module require %s", candidates, filepath.Join(goroot, "src"), ckpgen.Module)
}
