package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// KeepFiles gives files that a process has open further names, beside its image for checkpoint seq
// of an epoch that was claimed: hard links. What the program deletes, or another file takes the
// name of, after the checkpoint is still there for a process that continues it. They are deleted
// with the checkpoint. Where a file is on another file system, or can't have another name, it is
// left: the checkpoint is as good as without, as long as the file is in its place. The program must
// stand still meanwhile.
func (s *Store) KeepFiles(epoch Epoch, seq uint64, rank int, files []string) {
	e := entry{seq, epoch}
	if len(files) == 0 || s.replaced(e.epoch) != nil || s.makeEntry(e) != nil {
		return // which is told when the image is written
	}
	for i, file := range files {
		name := s.path(e.name(), fmt.Sprintf("%s%d", keptPrefix(rank), i))
		_ = os.Remove(name) // of an attempt before
		_ = os.Link(file, name)
	}
}

// KeptFiles returns the paths of what KeepFiles has kept for a process.
func (c Checkpoint) KeptFiles(rank int) []string {
	list, _ := os.ReadDir(c.Dir())
	var files []string
	for _, e := range list {
		if strings.HasPrefix(e.Name(), keptPrefix(rank)) && e.Type() == fs.FileMode(0) {
			files = append(files, filepath.Join(c.Dir(), e.Name()))
		}
	}
	return files
}

// keptPrefix is what the names of a process's files begin with.
func keptPrefix(rank int) string { return fmt.Sprintf("rank-%05d.file-", rank) }
