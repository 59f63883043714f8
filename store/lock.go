package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// lockName is the file in a directory that its owner on this host has locked.
const lockName = "job.lock"

// lockPatience is how long an owner that was just killed may take to be gone.
const lockPatience = time.Second

// errLocked is what lockFile gives if someone else has the lock.
var errLocked = errors.New("locked")

// A LockedError says that somebody else on this host works in a directory.
type LockedError struct {
	Dir   string
	Owner string // what that one calls itself
}

// Error names the owner.
func (e *LockedError) Error() string {
	return fmt.Sprintf("the job in %s is running already (%s): wait for its end, or use another directory", e.Dir, e.Owner)
}

// Lock makes this process the only one on this host that has the lock of a directory, which it
// makes if need be, until it ends or calls the function returned. A *[LockedError] says that
// another has it.
//
// Epochs keep a directory consistent without any lock. The lock is a courtesy: who starts a
// job that is running already shall be told, instead of fencing it off.
func Lock(dir, owner string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, fmt.Errorf("job directory: %w", err)
	}
	name := filepath.Join(dir, lockName)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("job directory: %w", err)
	}
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if err = lockFile(f); !errors.Is(err, errLocked) || time.Since(began) > lockPatience {
			break
		}
	}
	if err != nil {
		_ = f.Close()
		if errors.Is(err, errLocked) {
			b, _ := os.ReadFile(name)
			return nil, &LockedError{dir, strings.TrimSpace(string(b))}
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	_ = f.Truncate(0)
	_, _ = f.WriteAt([]byte(owner+"\n"), 0)
	return func() {
		// Now: a process that is just being started may have a copy of the file for a moment
		// longer.
		unlockFile(f)
		_ = f.Close()
	}, nil
}
