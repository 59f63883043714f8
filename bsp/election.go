package bsp

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/ckpgen/ckpgen/detector"
	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/store"
)

// claim is an epoch that this process claimed as coordinator, and the checkpoint
// with which it begins.
type claim struct {
	epoch   store.Epoch
	restore uint64
}

// input gives the detector something, with the time, and does what it wants
// done. Any goroutine may call it.
func (w *watch) input(give func(now time.Duration)) {
	if !w.joined.Load() || w.node == nil || w.parted.Load() {
		return
	}
	w.lock.Lock()
	give(time.Since(w.began))
	messages, events := w.node.Take()
	claimed := w.claimed
	w.lock.Unlock()
	for _, m := range messages {
		// One that can't be sent is one that is lost, which the detector endures.
		_ = w.p.mesh.Signal(m.To, m.Append([]byte{detectorByte}))
	}
	for _, e := range events {
		switch e := e.(type) {
		case detector.Suspected:
			w.p.tell(control.Suspect{Rank: e.Rank, By: w.p.rank, Why: e.Why})
		case detector.NeedLease:
			go w.claim(e)
		case detector.Elected:
			w.p.tell(control.Elected{Rank: w.p.rank, Epoch: e.Epoch})
		case detector.Committed:
			if e.Coordinator == w.p.rank {
				w.p.tell(control.Restart{Epoch: e.Epoch, Dead: e.Dead, Restore: claimed.restore})
			}
			w.standDown("")
		case detector.Stop:
			w.standDown(e.Why)
		}
	}
}

// standDown ends this process in favour of the next incarnation.
func (w *watch) standDown(why string) {
	if !w.leave() {
		return
	}
	if why != "" {
		fmt.Fprintf(os.Stderr, "bsp: process %d stops: %s\n", w.p.rank, why)
	}
	w.depart(leaveByte)
	os.Exit(control.ExitStandDown)
}

// claim claims the next epoch in the store for the detector.
func (w *watch) claim(need detector.NeedLease) {
	c, err := w.claimEpoch(need)
	if err != nil {
		fmt.Fprintf(os.Stderr, "bsp: process %d can't claim the next epoch: %v\n", w.p.rank, err)
	}
	w.lock.Lock()
	w.claimed = c
	w.lock.Unlock()
	w.input(func(now time.Duration) { w.node.Lease(now, uint64(c.epoch)) })
}

func (w *watch) claimEpoch(need detector.NeedLease) (claim, error) {
	s, err := openStore()
	if err != nil {
		return claim{}, err
	}
	if !need.Majority {
		_, incarnations, err := s.History()
		if err != nil {
			return claim{}, err
		}
		for _, i := range incarnations {
			if uint64(i.Epoch) > need.After {
				return claim{}, fmt.Errorf("epoch %d has been claimed already", i.Epoch)
			}
		}
	}
	return w.resume(s)
}

// resume claims an epoch and finds the checkpoint it begins with. If there is
// none that is intact the job can't go on.
func (w *watch) resume(s *store.Store) (claim, error) {
	host, _ := os.Hostname()
	epoch, c, damage, err := s.Resume(fmt.Sprintf("process %d (pid %d on %s), elected in epoch %d", w.p.rank, os.Getpid(), host, w.p.job.Epoch))
	var broken *store.NoIntactError
	if errors.As(err, &broken) {
		if w.leave() {
			fmt.Fprintf(os.Stderr, "bsp: %v\n", err)
			w.p.tell(control.Fatal{Text: err.Error()})
			w.spread(abortSignal(err.Error()))
			os.Exit(control.ExitNoIntact)
		}
		select {}
	}
	for _, d := range damage {
		fmt.Fprintf(os.Stderr, "bsp: damaged: %v\n", d)
	}
	if err != nil {
		return claim{}, err
	}
	if len(damage) > 0 {
		fmt.Fprintf(os.Stderr, "bsp: falling back to checkpoint %d (0 is the beginning)\n", c.Manifest.Seq)
	}
	return claim{epoch: epoch, restore: c.Manifest.Seq}, nil
}
