package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// ForRun builds the one main package that c names, as seen from dir, into the cache and
// returns the program and the path of its executable. An executable that is up to
// date is left as it is, so that processes can be started from it at any time.
func ForRun(ctx context.Context, dir string, c *CommandLine) (*Program, string, error) {
	p, err := Instrument(ctx, dir, nil, c, false)
	if err != nil {
		return nil, "", err
	}
	bins, err := openFolder("bin")
	if err != nil {
		return nil, "", err
	}
	build := *c
	if !bins.use(p.key) {
		err := bins.add(p.key, func(tmp string) error {
			build.Output = tmp + string(filepath.Separator)
			return p.Go(ctx, dir, nil, "build", &build)
		})
		if err != nil {
			return nil, "", err
		}
	} else {
		// The key does not know about embedded files and assembly; the go
		// command does.
		build.Output = bins.path(p.key) + string(filepath.Separator)
		if err := p.Go(ctx, dir, nil, "build", &build); err != nil {
			return nil, "", err
		}
	}
	entries, err := os.ReadDir(bins.path(p.key))
	if err != nil {
		return nil, "", fmt.Errorf("cache of programs: %w", err)
	}
	if len(entries) != 1 {
		return nil, "", fmt.Errorf("%q names %d programs; name one", c.Patterns, len(entries))
	}
	return p, filepath.Join(bins.path(p.key), entries[0].Name()), nil
}
