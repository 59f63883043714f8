package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"

	"github.com/ckpgen/ckpgen/hugepages"
)

// A Checkpoint is a committed one.
type Checkpoint struct {
	Manifest Manifest
	store    *Store
}

// Path returns the path of a file of the checkpoint.
func (c Checkpoint) path(name string) string { return c.store.path(c.Manifest.entry().name(), name) }

// Dir returns the path of the checkpoint's directory.
func (c Checkpoint) Dir() string { return c.path("") }

// Image reads the image of a process and verifies it.
func (c Checkpoint) Image(rank int) ([]byte, error) {
	p, ok := c.Manifest.Part(rank)
	if !ok {
		return nil, fmt.Errorf("checkpoint %d has no image of process %d, only of 0 to %d", c.Manifest.Seq, rank, c.Manifest.Size-1)
	}
	b, err := c.read(p)
	if err != nil {
		return nil, fmt.Errorf("image of process %d in checkpoint %d (%s): %w", rank, c.Manifest.Seq, c.path(p.File), err)
	}
	return b, nil
}

// Images reads the image of a process, and before it those that it is an increment to, in their
// order, and verifies all.
func (c Checkpoint) Images(rank int) ([][]byte, error) { return c.ImagesFrom(rank, 0) }

// ImagesFrom returns those of [Checkpoint.Images] that are in checkpoints from the given number on.
func (c Checkpoint) ImagesFrom(rank int, seq uint64) ([][]byte, error) {
	p, ok := c.Manifest.Part(rank)
	if !ok || len(p.Needs) == 0 {
		b, err := c.Image(rank)
		return [][]byte{b}, err
	}
	links, err := c.links(p)
	if err != nil {
		return nil, err
	}
	var list [][]byte
	for _, l := range append(links, c) {
		if l.Manifest.Seq < seq {
			continue
		}
		b, err := l.Image(rank)
		if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, nil
}

// links returns the checkpoints that a part needs.
func (c Checkpoint) links(p Part) ([]Checkpoint, error) {
	var list []Checkpoint
	for i, seq := range p.Needs {
		e := entry{seq, c.Manifest.Epoch}
		m, err := c.store.manifest(e)
		if err == nil {
			if q, ok := m.Part(p.Rank); !ok || !slices.Equal(q.Needs, p.Needs[:i]) {
				err = contentError{errors.New("it is not what the increment was made to")}
			}
		}
		if err != nil {
			name := c.store.path(e.name(), manifestName)
			return nil, &linkError{name, fmt.Errorf("checkpoint %d, which the image of process %d in checkpoint %d is an increment to (%s): %w", seq, p.Rank, c.Manifest.Seq, name, err)}
		}
		list = append(list, Checkpoint{Manifest: *m, store: c.store})
	}
	return list, nil
}

// A linkError says that a checkpoint is missing or damaged that another one needs.
type linkError struct {
	file string
	err  error
}

func (e *linkError) Error() string { return e.err.Error() }
func (e *linkError) Unwrap() error { return e.err }

func (c Checkpoint) read(p Part) ([]byte, error) {
	f, size, err := c.store.fsys.Open(c.path(p.File))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size != p.Size {
		return nil, sizeError(size, p.Size)
	}
	b := hugepages.Bytes(make([]byte, size))
	if n, err := io.ReadFull(f, b); err != nil {
		if err == io.ErrUnexpectedEOF {
			err = sizeError(int64(n), size)
		}
		return nil, err
	}
	if sumOf(b) != p.CRC32C {
		return nil, contentError{errChecksum}
	}
	return b, nil
}

// Verify reads every image. It returns nil if all are as they were written, and the checkpoint has
// not been passed over.
func (c Checkpoint) Verify() ([]Damage, error) {
	var damage []Damage
	switch passed, err := c.passedOver(); {
	case err != nil:
		return nil, fmt.Errorf("verify checkpoint %d: %w", c.Manifest.Seq, err)
	case passed != nil:
		damage = append(damage, Damage{Seq: c.Manifest.Seq, Epoch: c.Manifest.Epoch, Rank: -1, File: c.path(passedOverName), Err: passed})
	}
	buf := make([]byte, min(1<<20, c.largest()+1))
	for _, p := range c.Manifest.Parts {
		file, err := c.verifyChain(p, buf)
		if err != nil {
			if !isDamage(err) {
				return nil, fmt.Errorf("verify checkpoint %d: %w", c.Manifest.Seq, err)
			}
			damage = append(damage, Damage{Seq: c.Manifest.Seq, Epoch: c.Manifest.Epoch, Rank: p.Rank, File: file, Err: err})
		}
	}
	return damage, nil
}

// verifyChain reads a part and those that it needs. It returns the file that is not as it was
// written.
func (c Checkpoint) verifyChain(p Part, buf []byte) (file string, err error) {
	links, err := c.links(p)
	var broken *linkError
	if errors.As(err, &broken) {
		return broken.file, err
	}
	for _, l := range links {
		q, _ := l.Manifest.Part(p.Rank)
		if err := l.verifyPart(q, buf); err != nil {
			return l.path(q.File), fmt.Errorf("checkpoint %d, which it is an increment to: %w", l.Manifest.Seq, err)
		}
	}
	return c.path(p.File), c.verifyPart(p, buf)
}

func (c Checkpoint) largest() int64 {
	var n int64
	for _, p := range c.Manifest.Parts {
		n = max(n, p.Size)
	}
	return n
}

func (c Checkpoint) verifyPart(p Part, buf []byte) error {
	f, size, err := c.store.fsys.Open(c.path(p.File))
	if err != nil {
		return err
	}
	defer f.Close()
	if size != p.Size {
		return sizeError(size, p.Size)
	}
	sum := crc32.New(castagnoli())
	n, err := io.CopyBuffer(sum, onlyReader{f}, buf)
	if err != nil {
		return err
	}
	if n != p.Size {
		return sizeError(n, p.Size)
	}
	if Checksum(sum.Sum32()) != p.CRC32C {
		return contentError{errChecksum}
	}
	return nil
}

// onlyReader hides the methods by which io.CopyBuffer would do without its
// buffer.
type onlyReader struct{ io.Reader }

func sizeError(got, want int64) error {
	return contentError{fmt.Errorf("it has %d bytes, not the %d that were written", got, want)}
}

// manifest reads the manifest of a checkpoint. fs.ErrNotExist: it was not
// committed.
func (s *Store) manifest(e entry) (*Manifest, error) {
	b, err := readFile(s.fsys, s.path(e.name(), manifestName))
	if err != nil {
		return nil, err
	}
	return decodeManifest(b, e)
}

// Newest returns the newest committed checkpoint of which every byte verifies,
// and what was passed over because it does not. The error is
// [ErrNoCheckpoint] if nothing was committed and a *[NoIntactError] if
// nothing that was committed is left intact.
func (s *Store) Newest() (Checkpoint, []Damage, error) {
	_, c, damage, err := s.newest(nil)
	return c, damage, err
}

// newest finds the newest intact checkpoint, in the view that it returns. Those
// in verified are taken as intact; others that are found so are added.
func (s *Store) newest(verified map[entry]bool) (*view, Checkpoint, []Damage, error) {
	for {
		v, err := s.look()
		if err != nil {
			return nil, Checkpoint{}, nil, fmt.Errorf("look for checkpoints: %w", err)
		}
		c, damage, err := s.newestOf(v, verified)
		if err == errSwept {
			continue // at most once for each checkpoint that another process deletes
		}
		return v, c, damage, err
	}
}

// errSwept says that a checkpoint was deleted while it was being looked at, as
// a newer one had been committed.
var errSwept = errors.New("the checkpoint was deleted meanwhile")

func (s *Store) newestOf(v *view, verified map[entry]bool) (Checkpoint, []Damage, error) {
	damage := append([]Damage(nil), v.damage...)
	committed := false
	for _, e := range v.entries {
		if v.void(e) {
			continue
		}
		m, err := s.manifest(e)
		if isNotExist(err) {
			continue
		}
		committed = true
		if err != nil && !isDamage(err) {
			return Checkpoint{}, nil, fmt.Errorf("manifest of checkpoint %d (%s): %w", e.seq, s.path(e.name(), manifestName), err)
		}
		if err != nil {
			damage = append(damage, Damage{Seq: e.seq, Epoch: e.epoch, Rank: -1, File: s.path(e.name(), manifestName), Err: err})
			continue
		}
		c := Checkpoint{Manifest: *m, store: s}
		if !verified[e] {
			d, err := c.Verify()
			if err != nil {
				return Checkpoint{}, nil, err
			}
			if d != nil {
				if _, err := s.manifest(e); isNotExist(err) {
					return Checkpoint{}, nil, errSwept
				}
				damage = append(damage, d...)
				continue
			}
			if verified != nil {
				verified[e] = true
			}
		}
		return c, damage, nil
	}
	if committed {
		return Checkpoint{}, damage, &NoIntactError{Dir: s.dir, Damage: damage}
	}
	return Checkpoint{}, damage, ErrNoCheckpoint
}

// Load returns the committed checkpoint with the given number. Only its
// manifest is verified; [Checkpoint.Image] verifies the images.
func (s *Store) Load(seq uint64) (Checkpoint, error) {
	v, err := s.look()
	if err != nil {
		return Checkpoint{}, fmt.Errorf("look for checkpoint %d: %w", seq, err)
	}
	for _, e := range v.entries {
		if e.seq != seq || v.void(e) {
			continue
		}
		m, err := s.manifest(e)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Checkpoint{}, fmt.Errorf("manifest of checkpoint %d (%s): %w", seq, s.path(e.name(), manifestName), err)
		}
		return Checkpoint{Manifest: *m, store: s}, nil
	}
	return Checkpoint{}, &missingError{seq, s.dir}
}

// A missingError is the ErrNoCheckpoint of Load: others may have been committed.
type missingError struct {
	seq uint64
	dir string
}

func (e *missingError) Error() string { return fmt.Sprintf("checkpoint %d is not in %s", e.seq, e.dir) }
func (e *missingError) Unwrap() error { return ErrNoCheckpoint }
