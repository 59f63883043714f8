package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// passedOverName is the file in the folder of a checkpoint that says why the job can't go on from
// it.
const passedOverName = "passed-over"

// PassOver has [Store.Newest] and all claims pass over a checkpoint, as they do over a damaged one,
// and returns the one that they find instead. Its images are what they were, but the job can't go
// on from them: a file that the program was writing has another name by now, say. The reason, in
// words that continue "process R could not go on from it: ", is kept in a file whose path is
// returned; once that is deleted the checkpoint is as good as before. If there is no other
// checkpoint, none is passed over, and the error is as that of Newest.
func (c Checkpoint) PassOver(rank int, reason string) (instead Checkpoint, file string, err error) {
	s := c.store
	file = c.path(passedOverName)
	if err := writeFile(s.fsys, file, false, fmt.Appendf(nil, "process %d could not go on from it: %s\n", rank, reason)); err != nil {
		return Checkpoint{}, "", fmt.Errorf("pass over checkpoint %d: %w", c.Manifest.Seq, err)
	}
	if err := s.fsys.SyncDir(c.Dir()); err != nil {
		return Checkpoint{}, "", fmt.Errorf("pass over checkpoint %d: %w", c.Manifest.Seq, err)
	}
	if instead, _, err = s.Newest(); err != nil {
		return Checkpoint{}, "", errors.Join(err, s.fsys.Remove(file))
	}
	return instead, file, nil
}

// passedOver returns the reason for which a checkpoint is passed over, nil if it is not.
func (c Checkpoint) passedOver() (*passedOverError, error) {
	file := c.path(passedOverName)
	b, err := readFile(c.store.fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &passedOverError{reason: string(b), file: file}, nil
}

// A passedOverError says why a checkpoint is passed over.
type passedOverError struct{ reason, file string }

func (e *passedOverError) Error() string {
	return fmt.Sprintf("%s; once that has changed, delete %s", strings.TrimSpace(e.reason), e.file)
}
