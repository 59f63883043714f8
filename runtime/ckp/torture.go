package ckp

import (
	"os"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp/variables"
)

// replace puts a fresh process in the place of this one, which continues the
// checkpoint just committed, or ends it if it has been asked to stop. It returns
// only if that fails.
func (r *run) replace() error {
	c := r.config
	c.epoch, c.restore, c.committed = uint64(r.epoch), r.seq, r.committed.Load()
	exe, err := executable()
	if err != nil {
		return err
	}
	if c.dir == "" {
		if c.scratch, err = handOver(r.store); err != nil {
			return err
		}
	}
	if startDir != "" {
		if err := os.Chdir(startDir); err != nil {
			return err
		}
	}
	var env []string
	for _, v := range variables.Environ() {
		if !strings.HasPrefix(v, envAgain+"=") && !strings.HasPrefix(v, envBaton+"=") {
			env = append(env, v)
		}
	}
	r.settleSignals()
	if r.schedule.stopping() {
		r.stop()
	}
	if r.unlock != nil {
		r.unlock()
	}
	return execute(exe, startArgs, env, c.again())
}

// executable returns the path of the running binary.
func executable() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(exe); err != nil {
		// Deleted while it runs, as go run does when it is interrupted. Linux
		// can still execute it.
		if _, perr := os.Stat("/proc/self/exe"); perr == nil {
			return "/proc/self/exe", nil
		}
		return "", err
	}
	return exe, nil
}
