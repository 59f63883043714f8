package ckp

import (
	"errors"
	"os"
	"os/exec"
)

// envBaton names a file. Where a process can't replace itself, the first one
// stays and starts the others, one after the other; each leaves in the file
// what the next is to be told, or nothing at the end of the program.
const envBaton = "CKP_BATON"

// supervise starts a fresh process, and another one whenever that asks for it,
// and exits with the status of the last. In a process that is supervised it
// asks for the next one and exits.
func supervise(exe string, args, env []string, again string) error {
	if baton != "" {
		if err := os.WriteFile(baton, []byte(again), 0o600); err != nil {
			return err
		}
		os.Exit(0)
	}
	f, err := os.CreateTemp("", "ckpgen-torture-")
	if err != nil {
		return err
	}
	baton := f.Name()
	f.Close()
	status, err := relay(exe, args, append(env, envBaton+"="+baton), again, baton)
	os.Remove(baton)
	if err != nil {
		return err
	}
	os.Exit(status)
	return nil
}

func relay(exe string, args, env []string, again, baton string) (int, error) {
	for {
		if err := os.Truncate(baton, 0); err != nil {
			return 0, err
		}
		cmd := exec.Command(exe)
		cmd.Args = args
		cmd.Env = append(env[:len(env):len(env)], envAgain+"="+again)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, startStderr
		err := cmd.Run()
		var ended *exec.ExitError
		if err != nil && !errors.As(err, &ended) {
			return 0, err
		}
		next, rerr := os.ReadFile(baton)
		if rerr != nil {
			return 0, rerr
		}
		if err == nil && len(next) > 0 {
			again = string(next)
			continue
		}
		if code := cmd.ProcessState.ExitCode(); code >= 0 {
			return code, nil
		}
		return 1, nil // killed
	}
}
