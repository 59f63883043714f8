package ckp

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// AtExit is called at the end of the tests.
var AtExit func()

// TestMain lets the test binary be a program that wants to be replaced n times
// and then ends with status 5.
func TestMain(m *testing.M) {
	if again := os.Getenv("CKP_SUPERVISE_TEST"); again != "" {
		n, err := strconv.Atoi(os.Getenv(envAgain))
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(strconv.Itoa(n))
		if n > 0 {
			err = supervise(os.Args[0], os.Args, os.Environ(), strconv.Itoa(n-1))
			panic(err)
		}
		os.Exit(5)
	}
	_ = flag.Set("test.parallel", "6") // they mostly wait
	status := m.Run()
	if AtExit != nil {
		AtExit()
	}
	os.Exit(status)
}

func TestSupervise(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	stdout := os.Stdout
	os.Stdout = w
	defer func() { os.Stdout = stdout }()
	f, err := os.CreateTemp(t.TempDir(), "baton")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	env := append(os.Environ(), "CKP_SUPERVISE_TEST=1", envBaton+"="+f.Name())
	status, err := relay(os.Args[0], os.Args[:1], env, "4", f.Name())
	require.NoError(t, err)
	require.Equal(t, 5, status)
	require.NoError(t, w.Close())
	var buf [64]byte
	n, _ := r.Read(buf[:])
	require.Equal(t, "43210", string(buf[:n]))
}

func TestPackagePath(t *testing.T) {
	for name, want := range map[string]string{
		"main.main":                               "main",
		"main.(*list[...]).push":                  "main",
		"example.org/a/b.f":                       "example.org/a/b",
		"example.org/a%2eb.(*T).f.func1":          "example.org/a.b",
		"github.com/ckpgen/ckpgen/runtime/ckp.f":  "github.com/ckpgen/ckpgen/runtime/ckp",
		"gopkg.in/yaml%2ev3.(*decoder).unmarshal": "gopkg.in/yaml.v3",
		"slices.SortFunc[...]":                    "slices",
	} {
		require.Equal(t, want, packagePath(name))
	}
	require.Equal(t, "gopkg.in/yaml.v3.(*decoder).unmarshal", title("gopkg.in/yaml%2ev3.(*decoder).unmarshal"))
	require.Equal(t, "a function literal of example.org/a.b.f", title("example.org/a%2eb.(*f_closure1).call"))
	require.Equal(t, "gopkg.in/yaml.v3.f.func1", (&shadow.Function{Description: &shadow.Description{Name: "gopkg.in/yaml%2ev3.f_literal1", Title: "gopkg.in/yaml%2ev3.f.func1"}}).String())
	none := map[string]bool{}
	require.True(t, startedByProgram("example.org/a", none))
	require.True(t, startedByProgram("main", none))
	require.True(t, startedByProgram("mymodule/a", map[string]bool{"mymodule/a": true}))
	require.True(t, startedByProgram(module+"examples/seqsim", none))
	require.False(t, startedByProgram(module+"runtime/ckp", none))
	require.False(t, startedByProgram(module+"bsp", none))
	require.False(t, startedByProgram("os/signal", none))
}

func TestParseEnvironment(t *testing.T) {
	parse := func(kv ...string) (configuration, bool, error) {
		m := map[string]string{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i]] = kv[i+1]
		}
		return parseEnvironment(func(name string) (string, bool) { s, ok := m[name]; return s, ok })
	}
	_, on, err := parse()
	require.NoError(t, err)
	require.False(t, on)
	c, on, err := parse(envDir, "d")
	require.NoError(t, err)
	require.True(t, on)
	require.Equal(t, configuration{dir: "d", interval: defaultInterval, early: skipEarly, size: 1}, c)
	c, on, err = parse(envDir, "d", envRank, "2", envSize, "4", envEpoch, "7", envRestore, "9", envInterval, "1s")
	require.NoError(t, err)
	require.True(t, on)
	require.Equal(t, configuration{dir: "d", interval: 1e9, early: skipEarly, rank: 2, size: 4, claimed: true, launched: true, epoch: 7, restore: 9}, c)
	_, on, err = parse(envRank, "0", envSize, "4", envInterval, "1s")
	require.NoError(t, err, "a job without checkpoints")
	require.False(t, on)
	_, _, err = parse(envDir, "d", envRank, "4", envSize, "4")
	require.Error(t, err)
	c, _, err = parse(envDir, "d", envInterval, "0")
	require.NoError(t, err)
	require.Equal(t, waitEarly, c.early, "a checkpoint at each opportunity")
	c, _, err = parse(envDir, "d", envInterval, "0", envEarly, "skip")
	require.NoError(t, err)
	require.Equal(t, skipEarly, c.early)
	_, _, err = parse(envDir, "d", envEarly, "later")
	require.EqualError(t, err, "CKP_EARLY=later: neither wait nor skip")

	c = configuration{epoch: 1, restore: 2, committed: 3, scratch: "/tmp/a:b"}
	var d configuration
	require.NoError(t, d.parseAgain(c.again()))
	c.claimed = true
	require.Equal(t, c, d)
}

func BenchmarkCheckpoint(b *testing.B) {
	for b.Loop() {
		Checkpoint()
	}
}

// With checkpoints turned on and none due.
func BenchmarkCheckpointNotDue(b *testing.B) {
	current.Store(&run{schedule: schedule{interval: 1 << 60}})
	defer current.Store(nil)
	for b.Loop() {
		Checkpoint()
	}
}
