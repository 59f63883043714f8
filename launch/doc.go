// Package launch runs a job: it starts the processes of a program, watches
// them, and starts them again from the last committed checkpoint when some die.
//
// # An incarnation
//
// A job is a directory with checkpoints (package store), a program, its arguments and a number of
// processes. Each start of all its processes is an incarnation with an epoch of its own, claimed
// in the store before any of them runs:
//
//	claim epoch e, base = newest intact checkpoint
//	   |
//	   v
//	start N processes (CKP_EPOCH=e CKP_RESTORE=base)
//	   |            all connect (package control), all say restored
//	   v
//	they compute ---- all exit 0 ---------------------------> end, status 0
//	   |        \---- all exit 75 (checkpointed, stopped) ---> end, status 75
//	   |         \--- one exits 3 or 4 (nothing to restore) -> end with that
//	   v
//	one dies or hangs: the others elect a coordinator (package detector), it claims epoch e+1,
//	picks the checkpoint, and sends restart; or the launcher does its part
//	   |
//	   v
//	kill and reap whatever is left of epoch e, start epoch e+1
//
// All processes of an incarnation are killed before the next one starts, so at most one
// computes; the store's fencing covers what cannot be killed from here.
//
// The launcher does the coordinator's part itself when nobody else can: a single process, all
// killed, survivors that are not connected or not computing yet, or no restart within
// [Spec.Patience] of the death (longer while someone who has claimed the next epoch is reading
// checkpoints). If two claims were made the higher epoch wins, since the store accepts nothing from
// the lower one.
//
// # What is a fault, and what a bug
//
// A process that exits 0 is finished. One that exits with another status, before
// the job has any checkpoint, is taken at its word: the job ends with its
// status. Later, and whenever a signal was the cause, the job goes back to the last
// checkpoint: but a third failure of the program's own (status, or a
// signal such as SIGSEGV) without a new checkpoint of a later superstep in between
// is a bug and ends the job, and so does the tenth death from outside (SIGKILL, SIGTERM, a hang).
// [Spec.MaxRestarts] bounds all together. The job's status is that of the
// first process that failed in the last try, or 128 plus its signal.
//
// # The launcher's own death
//
// Its processes see the end of their control connection and exit; on Linux the kernel kills them
// besides. The lock on the job's directory is freed by the kernel. The same command then finds the
// checkpoints and goes on; arguments or a number of processes that differ from those the
// checkpoints were made with are an error. [Spec.Fresh] starts from the beginning; the old
// checkpoints stay until the first new one is committed.
//
// # Output
//
// Complete lines are never mixed with others. Standard output of process 0 passes unchanged: it is
// the result of the job, and what comes after a pipe can read it. Everything else, standard output
// of the others and standard error of all, bears the prefix "[rank 3] ". With one process, or
// without prefixes, nothing is changed. A line that is not ended when its process ends is shown as
// it is. What the launcher itself has to say goes to standard error and begins with "ckpgen: ". If
// that is a terminal, a status line shows superstep, last checkpoint, its size, and the time.
//
// With one process and no log directory, it has the launcher's own standard output and error, so a
// program that asks whether it writes to a terminal gets a true answer.
//
// If nobody reads standard output any more the job ends as one program would: with status 141, for
// SIGPIPE. What can't be written to the log directory is told once, and the job goes on.
//
// # Input and signals
//
// Process 0 has the launcher's standard input, the others an empty one. Each process is in a
// process group of its own, so the keys of the terminal reach the launcher alone; a terminal is
// therefore read by the launcher and handed on through a pipe. Processes that begin anew have a
// regular file from where the first had it. What has been read from a pipe is gone, which is told.
//
// The first SIGTERM, SIGINT or SIGHUP asks for a checkpoint and then ends the job with status
// 75; a second one kills all processes, unless it comes so soon that the same sender has sent both.
// SIGUSR1 asks for a checkpoint.
package launch
