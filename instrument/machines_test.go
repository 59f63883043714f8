package instrument_test

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// emulators run programs for other architectures, of other word sizes and byte orders. Arm stands
// for the words of 32 bits: in the emulator of 386, threads run with the segment of another thread
// now and then, and plain programs die of it, too.
var emulators = map[string]string{"arm64": "qemu-aarch64-static", "s390x": "qemu-s390x-static", "arm": "qemu-arm-static"}

// round leads from each machine to each other that differs from it, and back. Amd64 is this one or
// like it.
var round = []string{"amd64", "arm64", "amd64", "s390x", "arm", "arm64", "s390x", "amd64", "arm"}

// wandering are programs whose output is the same on all machines. In all of them, a number of 64
// bits has a type of 64 bits.
var wandering = []string{"machines", "maps", "pointers", "closures", "generics", "captures", "selects", "pipelines", "waiting", "defers", "rangefunc", "process", "methodvalues", "localtypes"}

// strides are how many checkpoints those of them that have many take on a machine, so that they
// come round about twice.
var strides = map[string]string{"machines": "25", "rangefunc": "8", "methodvalues": "5", "captures": "5", "maps": "4", "waiting": "4"}

// TestMachines runs programs on several machines.
func TestMachines(t *testing.T) {
	bin := everywhere(t, append(slices.Clone(wandering), "toolarge", "onemachine", "ciphers"))
	t.Run("toolarge", func(t *testing.T) { tooLarge(t, bin) })
	t.Run("onemachine", func(t *testing.T) { oneMachineOnly(t, bin) })
	t.Run("ciphers", func(t *testing.T) { bound(t, bin) })
	wander(t, bin)
}

// wander stops programs at every few checkpoints and goes on each time on another machine. What
// they print on the way is what the plain program prints.
func wander(t *testing.T, bin string) {
	for _, name := range wandering {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := filepath.Join(bin, "plain", name)
			want, _ := run(t, t.TempDir(), nil, plain)
			every := cmp.Or(strides[name], "3")
			dir, work := filepath.Join(t.TempDir(), "job"), t.TempDir()
			var got strings.Builder
			visited := make(map[string]bool)
			for i := 0; ; i++ {
				arch := round[i%len(round)]
				visited[arch] = true
				out, errs, status := onMachine(t, arch, work, filepath.Join(bin, arch, name), "CKP_DIR="+dir, "CKP_INTERVAL=0", "CKP_EXIT_AFTER="+every)
				got.WriteString(out)
				if status == 0 {
					break
				}
				require.Equal(t, 75, status, "run %d, on %s\n%s", i, arch, errs)
				require.True(t, strings.HasPrefix(want, got.String()), "run %d, on %s\n%s", i, arch, got.String())
			}
			require.Equal(t, want, got.String())
			require.Len(t, visited, 1+len(emulators), "it has too few checkpoints")
		})
	}
}

// tooLarge checks that a number which another machine does not have is told by its variable and
// value, and that the checkpoint is as good as before.
func tooLarge(t *testing.T, bin string) {
	for _, c := range []struct{ how, variable string }{
		{"local", "main.local: total (int): 1099511627776 is too large"},
		{"element", "main.element: steps[3].n (uint): 4294967296 is too large"},
		{"key", "toolarge.sizes[key] (int): -2147483649 is too large"},
		{"value", `toolarge.sizes[-5] (int): 8589934592 is too large`},
		{"interface", "toolarge.anything.(int) (int): 1099511627776 is too large"},
		{"closure", "main.closure: n (int): 1099511627776 is too large"},
		{"goroutine", "main.goroutine.func1: n (uintptr): 17592186044416 is too large"},
		{"channel", "a channel (chan struct{}): a capacity of 1099511627776 is too large"},
		{"array", "the length of an array (int): 1099511627776 is too large"},
		{"address", "an address that the program uses as a number"},
	} {
		dir, work := filepath.Join(t.TempDir(), "job"), t.TempDir()
		env := []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", "CKP_EXIT_AFTER=1", "HOW=" + c.how}
		_, errs, status := onMachine(t, "amd64", work, filepath.Join(bin, "amd64", "toolarge"), env...)
		require.Equal(t, 75, status, errs)
		for range 2 {
			_, errs, status = onMachine(t, "arm", work, filepath.Join(bin, "arm", "toolarge"), env...)
			require.Equal(t, 3, status, errs)
			require.Contains(t, errs, c.variable)
			require.Contains(t, errs, "linux/arm")
			require.Contains(t, errs, "linux/amd64")
		}
		for _, arch := range []string{"s390x", "amd64"} {
			out, errs, status := onMachine(t, arch, work, filepath.Join(bin, arch, "toolarge"), env[0], env[3])
			require.Equal(t, 0, status, errs)
			require.Equal(t, "done "+c.how+"\n", out)
		}
	}
}

