//go:build unix

package ckp

import "syscall"

// execute replaces the process.
func execute(exe string, args, env []string, again string) error {
	return syscall.Exec(exe, args, append(env, envAgain+"="+again))
}
