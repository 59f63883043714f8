package control

import (
	"fmt"
	"strconv"

	"github.com/ckpgen/ckpgen/runtime/ckp/variables"
)

// Variables that users set, for a program of one process started by hand. For
// a job the launcher sets them from its flags.
const (
	EnvDir        = "CKP_DIR"        // directory of the checkpoints
	EnvInterval   = "CKP_INTERVAL"   // least time between checkpoints, as time.ParseDuration reads it
	EnvExitAfter  = "CKP_EXIT_AFTER" // after this many committed checkpoints exit with status 75
	EnvTorture    = "CKP_TORTURE"    // at every Kth opportunity go through a checkpoint and a new process
	EnvKeep       = "CKP_KEEP"       // committed checkpoints that are kept
	EnvEarly      = "CKP_EARLY"      // wait or skip: a checkpoint that is due while one is being written
	EnvCompress   = "CKP_COMPRESS"   // how images are compressed; none: not at all
	EnvIncrements = "CKP_INCREMENTS" // increments after each whole image, at most
)

// Variables that the launcher sets for each process of a job.
const (
	EnvRank    = "CKP_RANK"    // number of the process, from 0
	EnvSize    = "CKP_SIZE"    // number of processes of the job
	EnvEpoch   = "CKP_EPOCH"   // incarnation of the job, claimed in the store already
	EnvRestore = "CKP_RESTORE" // sequence number of the checkpoint to restore; 0: start from the beginning
	EnvRunDir  = "CKP_RUNDIR"  // short directory for sockets, removed by the launcher
	EnvControl = "CKP_CONTROL" // unix socket of the launcher
	EnvPlain   = "CKP_PLAIN"   // not empty: it was told that the program takes no checkpoints
)

// Exit statuses that the command and the processes of a job share. Any other
// status is the program's own.
const (
	ExitLauncherLost = 1  // the process lost its launcher
	ExitUsage        = 2  // wrong command line
	ExitOtherProgram = 3  // the checkpoint was written by another program, or does not fit this machine
	ExitNoIntact     = 4  // there are checkpoints and none is intact
	ExitStopped      = 75 // checkpointed and stopped; the same command goes on
	ExitStandDown    = 76 // a process makes way for the next epoch (never seen by users)
)

// Job is a process's place in a job, as the launcher put it into the environment.
type Job struct {
	Rank    int
	Size    int
	Epoch   uint64
	Restore uint64 // 0: start from the beginning
	RunDir  string
	Control string
}

// Environ returns the job this process belongs to. The second result is false,
// without an error, when neither CKP_RANK nor CKP_SIZE is set: then no launcher started
// this process and it runs on its own. Half an environment is an error.
func Environ() (Job, bool, error) { return parse(variables.Lookup) }

func parse(lookup func(string) (string, bool)) (Job, bool, error) {
	_, rank := lookup(EnvRank)
	_, size := lookup(EnvSize)
	if !rank && !size {
		return Job{}, false, nil
	}
	var j Job
	var err error
	number := func(name string, required bool, max uint64) uint64 {
		s, ok := lookup(name)
		if !ok || s == "" {
			if required && err == nil {
				err = fmt.Errorf("variable %s is not set although this process is part of a job: start it with ckpgen run", name)
			}
			return 0
		}
		n, e := strconv.ParseUint(s, 10, 64)
		if (e != nil || n > max) && err == nil {
			err = fmt.Errorf("variable %s=%q is not a number from 0 to %d: start this process with ckpgen run", name, s, max)
		}
		return n
	}
	const most = 1 << 20 // processes
	j.Rank = int(number(EnvRank, true, most))
	j.Size = int(number(EnvSize, true, most))
	j.Epoch = number(EnvEpoch, false, 1<<63)
	j.Restore = number(EnvRestore, false, 1<<63)
	j.RunDir, _ = lookup(EnvRunDir)
	j.Control, _ = lookup(EnvControl)
	if err == nil && j.Rank >= j.Size {
		err = fmt.Errorf("variable %s=%d is not below %s=%d: start this process with ckpgen run", EnvRank, j.Rank, EnvSize, j.Size)
	}
	if err != nil {
		return Job{}, false, err
	}
	return j, true, nil
}

// Variables returns j as settings of the form NAME=value, for the environment
// of the process that shall have that place.
func (j Job) Variables() []string {
	return []string{
		EnvRank + "=" + strconv.Itoa(j.Rank),
		EnvSize + "=" + strconv.Itoa(j.Size),
		EnvEpoch + "=" + strconv.FormatUint(j.Epoch, 10),
		EnvRestore + "=" + strconv.FormatUint(j.Restore, 10),
		EnvRunDir + "=" + j.RunDir,
		EnvControl + "=" + j.Control,
	}
}