// oneMachineOnly checks that a program with files for one architecture only says which functions
// are not the same if a checkpoint needs them, and goes on elsewhere if it doesn't.
func oneMachineOnly(t *testing.T, bin string) {
	dir, work := filepath.Join(t.TempDir(), "job"), t.TempDir()
	env := []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", "CKP_EXIT_AFTER=1"}
	_, errs, status := onMachine(t, "amd64", work, filepath.Join(bin, "amd64", "onemachine"), env...)
	require.Equal(t, 75, status, errs)
	_, errs, status = onMachine(t, "s390x", work, filepath.Join(bin, "s390x", "onemachine"), env...)
	require.Equal(t, 3, status, errs)
	require.Contains(t, errs, "function main.fast was changed")
	require.Contains(t, errs, "function main.vectors is gone")
	require.NotContains(t, errs, "main.same")
	require.Contains(t, errs, "written on linux/amd64 and this is linux/s390x")
	_, errs, status = onMachine(t, "amd64", work, filepath.Join(bin, "amd64", "onemachine"), env...)
	require.Equal(t, 75, status, errs)
	out, errs, status := onMachine(t, "s390x", work, filepath.Join(bin, "s390x", "onemachine"), env[0])
	require.Equal(t, 0, status, errs)
	require.Equal(t, "6\n4 <nil>\n", out)
	require.Contains(t, errs, "onemachine.lanes, as the one for linux/amd64 has: what was there is lost")
	require.NotContains(t, errs, "width")

	for how, function := range map[string]string{"closure": "main.counter.func1", "literal": "main.step.func1"} {
		env := []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "job"), "HOW=" + how, "CKP_INTERVAL=0", "CKP_EXIT_AFTER=1"}
		_, errs, status = onMachine(t, "amd64", work, filepath.Join(bin, "amd64", "onemachine"), env...)
		require.Equal(t, 75, status, errs)
		_, errs, status = onMachine(t, "s390x", work, filepath.Join(bin, "s390x", "onemachine"), env...)
		require.Equal(t, 3, status, errs)
		require.Contains(t, errs, "function "+function+" was changed")
		require.NotContains(t, errs, "main.vectors")
		out, errs, status := onMachine(t, "amd64", work, filepath.Join(bin, "amd64", "onemachine"), env[:2]...)
		require.Equal(t, 0, status, errs)
		require.Equal(t, "5\n", out)
	}
}

// bound checks that what package crypto keeps in another way on another machine is not used there.
func bound(t *testing.T, bin string) {
	for _, c := range []struct{ how, from, to, refused string }{
		{"aes", "amd64", "arm", "aes.Block changed: the image has contents for amd64, the program has contents for arm"},
		{"aes", "arm", "amd64", "aes.Block changed"},
		{"aes", "amd64", "s390x", "aes.block"},
		{"gcm", "amd64", "arm64", "gcm.GCM changed"},
		{"rsa", "arm", "amd64", "contents for words of 32 bits"},
		{"rsa", "amd64", "arm", "contents for words of 64 bits"},
		{"rsa", "amd64", "s390x", ""},
		{"rsa", "arm64", "amd64", ""},
	} {
		dir, work := filepath.Join(t.TempDir(), "job"), t.TempDir()
		env := []string{"CKP_DIR=" + dir, "HOW=" + c.how, "CKP_INTERVAL=0", "CKP_EXIT_AFTER=1"}
		_, errs, status := onMachine(t, c.from, work, filepath.Join(bin, c.from, "ciphers"), env...)
		require.Equal(t, 75, status, errs)
		if c.refused != "" {
			_, errs, status = onMachine(t, c.to, work, filepath.Join(bin, c.to, "ciphers"), env[:2]...)
			require.Equal(t, 3, status, "%v %s", c, errs)
			require.Contains(t, errs, c.refused)
			c.to = c.from
		}
		out, errs, status := onMachine(t, c.to, work, filepath.Join(bin, c.to, "ciphers"), env[:2]...)
		require.Equal(t, 0, status, "%v %s", c, errs)
		want, _ := run(t, work, env[1:2], filepath.Join(bin, "plain", "ciphers"))
		require.Equal(t, want, out, "%v", c)
	}
}

// everywhere builds programs with checkpoints for all machines, and plainly for this one, in a
// folder for each.
func everywhere(t *testing.T, names []string) string {
	t.Helper()
	if !*long {
		t.Skip("run with -long")
	}
	for _, e := range emulators {
		if _, err := exec.LookPath(e); err != nil {
			t.Skipf("%s is not there: install qemu-user-static", e)
		}
	}
	root, command := built(t)
	bin := t.TempDir()
	var packages []string
	for _, name := range names {
		folder := "./instrument/testdata/"
		if slices.Contains(wandering, name) {
			folder = "./testdata/programs/"
		}
		packages = append(packages, folder+name)
	}
	build := func(arch, name string, args ...string) {
		dir := filepath.Join(bin, arch)
		require.NoError(t, os.Mkdir(dir, 0o777))
		cmd := exec.Command(name, append(append(args, "-o", dir+string(filepath.Separator)), packages...)...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
		if arch != "plain" {
			cmd.Env = append(cmd.Env, "GOARCH="+arch)
		}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", arch, out)
	}
	build("plain", "go", "build")
	build("amd64", command, "build")
	for arch := range emulators {
		build(arch, command, "build")
	}
	return bin
}

// onMachine runs a program to its end, whichever it is.
func onMachine(t *testing.T, arch, dir, binary string, env ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(binary)
	if e := emulators[arch]; e != "" {
		cmd = exec.Command(e, binary)
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil {
		require.True(t, errors.As(err, &exit), "%v", err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}
