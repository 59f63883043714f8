package ckp

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/pack"
	"github.com/ckpgen/ckpgen/runtime/ckp/section"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
	"github.com/ckpgen/ckpgen/runtime/ckp/stored"
	"github.com/ckpgen/ckpgen/store"
)

// An otherProgramError says that an image can't be continued by this binary.
type otherProgramError struct {
	seq         uint64
	dir         string
	differences []string
	system      string // that the checkpoint was written on, if it is another one
}

// Error is a line that says what to do, and one for each difference.
func (e *otherProgramError) Error() string {
	const most = 10
	list := e.differences
	more := ""
	if len(list) > most {
		more = fmt.Sprintf("\n  and %d more differences", len(list)-most)
		list = list[:most]
	}
	if e.system != "" {
		more += fmt.Sprintf("\nit was written on %s and this is %s: some files, or types of the standard library, are there for one of them alone", e.system, system())
	}
	return fmt.Sprintf("checkpoint %d in %s was written by another program: run the program that wrote it, or start from the beginning in an empty directory\n  %s%s",
		e.seq, e.dir, strings.Join(list, "\n  "), more)
}

// A tooLargeError says that this machine, on which an int has 32 bits, can't go on from a
// checkpoint of another.
type tooLargeError struct {
	seq                      uint64
	dir                      string
	path, typ, value, system string
}

// Error names variable and value, and says what to do.
func (e *tooLargeError) Error() string {
	return fmt.Sprintf("checkpoint %d in %s can't be continued on %s, where an int has %d bits: %s (%s): %s is too large; it is unchanged, and a program for %s or another machine with 64 bits can go on from it",
		e.seq, e.dir, system(), strconv.IntSize, e.path, e.typ, e.value, e.system)
}

// tooLarge names a variable of an image as the source does.
func (r *run) tooLarge(c store.Checkpoint, image *heap.Image, err *heap.OverflowError) error {
	return &tooLargeError{c.Manifest.Seq, r.store.Dir(), sourcePath(err.Path, stackOf(image)), err.Type, err.Value, processOf(image).System}
}

// system names the machine that the program was built for.
func system() string { return goruntime.GOOS + "/" + goruntime.GOARCH }

// otherSystem names the machine that an image was written on, if it is not like this one.
func otherSystem(image *heap.Image) string {
	if was := processOf(image).System; was != system() {
		return was
	}
	return ""
}

// stackOf returns what an image tells of its goroutines.
func stackOf(image *heap.Image) (s section.Stack) {
	b, _ := image.Section(section.StackName)
	_ = json.Unmarshal(b, &s) // without it, messages are less clear
	return s
}

// processOf returns what an image tells of the process that wrote it.
func processOf(image *heap.Image) (p section.Process) {
	b, _ := image.Section(section.ProcessName)
	_ = json.Unmarshal(b, &p)
	return p
}

// A damagedError says that the image that was to be restored can't be.
type damagedError struct{ err error }

func (e *damagedError) Error() string { return e.err.Error() }
func (e *damagedError) Unwrap() error { return e.err }

// identify computes the fingerprint of the program.
func (r *run) identify() {
	b, err := fingerprint().Encode()
	if err != nil {
		quit(1, fmt.Errorf("fingerprint of the program: %w", err))
	}
	r.section, r.hash = b, section.Hash(b)
}

