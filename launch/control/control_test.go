package control

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func listen(t *testing.T) (*Server, string) {
	name := filepath.Join(t.TempDir(), "c")
	s, err := Listen(name)
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { _ = s.Close() })
	return s, name
}

func TestConversation(t *testing.T) {
	s, name := listen(t)
	c, err := Dial(Job{Rank: 2, Size: 3, Epoch: 5, Control: name})
	require.NoError(t, err)
	p := <-s.Peers()
	assert.Equal(t, 2, p.Hello.Rank)
	assert.EqualValues(t, 5, p.Hello.Epoch)

	require.NoError(t, c.Send(Restored{Seq: 4}))
	m, err := p.Receive()
	require.NoError(t, err)
	assert.Equal(t, Restored{Seq: 4}, m)

	require.NoError(t, p.Send(Died{Rank: 1, Status: 137}))
	assert.Equal(t, Died{1, 137}, <-c.Messages())

	for i := range uint64(1000) {
		c.Progress(i) // all but the first few are left out
	}
	require.NoError(t, c.Send(Fatal{"end"}))
	n := 0
	for {
		m, err := p.Receive()
		require.NoError(t, err)
		if _, ok := m.(Fatal); ok {
			break
		}
		n++
	}
	assert.Less(t, n, 100)

	require.NoError(t, p.Close())
	_, open := <-c.Messages()
	assert.False(t, open, "the launcher's death must be seen")
}

func TestStrangersAreRefused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "c")
	s, err := Listen(name)
	require.NoError(t, err)
	refused := make(chan error, 9)
	s.Refused = func(err error) { refused <- err }
	s.Start()
	for _, line := range []string{
		`{"hello":{"version":99,"rank":0}}` + "\n",
		`{"stop":{}}` + "\n",
		"GET / HTTP/1.1\n",
	} {
		nc, err := net.Dial("unix", name)
		require.NoError(t, err)
		_, err = nc.Write([]byte(line))
		require.NoError(t, err)
		assert.Error(t, <-refused)
		_ = nc.Close()
	}
	silent, err := net.Dial("unix", name)
	require.NoError(t, err)
	begin := time.Now()
	require.NoError(t, s.Close())
	assert.Less(t, time.Since(begin), time.Second, "a silent connection must not hold Close up")
	_ = silent.Close()
}

func TestEnvironment(t *testing.T) {
	env := map[string]string{}
	lookup := func(k string) (string, bool) { v, ok := env[k]; return v, ok }
	_, ok, err := parse(lookup)
	require.NoError(t, err)
	assert.False(t, ok)

	want := Job{Rank: 2, Size: 4, Epoch: 7, Restore: 19, RunDir: "/r", Control: "/r/c"}
	for _, v := range want.Variables() {
		for i := range v {
			if v[i] == '=' {
				env[v[:i]] = v[i+1:]
				break
			}
		}
	}
	got, ok, err := parse(lookup)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, want, got)

	env[EnvRank] = "4"
	_, _, err = parse(lookup)
	assert.ErrorContains(t, err, "not below")
	env[EnvRank] = "-1"
	_, _, err = parse(lookup)
	assert.ErrorContains(t, err, EnvRank)
	delete(env, EnvRank)
	_, _, err = parse(lookup)
	assert.ErrorContains(t, err, "is not set")
}
