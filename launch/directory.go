package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ckpgen/ckpgen/store"
)

// directory is a job's directory, locked against other launchers.
type directory struct {
	path      string
	temporary bool
	store     *store.Store
	unlock    func()
	record    store.Job
}

// openDirectory makes or opens the directory of s and locks it. What it
// returns is closed by close.
func openDirectory(s *Spec) (_ *directory, err error) {
	d := &directory{path: s.Dir}
	if d.path == "" {
		d.temporary = true
		if d.path, err = os.MkdirTemp("", "ckpgen-job-"); err != nil {
			return nil, fmt.Errorf("make a temporary job directory: %w", err)
		}
	} else {
		if d.path, err = filepath.Abs(d.path); err != nil {
			return nil, fmt.Errorf("job directory %s: %w", s.Dir, err)
		}
	}
	if d.unlock, err = store.Lock(d.path, "launcher "+owner()); err != nil {
		return nil, err
	}
	if d.store, err = store.Open(d.path, store.Options{Keep: s.Keep}); err != nil {
		d.unlock()
		return nil, err
	}
	return d, nil
}

// owner names this launcher, for people.
func owner() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("pid %d on %s", os.Getpid(), host)
}

// committed returns the manifest of the newest committed checkpoint, which may be damaged
// otherwise. Its number is 0 if there is none.
func (d *directory) committed() (store.Manifest, error) {
	entries, _, err := d.store.History()
	if err != nil {
		return store.Manifest{}, err
	}
	for _, e := range entries {
		if e.Manifest != nil && (e.State == store.Committed || e.State == store.Damaged) {
			return *e.Manifest, nil
		}
	}
	return store.Manifest{}, nil
}

// admit compares the job with the one whose checkpoints are here. The result says whether a job
// that had ended well is being continued.
func (d *directory) admit(s *Spec) (ended bool, err error) {
	newest, err := d.committed()
	if err != nil {
		return false, err
	}
	d.record = store.NewJob(s.Program, s.Processes, s.Args)
	old, err := d.store.ReadJob()
	if err == nil {
		removeRunDir(old.RunDir)
	}
	if newest.Seq == 0 || s.Fresh {
		return false, nil
	}
	if newest.Size != s.Processes {
		return false, usage("checkpoint %d in %s is of a job of size %d, not %d: use -n %d to go on from there, or --fresh to start from the beginning", newest.Seq, d.path, newest.Size, s.Processes, newest.Size)
	}
	if err == nil && old.Program != s.Program {
		return false, nil // another program is told from its checkpoints, by its processes
	}
	d.record, ended, err = d.store.Continues(d.record, newest.Seq)
	var other *store.OtherJobError
	if errors.As(err, &other) {
		err = &UsageError{err}
	}
	return ended, err
}

// close records the status, frees the lock, and removes a temporary directory
// unless it is to be kept.
func (d *directory) close(status int, keep bool) {
	if d.temporary && !keep {
		d.unlock()
		_ = os.RemoveAll(d.path)
		return
	}
	if d.record.Format != 0 {
		d.record.RunDir, d.record.Ended = "", &status
		_ = d.store.WriteJob(d.record)
	}
	d.unlock()
}