// start claims an epoch, unless that was done, and restores the checkpoint that
// is to be continued, if there is one.
func (r *run) start() error {
	var s *store.Store
	var err error
	switch {
	case r.config.dir != "":
		dir := r.config.dir
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(startDir, dir)
		}
		s, err = store.Open(dir, store.Options{Keep: r.config.keep})
	case r.config.scratch != "":
		s, err = inherit(r.config.scratch)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	r.store = s
	began := time.Now()
	if r.config.dir != "" && !r.config.launched {
		if err := r.lock(); err != nil {
			return err
		}
	}
	var c store.Checkpoint
	if r.config.claimed {
		r.epoch = store.Epoch(r.config.epoch)
		if r.config.restore > 0 {
			if c, err = s.Load(r.config.restore); err != nil {
				return &damagedError{err}
			}
		}
	} else {
		r.job = store.NewJob(startArgs[0], r.config.size, startArgs[1:])
		var damage []store.Damage
		r.epoch, c, damage, err = s.ResumeIf(owner(), r.accept)
		var none *store.NoIntactError
		if !errors.As(err, &none) { // which tells the same
			for _, d := range damage {
				say("damaged: " + d.String())
			}
		}
		if err != nil {
			return err
		}
		if len(damage) > 0 && c.Manifest.Seq > 0 {
			say(fmt.Sprintf("falling back to checkpoint %d of %s", c.Manifest.Seq, c.Manifest.Time.Local().Format(time.DateTime)))
		}
		if err := s.WriteJob(r.job); err != nil {
			return err
		}
		if r.hadEnded {
			say(store.HadEnded)
		}
	}
	if c.Manifest.Seq == 0 {
		return nil
	}
	r.base, r.seq = c.Manifest.Seq, c.Manifest.Seq
	if err := r.before.end(); err != nil {
		return err
	}
	current.Store(r) // libraries may ask for it in Restored
	if err := r.restore(c); err != nil {
		return err
	}
	r.discard()
	if !r.config.claimed {
		say(fmt.Sprintf("continues checkpoint %d of %s, read in %v", r.base, c.Manifest.Time.Local().Format(time.DateTime), since(began)))
	}
	// In torture mode nothing was read or written in between.
	if process != nil && (r.config.launched || !r.config.claimed) {
		process.Streams.tell(r.config.launched)
	}
	return nil
}

// lock takes the lock of the directory, or tells why this program has no business there.
func (r *run) lock() error {
	unlock, err := store.Lock(r.store.Dir(), owner())
	var locked *store.LockedError
	if !errors.As(err, &locked) {
		// Without the lock (some file systems have none) there are the epochs.
		r.unlock = unlock
		return nil
	}
	if c, _, err := r.store.Newest(); err == nil && c.Manifest.Seq > 0 {
		var other *store.OtherJobError
		if err := r.accept(c); err != nil && !errors.As(err, &other) {
			return err
		}
	}
	return locked
}

func sizeError(c store.Checkpoint, size int) error {
	return fmt.Errorf("checkpoint %d is one of %d processes and this job has %d: 'ckpgen run -n %d' starts as many", c.Manifest.Seq, c.Manifest.Size, size, c.Manifest.Size)
}

// accept looks whether a checkpoint is one of this program, started as now, before an epoch is
// claimed: another program must not stop the one that the directory belongs to.
func (r *run) accept(c store.Checkpoint) error {
	if c.Manifest.Size != r.config.size {
		return sizeError(c, r.config.size)
	}
	if c.Manifest.Program != r.hash {
		if _, err := r.open(c); err != nil {
			return err
		}
	}
	var err error
	r.job, r.hadEnded, err = r.store.Continues(r.job, c.Manifest.Seq)
	return err
}

// recordEnd notes that the program has returned from main. It is not known of one that calls
// os.Exit.
func (r *run) recordEnd() {
	if r.config.dir == "" || r.config.launched {
		return
	}
	j, err := r.store.ReadJob()
	if err == nil {
		j.Ended = new(int)
		err = r.store.WriteJob(j)
	}
	if err != nil {
		say(fmt.Sprintf("that the program has ended could not be noted: %v", err))
	}
}

// open reads the image of this process, and returns an *otherProgramError if it
// is not one of this program.
func (r *run) open(c store.Checkpoint) (*heap.Image, error) {
	b, err := stored.Bytes(c, r.config.rank)
	var missing *pack.MissingError
	if errors.As(err, &missing) {
		return nil, fmt.Errorf("checkpoint %d: %w", c.Manifest.Seq, err)
	}
	if err != nil {
		return nil, &damagedError{err}
	}
	image, err := heap.Parse(b)
	var large *heap.OverflowError
	if errors.As(err, &large) {
		if err := r.sameProgram(c, image); err != nil {
			return nil, err
		}
		return nil, r.tooLarge(c, image, large)
	}
	if err != nil {
		return nil, &damagedError{fmt.Errorf("checkpoint %d, process %d: %w", c.Manifest.Seq, r.config.rank, err)}
	}
	return image, r.sameProgram(c, image)
}

