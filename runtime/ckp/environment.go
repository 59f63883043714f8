package ckp

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/pack"
)

// Variables that users set.
const (
	envDir        = "CKP_DIR"
	envInterval   = "CKP_INTERVAL"
	envExitAfter  = "CKP_EXIT_AFTER"
	envTorture    = "CKP_TORTURE"
	envKeep       = "CKP_KEEP"
	envEarly      = "CKP_EARLY"
	envCompress   = "CKP_COMPRESS"
	envIncrements = "CKP_INCREMENTS"
)

// Variables that the launcher of a job sets.
const (
	envRank    = "CKP_RANK"    // number of this process, from 0
	envSize    = "CKP_SIZE"    // number of processes in the job
	envEpoch   = "CKP_EPOCH"   // the incarnation, claimed already
	envRestore = "CKP_RESTORE" // checkpoint to restore; 0: start from the beginning
)

// envAgain is what a process in torture mode tells the one that takes its
// place: epoch, checkpoint, checkpoints committed so far, temporary directory.
// It is removed from the environment when it has been read.
const envAgain = "CKP_AGAIN"

// Exit statuses.
const (
	exitUsage        = 2
	exitOtherProgram = 3
	exitNoIntact     = 4
	exitStopped      = 75
	exitStandDown    = 76 // a process of a job makes way for the next epoch
)

const defaultInterval = 60 * time.Second

// A configuration is what the environment asks for.
type configuration struct {
	dir        string
	interval   time.Duration
	exitAfter  uint64 // 0: never
	torture    uint64 // 0: not
	keep       int
	early      early      // what becomes of a checkpoint while the one before is being written
	codec      pack.Codec // what compresses images; nil: nothing
	increments int        // that an image is made of, at most, beside a whole one
	rank       int
	size       int
	claimed    bool   // epoch and restore are given
	epoch      uint64 // claimed by the launcher, or by the process before
	restore    uint64
	launched   bool   // by a launcher, as one process of a job
	committed  uint64 // by the processes before in torture mode
	scratch    string // where restore is, if that is not in dir
}

// parseEnvironment returns false if nothing is asked for.
func parseEnvironment(lookup func(string) (string, bool)) (configuration, bool, error) {
	c := configuration{interval: defaultInterval, size: 1}
	var err error
	get := func(name string) (string, bool) {
		s, ok := lookup(name)
		return s, ok && s != ""
	}
	fail := func(name, value, want string) {
		if err == nil {
			err = fmt.Errorf("%s=%s: %s", name, value, want)
		}
	}
	number := func(name string, least, most uint64, want string) (uint64, bool) {
		s, ok := get(name)
		if !ok {
			return 0, false
		}
		n, perr := strconv.ParseUint(s, 10, 64)
		if perr != nil || n < least || n > most {
			fail(name, s, want)
		}
		return n, true
	}
	c.dir, _ = get(envDir)
	if s, ok := get(envInterval); ok {
		d, perr := time.ParseDuration(s)
		if perr != nil || d < 0 {
			fail(envInterval, s, "not a duration such as 60s, 5m or 0")
		}
		c.interval = d
	}
	c.exitAfter, _ = number(envExitAfter, 1, 1<<62, "not a number from 1")
	c.torture, _ = number(envTorture, 1, 1<<62, "not a number from 1")
	keep, _ := number(envKeep, 1, 1<<30, "not a number from 1")
	c.keep = int(keep)
	if c.interval > 0 {
		c.early = skipEarly
	}
	if s, ok := get(envEarly); ok {
		switch s {
		case "wait":
			c.early = waitEarly
		case "skip":
			c.early = skipEarly
		default:
			fail(envEarly, s, "neither wait nor skip")
		}
	}
	increments, _ := number(envIncrements, 0, 1<<20, "not a number")
	c.increments = int(increments)
	if s, ok := get(envCompress); ok && s != "none" {
		codec, perr := pack.Find(s)
		if perr != nil {
			fail(envCompress, s, perr.Error())
		}
		c.codec = codec
	}

	const most = 1 << 20 // processes
	rank, _ := number(envRank, 0, most, "not the number of a process")
	size, inJob := number(envSize, 1, most, "not a number of processes")
	if inJob {
		c.rank, c.size = int(rank), int(size)
	}
	if c.rank >= c.size {
		fail(envRank, strconv.Itoa(c.rank), "not below "+envSize)
	}
	c.epoch, c.claimed = number(envEpoch, 1, 1<<62, "not an epoch")
	c.launched = c.claimed
	c.restore, _ = number(envRestore, 0, 1<<62, "not the number of a checkpoint")

	if s, ok := get(envAgain); ok {
		if perr := c.parseAgain(s); perr != nil {
			fail(envAgain, s, perr.Error())
		}
	}
	if err != nil {
		return c, false, err
	}
	if c.dir == "" && c.torture == 0 {
		for _, name := range []string{envInterval, envExitAfter, envKeep, envEarly, envCompress, envIncrements} {
			if _, ok := get(name); ok && !inJob {
				return c, false, fmt.Errorf("%s is set but %s is not: nothing would be saved", name, envDir)
			}
		}
		return c, false, nil
	}
	if c.dir == "" && c.exitAfter > 0 {
		return c, false, fmt.Errorf("%s is set but %s is not: there would be nothing to resume from", envExitAfter, envDir)
	}
	if c.size > 1 && c.dir == "" {
		return c, false, fmt.Errorf("%s is set but %s is not: a job of several processes needs a directory for its checkpoints", envTorture, envDir)
	}
	return c, true, nil
}

func (c *configuration) again() string {
	return fmt.Sprintf("%d:%d:%d:%s", c.epoch, c.restore, c.committed, c.scratch)
}

func (c *configuration) parseAgain(s string) error {
	f := strings.SplitN(s, ":", 4)
	if len(f) != 4 {
		return fmt.Errorf("want four fields")
	}
	for i, p := range []*uint64{&c.epoch, &c.restore, &c.committed} {
		n, err := strconv.ParseUint(f[i], 10, 64)
		if err != nil {
			return err
		}
		*p = n
	}
	c.claimed = true
	c.scratch = f[3]
	return nil
}

// initialDir returns the working directory before the program's own packages are initialised.
func initialDir() string {
	if os.Getenv(envDir) == "" && os.Getenv(envTorture) == "" {
		return "" // it is not needed
	}
	dir, _ := os.Getwd()
	return dir
}

// What the process was started with. The program may change it; a process that
// takes its place is to have it as it was.
var (
	startDir    = initialDir()
	startEnv    map[string]string
	baton       = os.Getenv(envBaton)
	startArgs   = append([]string(nil), os.Args...)
	startStderr = os.Stderr
)
