package launch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestLinesAreNeverMixed has several processes write at the same time, in
// pieces of any size.
func TestLinesAreNeverMixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "processes")
		var to bytes.Buffer
		o := newOutput(&Spec{Processes: max(n, 2), Stdout: &to, Stderr: io.Discard})
		want := make([][]string, n)
		var wg sync.WaitGroup
		for p := range n {
			lines := rapid.SliceOfN(rapid.StringMatching(`[a-z ]{0,20}`), 0, 20).Draw(t, "lines")
			ended := rapid.Bool().Draw(t, "ended")
			text := strings.Join(lines, "\n")
			if ended && text != "" {
				text += "\n"
			}
			want[p] = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if text == "" {
				want[p] = nil
			}
			size := rapid.IntRange(1, 30).Draw(t, "size")
			wg.Go(func() {
				o.pump(&pieces{text, size}, &stream{to: &to, prefix: o.prefix(p)})
			})
		}
		wg.Wait()
		got := make([][]string, n)
		for line := range strings.Lines(to.String()) {
			var p int
			_, err := fmt.Sscanf(line, "[rank %d] ", &p)
			require.NoError(t, err)
			got[p] = append(got[p], strings.TrimSuffix(strings.TrimPrefix(line, fmt.Sprintf("[rank %d] ", p)), "\n"))
		}
		require.Equal(t, want, got)
	})
}

// pieces reads a text in pieces.
type pieces struct {
	text string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	n := copy(b[:min(len(b), p.size)], p.text)
	p.text = p.text[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func TestUnprefixedIsUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var to, log bytes.Buffer
		o := newOutput(&Spec{Processes: 3, Stdout: &to, Stderr: io.Discard})
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		o.pump(&pieces{text, 7}, &stream{to: &to, log: &log})
		require.Equal(t, text, to.String())
		require.Equal(t, text, log.String())
	})
}

func TestAnOpenLineIsEndedByTheNext(t *testing.T) {
	var to bytes.Buffer
	o := newOutput(&Spec{Processes: 2, Stdout: &to, Stderr: &to})
	o.pump(strings.NewReader("no end"), &stream{to: &to})
	o.say("hello")
	assert.Equal(t, "no end\nckpgen: hello\n", to.String())
}

func TestLongLines(t *testing.T) {
	var to bytes.Buffer
	o := newOutput(&Spec{Processes: 2, Stdout: &to, Stderr: &to})
	long := strings.Repeat("x", maxHeld+maxHeld/2)
	o.pump(strings.NewReader("short\n"+long+"\n"), &stream{to: &to, prefix: "[rank 1] "})
	assert.Equal(t, "[rank 1] short\n[rank 1] ", to.String()[:24])
	assert.Equal(t, len(long), strings.Count(to.String(), "x"))
}

func TestStatusLineMakesWay(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	require.NoError(t, err)
	defer f.Close()
	o := newOutput(&Spec{Processes: 2, Stdout: f, Stderr: f})
	o.terminal = f
	o.show("one")
	o.write(&stream{to: f}, []byte("text\n"))
	o.show("two")
	o.write(&stream{to: f}, []byte("open"))
	o.show("three")
	o.write(&stream{to: f}, []byte("\n"))
	o.show("")
	b, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	const erase = "\r\x1b[K"
	assert.Equal(t, "one"+erase+"text\none"+erase+"two"+erase+"open\n\nthree"+erase, string(b))
}

func TestStatusLine(t *testing.T) {
	j := &job{spec: &Spec{Processes: 4}, began: time.Now().Add(-3*time.Minute - 5*time.Second)}
	assert.Equal(t, "3m05s  4 processes  superstep 0  no checkpoint yet", j.statusLine())
	j.step, j.lastAt = 480, time.Now().Add(-2*time.Second)
	j.last.Seq, j.last.Bytes, j.last.Millis = 12, 4_000_000, 31
	assert.Equal(t, "3m05s  4 processes  superstep 480  checkpoint 12 (4.0 MB in 0.031 s) 2s ago", j.statusLine())
	assert.Equal(t, "29h07m", clock(29*time.Hour+7*time.Minute))
	assert.Equal(t, "999 B", size(999))
	assert.Equal(t, "1.0 MB", size(999_960))
}