// restore rebuilds the program from its image.
func (r *run) restore(c store.Checkpoint) error {
	if c.Manifest.Size != r.config.size {
		return sizeError(c, r.config.size)
	}
	image, err := r.open(c)
	if err != nil {
		return err
	}
	for _, p := range shadow.Packages() {
		if p.Prepare != nil {
			p.Prepare()
		}
	}
	var goroutines []shadow.Saved
	opt := options()
	var arm func() error // not called before all else that can fail here
	opt.Later = func(f func() error) { arm = f }
	opt.Files = c.KeptFiles(r.config.rank)
	var missing []string
	if otherSystem(image) != "" {
		opt.Missing = &missing
	}
	if err := image.Rebuild(roots(&goroutines), opt); err != nil {
		var changed *heap.TypeChangedError
		if errors.As(err, &changed) {
			return &otherProgramError{c.Manifest.Seq, r.store.Dir(), []string{err.Error()}, otherSystem(image)}
		}
		var large *heap.OverflowError
		if errors.As(err, &large) {
			return r.tooLarge(c, image, large)
		}
		return fmt.Errorf("rebuild the program from checkpoint %d: %w%s", c.Manifest.Seq, err, r.passOver(c, err))
	}
	if !setAddresses() {
		return &otherProgramError{c.Manifest.Seq, r.store.Dir(), []string{"it keeps addresses of descriptions of types as numbers, by which it finds something, and this binary has other types at them"}, ""}
	}
	if n := renumber(); n > 0 {
		return &tooLargeError{c.Manifest.Seq, r.store.Dir(), "an address that the program uses as a number", "uintptr", fmt.Sprintf("%#x", n), processOf(image).System}
	}
	if err := shadow.Adopt(goroutines); err != nil {
		return &damagedError{fmt.Errorf("checkpoint %d: %w", c.Manifest.Seq, err)}
	}
	if err := process.apply(); err != nil {
		return fmt.Errorf("continue checkpoint %d: %w", c.Manifest.Seq, err)
	}
	// Files are cut before any process of the job goes on, which they do when all are in Restored.
	// A function of a timer may start a goroutine.
	if err := arm(); err != nil {
		return fmt.Errorf("continue checkpoint %d: %w", c.Manifest.Seq, err)
	}
	forgetTimers()
	resumeTests()
	tellMissing(missing, otherSystem(image))
	for _, l := range usedLibraries() {
		if err := l.Restored(); err != nil {
			return fmt.Errorf("%s, continuing checkpoint %d: %w", l.Name(), c.Manifest.Seq, err)
		}
	}
	return nil
}

// passOver has the job go on from the checkpoint before if this one can't be continued because a
// file is lost that the program was writing, and returns what is to be said of that. A program that
// writes a file and then moves it elsewhere, or writes it anew from time to time, has it open at
// some checkpoints; that one of these was the last must not end a job that nobody watches. If the
// checkpoint before needs the file as well, it is one that the program keeps open, a log, say:
// somebody has to put it back, and nothing is passed over.
func (r *run) passOver(c store.Checkpoint, err error) string {
	var file *heap.FileError
	if !errors.As(err, &file) || !file.Lost || r.config.dir == "" {
		return ""
	}
	before, note, perr := c.PassOver(r.config.rank, err.Error())
	if perr != nil {
		return "" // there is none, as a rule
	}
	if image, err := r.open(before); err != nil || image.Lost(before.KeptFiles(r.config.rank)) != nil {
		_ = os.Remove(note) // else it is as if that one were damaged
		return ""
	}
	text := fmt.Sprintf("; the next start goes on from checkpoint %d of %s", before.Manifest.Seq, before.Manifest.Time.Local().Format(time.DateTime))
	if !r.config.launched {
		text += ", unless you put it back and delete " + note
	}
	return text
}

// sameProgram returns an *otherProgramError if the image is not one of this program. On another
// machine it is if what the image needs is the same: modules have functions there that are written
// for it.
func (r *run) sameProgram(c store.Checkpoint, image *heap.Image) error {
	b, ok := image.Section(section.ProgramName)
	if !ok {
		return &damagedError{fmt.Errorf("checkpoint %d, process %d: the image does not name its program", c.Manifest.Seq, r.config.rank)}
	}
	if section.Hash(b) == r.hash {
		return nil
	}
	var was section.Program
	if err := json.Unmarshal(b, &was); err != nil {
		return &damagedError{fmt.Errorf("checkpoint %d, process %d: fingerprint: %w", c.Manifest.Seq, r.config.rank, err)}
	}
	now := fingerprint()
	if _, err := now.Encode(); err != nil {
		return err
	}
	var counts func(section.Function) bool
	if otherSystem(image) != "" {
		counts = neededBy(image)
	}
	differences := was.Differences(now, counts)
	if len(differences) == 0 {
		if counts != nil {
			return nil
		}
		differences = []string{"the fingerprints differ"}
	}
	return &otherProgramError{c.Manifest.Seq, r.store.Dir(), differences, otherSystem(image)}
}
