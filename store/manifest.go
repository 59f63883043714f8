package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// FormatVersion is the version of manifests and epoch records that this
// package writes, and the highest that it reads.
const FormatVersion = 1

// A Manifest describes a committed checkpoint.
type Manifest struct {
	Format    int       `json:"format"`              // set by Commit
	Seq       uint64    `json:"seq"`                 // number of the checkpoint, from 1
	Epoch     Epoch     `json:"epoch"`               // incarnation that wrote it
	Base      uint64    `json:"base"`                // checkpoint that the incarnation started from; set by Commit
	Time      time.Time `json:"time"`                // of the commit; set by Commit if zero
	Superstep uint64    `json:"superstep,omitempty"` // of a BSP program
	Size      int       `json:"processes"`           // of the job
	Program   string    `json:"program,omitempty"`   // hash of the program's fingerprint
	Note      string    `json:"note,omitempty"`      // free text
	Parts     []Part    `json:"parts"`               // one for each process, in any order
}

// A Part is the image of one process.
type Part struct {
	Rank   int      `json:"rank"`
	Size   int64    `json:"bytes"`
	CRC32C Checksum `json:"crc32c"`
	File   string   `json:"file"` // in the directory of the checkpoint
	// Needs are the numbers of the checkpoints of the same epoch, in their order, whose images of
	// the process this one is an increment to; none if it is an image by itself.
	Needs []uint64 `json:"needs,omitempty"`
}

// Bytes returns the size of all images together.
func (m *Manifest) Bytes() int64 {
	var n int64
	for _, p := range m.Parts {
		n += p.Size
	}
	return n
}

// Part returns the part of a process.
func (m *Manifest) Part(rank int) (Part, bool) {
	for _, p := range m.Parts {
		if p.Rank == rank {
			return p, true
		}
	}
	return Part{}, false
}

func (m *Manifest) entry() entry { return entry{m.Seq, m.Epoch} }

// check looks for what no manifest may have.
func (m *Manifest) check() error {
	if m.Seq == 0 || m.Epoch == 0 {
		return errors.New("sequence numbers and epochs start at 1")
	}
	if m.Size < 1 || len(m.Parts) != m.Size {
		return fmt.Errorf("%d images for %d processes", len(m.Parts), m.Size)
	}
	seen := make(map[int]bool, len(m.Parts))
	files := make(map[string]bool, len(m.Parts))
	for _, p := range m.Parts {
		switch {
		case p.Rank < 0 || p.Rank >= m.Size:
			return fmt.Errorf("image of process %d in a job of %d", p.Rank, m.Size)
		case seen[p.Rank]:
			return fmt.Errorf("two images of process %d", p.Rank)
		case p.File != filepath.Base(p.File) || !filepath.IsLocal(p.File) || p.File == manifestName || files[p.File]:
			return fmt.Errorf("image of process %d has the file name %q", p.Rank, p.File)
		case p.Size < 0:
			return fmt.Errorf("image of process %d has %d bytes", p.Rank, p.Size)
		}
		for i, seq := range p.Needs {
			if seq == 0 || seq >= m.Seq || i > 0 && seq <= p.Needs[i-1] {
				return fmt.Errorf("image of process %d needs those of checkpoints %d", p.Rank, p.Needs)
			}
		}
		seen[p.Rank] = true
		files[p.File] = true
	}
	return nil
}

func decodeManifest(b []byte, want entry) (*Manifest, error) {
	m := new(Manifest)
	if err := decodeRecord(b, m); err != nil {
		return nil, contentError{err}
	}
	if err := checkFormat(m.Format); err != nil {
		return nil, err
	}
	if m.entry() != want {
		return nil, contentError{fmt.Errorf("it belongs to %s", m.entry().name())}
	}
	if err := m.check(); err != nil {
		return nil, contentError{err}
	}
	return m, nil
}

// checkFormat refuses what a newer version wrote. That is no damage: an older
// checkpoint is not the remedy.
func checkFormat(format int) error {
	if format < 1 || format > FormatVersion {
		return fmt.Errorf("it has format %d and this version of ckpgen reads up to %d: use the version that wrote it", format, FormatVersion)
	}
	return nil
}
