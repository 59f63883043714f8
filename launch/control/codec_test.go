package control

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// every has one message of each kind; the wire form beside it is fixed, since
// binaries and launchers of different builds meet.
var every = []struct {
	m    Message
	wire string
}{
	{Hello{1, 2, 3, 4711}, `{"hello":{"version":1,"rank":2,"epoch":3,"pid":4711}}`},
	{Progress{7}, `{"progress":{"superstep":7}}`},
	{Committed{1, 2, 3, 4}, `{"committed":{"seq":1,"bytes":2,"millis":3,"superstep":4}}`},
	{Restored{1, 2, 3}, `{"restored":{"seq":1,"millis":2,"superstep":3}}`},
	{Suspect{1, 2, "silent"}, `{"suspect":{"rank":1,"by":2,"why":"silent"}}`},
	{Elected{1, 2}, `{"elected":{"rank":1,"epoch":2}}`},
	{Restart{2, []int{1, 3}, 9}, `{"restart":{"epoch":2,"dead":[1,3],"restore":9}}`},
	{Fatal{"line\n<two>"}, `{"fatal":{"text":"line\n\u003ctwo\u003e"}}`},
	{Checkpoint{}, `{"checkpoint":{}}`},
	{Stop{}, `{"stop":{}}`},
	{Died{2, 137}, `{"died":{"rank":2,"status":137}}`},
}

func TestWireForm(t *testing.T) {
	var all bytes.Buffer
	for _, c := range every {
		line, err := encode(c.m)
		require.NoError(t, err)
		assert.Equal(t, c.wire+"\n", string(line))
		all.Write(line)
	}
	r := newReader(&all)
	for _, c := range every {
		m, err := r.next()
		require.NoError(t, err)
		assert.Equal(t, c.m, m)
	}
	_, err := r.next()
	assert.Equal(t, io.EOF, err)
}

func TestBadLines(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"\n", "not a JSON object"},
		{"[]\n", "not a JSON object"},
		{"{}\n", "0 members"},
		{`{"stop":{},"died":{}}` + "\n", "2 members"},
		{`{"bye":{}}` + "\n", "unknown kind"},
		{`{"hello":null}` + "\n", "no body"},
		{`{"hello":{"rank":"x"}}` + "\n", "hello"},
		{`{"stop":{}}`, "unexpected EOF"},
		{strings.Repeat("x", maxLine+1) + "\n", "longer than"},
	} {
		_, err := newReader(strings.NewReader(c.line)).next()
		require.Error(t, err, c.line)
		assert.Contains(t, err.Error(), c.want)
	}
}

func TestLongTextIsCut(t *testing.T) {
	line, err := encode(Fatal{strings.Repeat("\x00", maxLine)})
	require.NoError(t, err)
	assert.LessOrEqual(t, len(line), maxLine)
	m, err := decode(line[:len(line)-1])
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(m.(Fatal).Text, "[...]"))
}

func TestAnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		r := newReader(bytes.NewReader(b))
		for {
			if _, err := r.next(); err != nil {
				return
			}
		}
	})
}
