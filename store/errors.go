package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// A contentError says that a file was read and does not hold what was written.
type contentError struct{ err error }

func (e contentError) Error() string { return e.err.Error() }
func (e contentError) Unwrap() error { return e.err }

// isDamage tells damage to what was stored, for which an older checkpoint is
// the remedy, from failures to look at it (permissions, too many open files, a
// server that does not answer), which may pass.
func isDamage(err error) bool {
	var content contentError
	return errors.As(err, &content) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) || errors.Is(err, syscall.EIO)
}

// ErrNoCheckpoint says that nothing has been committed: the job starts from
// its beginning.
var ErrNoCheckpoint = errors.New("no checkpoint has been committed")

// A Damage is something that should be intact and is not.
type Damage struct {
	Seq   uint64 // of the checkpoint; 0 for an epoch record
	Epoch Epoch
	Rank  int    // of the process whose image it is; -1 for a manifest or epoch record, and for a checkpoint that was passed over
	File  string // path of the file
	Err   error  // what is wrong
}

// String names file, owner and fault in one line.
func (d Damage) String() string {
	var passed *passedOverError
	switch {
	case errors.As(d.Err, &passed):
		return fmt.Sprintf("checkpoint %d: %v", d.Seq, d.Err)
	case d.Seq == 0:
		return fmt.Sprintf("record of epoch %d (%s): %v", d.Epoch, d.File, d.Err)
	case d.Rank < 0:
		return fmt.Sprintf("checkpoint %d: manifest (%s): %v", d.Seq, d.File, d.Err)
	}
	return fmt.Sprintf("checkpoint %d: image of process %d (%s): %v", d.Seq, d.Rank, d.File, d.Err)
}

// A NoIntactError says that checkpoints were committed but none of those that
// are left can be used.
type NoIntactError struct {
	Dir    string
	Damage []Damage
}

// Error lists all that is damaged.
func (e *NoIntactError) Error() string {
	list := make([]string, len(e.Damage))
	for i, d := range e.Damage {
		list[i] = d.String()
	}
	return fmt.Sprintf("no intact checkpoint in %s: %s; restore the files from a backup, or start from the beginning in an empty directory",
		e.Dir, strings.Join(list, "; "))
}

// A goneError names what the claim of an epoch has made and that is not there any more.
type goneError string

func (e goneError) Error() string {
	return string(e) + " was deleted or moved while the program runs: put back what was there, or start the program again to have checkpoints"
}

// errReplaced says that the directory is that of another run.
var errReplaced = errors.New("the directory was deleted or moved while the program runs, and another run has begun in one of that name: end one of them; this one has no checkpoints until what was there is put back")

// A FencedError says that a later incarnation of the job exists. The process
// must stop: nothing that it commits counts.
type FencedError struct {
	Epoch Epoch // of the process
	By    Epoch // the later one
	Late  bool  // the manifest was in place when the later epoch was noticed; it may have been seen
}

// Error names both epochs.
func (e *FencedError) Error() string {
	s := fmt.Sprintf("epoch %d of this job was superseded by epoch %d: this process belongs to the past and must stop", e.Epoch, e.By)
	if e.Late {
		s += " (its last checkpoint may or may not count)"
	}
	return s
}
