package store

import (
	"bytes"
	"errors"
	"math"
	"path"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// Memory that may be taken for what an enemy has written: for each byte of it, and anyhow.
const (
	factorMemory = 256
	freeMemory   = 4 << 20
)

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func withstand(t *testing.T, size int, step func()) {
	before := allocated()
	step()
	require.LessOrEqual(t, allocated()-before, uint64(freeMemory+factorMemory*size), "memory for %d bytes", size)
}

// sealed puts the right checksum at the end of a record.
func sealed(b []byte) []byte {
	const tail = len(checksumLine) + 8 + 1
	if len(b) >= tail && bytes.HasPrefix(b[len(b)-tail:], []byte(checksumLine)) {
		b = b[:len(b)-tail]
	}
	b = bytes.Clone(b)
	return append(b, checksumLine+sumOf(b).String()+"\n"...)
}

// FuzzManifest decodes manifests. One that is accepted belongs where it lies, and says the same
// when it is written again.
func FuzzManifest(f *testing.F) {
	m := Manifest{Format: FormatVersion, Seq: 7, Epoch: 2, Base: 3, Superstep: 9, Size: 2, Program: "p", Note: "n",
		Parts: []Part{{Rank: 1, Size: 5, CRC32C: 0xabc, File: "rank-00001.img"}, {Size: 6, CRC32C: 0xdef, File: "rank-00000.img"}}}
	b, err := encodeRecord(m)
	require.NoError(f, err)
	f.Add(uint64(7), uint64(2), b)
	f.Add(uint64(1), uint64(1), []byte(`{"format":1,"seq":1,"epoch":1,"processes":1,"parts":[{"file":"x"}]}`))
	f.Fuzz(func(t *testing.T, seq, epoch uint64, b []byte) {
		for _, b := range [][]byte{b, sealed(b)} {
			withstand(t, len(b), func() {
				e := entry{seq, Epoch(epoch)}
				m, err := decodeManifest(b, e)
				if err != nil {
					return
				}
				require.Equal(t, e, m.entry())
				require.Len(t, m.Parts, m.Size)
				for rank := range m.Size {
					p, ok := m.Part(rank)
					require.True(t, ok)
					require.Equal(t, path.Base(p.File), p.File)
					require.GreaterOrEqual(t, p.Size, int64(0))
				}
				again, err := encodeRecord(m)
				if err != nil {
					require.Zero(t, m.Time.Year()/10000, err) // a time that has no text
					return
				}
				n, err := decodeManifest(again, e)
				require.NoError(t, err)
				require.True(t, m.Time.Equal(n.Time))
				n.Time = m.Time
				require.Equal(t, m, n)
			})
		}
	})
}

// inMemory puts the files of an archive into a store in memory, with right checksums if wanted.
func inMemory(ar *txtar.Archive, seal bool) *Store {
	m := newMemoryFS(1)
	s := open("/job", Options{}, m)
	_ = m.MkdirAll(s.dir)
	for _, file := range ar.Files {
		name := path.Join(s.dir, path.Clean("/"+file.Name))
		if strings.Count(name, "/") > 3 {
			continue
		}
		_ = m.MkdirAll(path.Dir(name))
		if h, err := m.Create(name, true); err == nil {
			b := file.Data
			if base := path.Base(name); seal && (base == manifestName || strings.HasPrefix(base, "epoch-")) {
				b = sealed(b)
			}
			_, _ = h.Write(b)
			_ = h.Close()
		}
	}
	return s
}

// archive is the reverse.
func archive(s *Store) []byte {
	m := s.fsys.(*memoryFS)
	ar := new(txtar.Archive)
	for dir, d := range m.dirs {
		for name, file := range d.names {
			if file != nil && strings.HasPrefix(dir, s.dir) {
				ar.Files = append(ar.Files, txtar.File{Name: strings.TrimPrefix(path.Join(dir, name), s.dir+"/"), Data: file.data})
			}
		}
	}
	return txtar.Format(ar)
}

// FuzzDirectory looks into directories with any files. What is taken for the newest checkpoint is
// whole and counts, and a new incarnation can go on from it.
func FuzzDirectory(f *testing.F) {
	s := inMemory(new(txtar.Archive), false)
	for _, owner := range []string{"first", "second", "third"} {
		e, c, _, err := s.Resume(owner)
		require.NoError(f, err)
		f.Add(archive(s))
		require.NoError(f, put(s, e, c.Manifest.Seq+1, 2))
		require.NoError(f, put(s, e, c.Manifest.Seq+2, 1))
		f.Add(archive(s))
	}
	for _, name := range []string{"epoch-18446744073709551615.claim", "epoch-18446744073709551615.base", "ckpt-18446744073709551615.e18446744073709551615/manifest.json", "ckpt-18446744073709551615.e00000001/manifest.json"} {
		f.Add([]byte("-- " + name + " --\n{}\n"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, seal := range []bool{false, true} {
			s := inMemory(txtar.Parse(text), seal)
			withstand(t, len(text), func() { goOn(t, s) })
		}
	})
}

func goOn(t *testing.T, s *Store) {
	intact := func(c Checkpoint) {
		require.NoError(t, c.Manifest.check())
		for rank := range c.Manifest.Size {
			b, err := c.Image(rank)
			require.NoError(t, err)
			p, _ := c.Manifest.Part(rank)
			require.Equal(t, p.CRC32C, sumOf(b))
		}
	}
	v, err := s.look()
	if err != nil {
		return
	}
	entries, incarnations, err := s.History()
	require.NoError(t, err)
	require.Len(t, entries, len(v.entries))
	require.Len(t, incarnations, len(v.epochs))
	newest, damage, err := s.Newest()
	for _, d := range damage {
		require.NotEmpty(t, d.String())
	}
	if err == nil {
		intact(newest)
		require.False(t, v.void(newest.Manifest.entry()))
	}
	e, c, _, err := s.Resume("somebody")
	if err != nil {
		return
	}
	require.Greater(t, e, v.highest)
	require.Equal(t, newest.Manifest, c.Manifest)
	if c.Manifest.Seq < math.MaxUint64 {
		require.NoError(t, put(s, e, c.Manifest.Seq+1, 1))
		again, _, err := s.Newest()
		require.NoError(t, err)
		whole(t, again)
	}
	var fenced *FencedError
	if v.highest > 0 {
		require.True(t, errors.As(put(s, v.highest, c.Manifest.Seq+5, 1), &fenced) || c.Manifest.Seq > math.MaxUint64-5)
	}
}
