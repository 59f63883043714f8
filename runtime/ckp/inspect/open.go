package inspect

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ckpgen/ckpgen/runtime/ckp/stored"
	"github.com/ckpgen/ckpgen/store"
)

// Options bound what is read and how values are shown.
type Options struct {
	Seq      uint64 // the checkpoint to show; 0: the newest intact one
	Depth    int    // of values in one another; 0: 3
	Elements int    // of slices, arrays and maps; 0: 8
	Types    int    // lines of the table of types; 0: 20, negative: all
}

// A DamagedError says that an image can't be read.
type DamagedError struct{ Path, Problem string }

// Error names the file.
func (e *DamagedError) Error() string { return "inspect " + e.Path + ": " + e.Problem }

// Open reads a job's directory, a checkpoint's directory in it, or one image.
// Damage is no error where there is something left to show: it is in the report. The error is a
// *[DamagedError] if the one image is damaged.
func Open(path string, opt Options) (*Report, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("inspect: %w", err)
	}
	if !info.IsDir() {
		if filepath.Base(path) == "manifest.json" {
			return openCheckpoint(filepath.Dir(path), opt)
		}
		if !info.Mode().IsRegular() {
			return nil, &DamagedError{path, "it is no regular file; name a directory of checkpoints, or an image in one"}
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("inspect: %w", err)
		}
		p := readImage(b, opt)
		if p.Problem != "" {
			return nil, &DamagedError{path, p.Problem}
		}
		p.measure(nil, opt)
		p.File = path
		return &Report{Path: path, Shown: p.Seq, Processes: []Process{p}}, nil
	}
	if _, err := os.Stat(filepath.Join(path, "manifest.json")); err == nil {
		return openCheckpoint(path, opt)
	}
	return openJob(path, opt)
}

func openCheckpoint(dir string, opt Options) (*Report, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("inspect: %w", err)
	}
	if opt.Seq == 0 {
		if opt.Seq, err = store.SeqOf(filepath.Base(abs)); err != nil {
			return nil, fmt.Errorf("inspect: %w", err)
		}
	}
	return openJob(filepath.Dir(abs), opt)
}

func openJob(dir string, opt Options) (*Report, error) {
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		return nil, fmt.Errorf("inspect: %w", err)
	}
	r := &Report{Path: s.Dir()}
	if err := r.history(s); err != nil {
		return nil, err
	}
	if len(r.Checkpoints) == 0 && len(r.Incarnations) == 0 {
		return nil, fmt.Errorf("inspect: %s is not a directory of checkpoints", s.Dir())
	}
	var c store.Checkpoint
	if opt.Seq != 0 {
		if c, err = s.Load(opt.Seq); err != nil {
			return nil, fmt.Errorf("inspect: %w", err)
		}
		if _, err := r.verify(c); err != nil {
			return nil, fmt.Errorf("inspect: %w", err)
		}
	} else {
		var damage []store.Damage
		c, damage, err = s.Newest()
		for _, d := range damage {
			r.Damage = append(r.Damage, d.String())
		}
		r.mark(damage)
		var none *store.NoIntactError
		if errors.Is(err, store.ErrNoCheckpoint) || errors.As(err, &none) {
			return r, nil
		}
		if err != nil {
			return nil, fmt.Errorf("inspect: %w", err)
		}
	}
	r.Shown = c.Manifest.Seq
	before := r.before(s)
	for _, part := range c.Manifest.Parts {
		var p Process
		b, err := stored.Bytes(c, part.Rank)
		if err != nil {
			p.Problem = err.Error()
		} else {
			p = readImage(b, opt)
		}
		if p.Problem == "" {
			p.measure(oldProcess(before, part.Rank, opt), opt)
		}
		p.Rank, p.Size, p.Seq = part.Rank, c.Manifest.Size, c.Manifest.Seq
		p.File, p.Bytes = filepath.Join(c.Dir(), part.File), part.Size
		r.Processes = append(r.Processes, p)
	}
	return r, nil
}

// before returns the newest intact checkpoint before the one that is shown, or one of number 0.
func (r *Report) before(s *store.Store) store.Checkpoint {
	for _, c := range r.Checkpoints {
		if c.Seq < r.Shown && c.State == string(store.Committed) {
			before, err := s.Load(c.Seq)
			if err != nil {
				continue
			}
			if intact, err := r.verify(before); err == nil && intact {
				return before
			}
		}
	}
	return store.Checkpoint{}
}

// verify reports whether all images of a checkpoint are intact, and notes in the history if one is
// not.
func (r *Report) verify(c store.Checkpoint) (bool, error) {
	damage, err := c.Verify()
	if err != nil {
		return false, err
	}
	r.mark(damage)
	return len(damage) == 0, nil
}

// mark notes in the history what was found when the images were read.
func (r *Report) mark(damage []store.Damage) {
	for _, d := range damage {
		for i := range r.Checkpoints {
			if c := &r.Checkpoints[i]; c.Seq == d.Seq && c.Epoch == uint64(d.Epoch) && c.State == string(store.Committed) {
				c.State, c.Fault = string(store.Damaged), d.Err.Error()
			}
		}
	}
}

// oldProcess reads what a process was at a checkpoint, or returns nil.
func oldProcess(c store.Checkpoint, rank int, opt Options) *Process {
	if c.Manifest.Seq == 0 {
		return nil
	}
	b, err := c.Image(rank)
	if err != nil {
		return nil
	}
	p := readImage(b, opt)
	if p.Problem != "" {
		return nil
	}
	p.Seq = c.Manifest.Seq
	return &p
}

func (r *Report) history(s *store.Store) error {
	entries, incarnations, err := s.History()
	if err != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	for _, e := range entries {
		c := Checkpoint{Seq: e.Seq, Epoch: uint64(e.Epoch), State: string(e.State)}
		if e.Err != nil {
			c.Fault = e.Err.Error()
		}
		if m := e.Manifest; m != nil {
			c.Time, c.Processes, c.Bytes, c.Superstep = m.Time, m.Size, m.Bytes(), m.Superstep
			c.Program, c.Note = m.Program, m.Note
		}
		r.Checkpoints = append(r.Checkpoints, c)
	}
	for _, in := range incarnations {
		r.Incarnations = append(r.Incarnations, Incarnation{
			Epoch: uint64(in.Epoch), Owner: in.Owner, Time: in.Time, Started: in.Started, Base: in.Base,
		})
	}
	return nil
}
