package launch

import "syscall"

// dieWithParent has the kernel kill the process when the thread that started it
// ends. See spawner.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
