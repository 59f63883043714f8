package launch

import (
	"fmt"

	"github.com/ckpgen/ckpgen/store"
)

// limits counts tries without a new checkpoint.
type limits struct {
	at       store.Manifest // newest checkpoint that was a step forward
	own      int            // failures of the program's own
	outside  int            // deaths from outside
	restarts int            // in all
}

// progress begins to count anew if there is a new checkpoint. One that is of the same superstep as
// the last (a program may take one whenever it starts) is none.
func (l *limits) progress(newest store.Manifest) {
	if newest.Seq > l.at.Seq && (newest.Superstep == 0 || newest.Superstep > l.at.Superstep) {
		l.at, l.own, l.outside = newest, 0, 0
	}
}

const (
	maxOwn     = 3
	maxOutside = 10
)

// giveUp reports whether another incarnation would be one too many, and the
// job's status if so.
func (j *job) giveUp() (status int, over bool) {
	if j.failed == nil {
		j.failed = j.early()
	}
	if j.restart != nil && len(j.restart.Dead) == 0 && j.failed == nil {
		return 0, false // it is planned
	}
	newest, err := j.dir.committed()
	if err == nil {
		j.limits.progress(newest)
	}
	place := "from the beginning"
	if newest.Seq > 0 {
		place = fmt.Sprintf("from checkpoint %d", newest.Seq)
	}
	if j.failed != nil && j.failed.ending.own {
		j.limits.own++
	} else {
		j.limits.outside++
	}
	j.limits.restarts++
	var why string
	switch {
	case j.failed != nil && j.failed.ending.early && err == nil && newest.Seq == 0:
		why = "there is no checkpoint to go back to"
	case j.limits.own >= maxOwn:
		why = fmt.Sprintf("this was failure %d on the way %s, so it is not by chance", j.limits.own, place)
	case j.limits.outside >= maxOutside:
		why = fmt.Sprintf("this was failure %d on the way %s", j.limits.own+j.limits.outside, place)
	case j.spec.MaxRestarts >= 0 && j.limits.restarts > j.spec.MaxRestarts:
		why = fmt.Sprintf("--max-restarts allows %d", j.spec.MaxRestarts)
	default:
		return 0, false
	}
	if j.failed == nil {
		j.out.say("processes hang; %s: the job ends with status 1", why)
		return 1, true
	}
	j.blame(j.failed, why)
	return j.failed.ending.status, true
}

// early looks for a process that has ended with status 0 although the job is to start again: it
// did not wait for the others. That is a failure of the program's own.
func (j *job) early() *process {
	for _, p := range j.processes {
		if p.ended && p.ending.status == 0 {
			p.ending = ending{status: 1, own: true, early: true, text: "ended with status 0 before the others had called bsp.End"}
			j.out.say("%s %s", p, reason(p))
			return p
		}
	}
	return nil
}
