package build

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// unusedFor is how long an entry of the cache stays without being used.
const unusedFor = 30 * 24 * time.Hour

// CacheDir returns ckpgen's folder of the user's cache directory.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for instrumented sources: %w; set HOME, or XDG_CACHE_HOME to a directory", err)
	}
	return filepath.Join(dir, "ckpgen"), nil
}

// A folder is a kind of entries in the cache, each a directory named by its key.
type folder struct{ dir string }

func openFolder(kind string) (folder, error) {
	cache, err := CacheDir()
	if err != nil {
		return folder{}, err
	}
	f := folder{filepath.Join(cache, kind)}
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return folder{}, fmt.Errorf("cache of instrumented sources: %w; set XDG_CACHE_HOME to a directory that can be written", err)
	}
	return f, nil
}

func (f folder) path(key string) string { return filepath.Join(f.dir, key) }

// use reports whether the entry exists, and notes that it is in use.
func (f folder) use(key string) bool {
	now := time.Now()
	return os.Chtimes(f.path(key), now, now) == nil
}

// keep notes of all entries of the cache that the files belong to that they are in use.
func keep(files []string) {
	cache, err := CacheDir()
	if err != nil {
		return
	}
	now := time.Now()
	done := make(map[string]bool)
	for _, name := range files {
		rel, err := filepath.Rel(cache, name)
		if err != nil {
			continue
		}
		elements := strings.SplitN(rel, string(filepath.Separator), 3)
		if entry := filepath.Join(elements[:min(2, len(elements))]...); len(elements) == 3 && !done[entry] {
			done[entry] = true
			_ = os.Chtimes(filepath.Join(cache, entry), now, now)
		}
	}
}

// add makes the entry: write fills a temporary directory, which is then renamed. An entry
// that another process has added meanwhile is as good.
func (f folder) add(key string, write func(dir string) error) error {
	tmp, err := os.MkdirTemp(f.dir, "new-")
	if err != nil {
		return fmt.Errorf("cache of instrumented sources: %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := write(tmp); err != nil {
		return fmt.Errorf("cache of instrumented sources: %w", err)
	}
	if err := os.Rename(tmp, f.path(key)); err != nil && !f.use(key) {
		return fmt.Errorf("cache of instrumented sources: %w", err)
	}
	f.prune()
	return nil
}

// prune removes what was not used for long. What it can't remove stays.
func (f folder) prune() {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unusedFor {
			os.RemoveAll(f.path(e.Name()))
		}
	}
}
