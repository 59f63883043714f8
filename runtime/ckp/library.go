package ckp

import (
	"io"
	"sync"
	"sync/atomic"

	"github.com/ckpgen/ckpgen/store"
)

// A Stateful library has state of its own that belongs to the program.
type Stateful interface {
	// Name tells the library from others, in messages and in the image.
	Name() string
	// State returns a non-nil pointer to what is saved with the program and
	// rebuilt before it goes on. It is always the same pointer.
	State() any
	// Restored is called in a process that continues a checkpoint, when
	// all state is rebuilt and before the program goes on.
	Restored() error
}

// A Committer has the checkpoints of one process committed, or not, together with
// those of all others.
type Committer interface {
	// Begin is called while the program stands still. It returns what commits
	// the checkpoint, which after SaveAndGoOn is called while the program goes on: it
	// must not look at anything that the program changes.
	Begin(d Decision) Commit
}

// A Commit calls write once to write the image of this process. If that
// fails (also because the state could not be captured: write then returns
// the reason without having written anything) the checkpoint must not be
// committed. All processes get the same outcome, nil or not. There is never more than one
// at a time, except for one that refuses a checkpoint.
//
// After nil and SaveAndStop the process exits. After nil and
// SaveAndRestart a fresh process takes its place; for a job of several
// processes, that is the business of whoever started it: the process
// exits with status 76, unless the commit has arranged for more and not
// returned.
type Commit func(write func(io.Writer) error) error

var (
	registry  sync.Mutex
	libraries []Stateful
	committer Committer
)

// Use registers a library. It must be called from an init function, as
// libraries are restored before the program runs.
func Use(l Stateful) {
	registry.Lock()
	defer registry.Unlock()
	libraries = append(libraries, l)
}

// SetCommitter sets who commits the checkpoints of this process, in place of
// the process itself. It is called from an init function or from
// [Stateful.Restored], or later, while no checkpoint is taken.
func SetCommitter(c Committer) {
	registry.Lock()
	defer registry.Unlock()
	committer = c
	agreed.Store(c != nil)
}

// agreed is set if checkpoints are taken where all processes of a job agree. Polls look at it,
// which in torture mode come by the million.
var agreed atomic.Bool

func usedLibraries() []Stateful {
	registry.Lock()
	defer registry.Unlock()
	return libraries[:len(libraries):len(libraries)]
}

// coordinator returns who commits the checkpoints of this process, nil if itself.
func coordinator() Committer {
	registry.Lock()
	defer registry.Unlock()
	return committer
}

// Settle waits until the checkpoint that is being written is committed, or has failed. A
// library calls it before it takes down what its [Committer] needs.
func Settle() {
	if r := current.Load(); r != nil {
		r.behind.wait()
	}
}

// A Run is what a committer must know of the process it is in.
type Run struct {
	Store   *store.Store
	Epoch   store.Epoch
	Next    uint64 // number of the checkpoint after the last that this process took or tried
	Base    uint64 // checkpoint that the process continued; 0: none
	Rank    int
	Size    int
	Program string   // for the manifest: hash of the fingerprint
	Files   []string // that the process had open when its memory was captured, for [store.Store.KeepFiles]
}

// Current returns the run that the process is in. It is false if checkpoints
// are not turned on.
func Current() (Run, bool) {
	r := current.Load()
	if r == nil || r.store == nil {
		return Run{}, false
	}
	return Run{
		Store: r.store, Epoch: r.epoch, Next: r.seq + 1, Base: r.base,
		Rank: r.config.rank, Size: r.config.size, Program: r.hash, Files: r.files,
	}, true
}
