//go:build !unix

package ckp

func execute(exe string, args, env []string, again string) error {
	return supervise(exe, args, env, again)
}
