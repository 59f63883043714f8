package launch

import (
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Where nothing can be written any more the job can't start its processes again. It tells what
// remains.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 1, "-steps", "1000", "-every", "5")
	cmd := exec.Command(tr.spec.Binary, append([]string{"launcher", tr.spec.Dir, "1"}, tr.spec.Args...)...)
	cmd.Stderr = &tr.err
	require.NoError(t, cmd.Start())
	tr.awaitCheckpoint()
	require.NoError(t, unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{}, nil))
	tr.kill(syscall.SIGKILL, 1, 0)
	require.Error(t, cmd.Wait())
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Regexp(t, `checkpoints can't be kept in .*: file too large; checkpoint \d+ \(superstep \d+\) is intact: when that is mended, the same command goes on from it\n$`, tr.err.String())
}
