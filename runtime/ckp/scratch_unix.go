//go:build unix

package ckp

import "github.com/ckpgen/ckpgen/store"

// In torture mode without a directory a checkpoint lies in files without names, which the process
// that continues it inherits: so nothing is left behind, however the program ends.

func newScratch() (*store.Store, error) { return store.Volatile(), nil }

// handOver returns what the next process finds the checkpoint by.
func handOver(s *store.Store) (string, error) { return s.HandOver() }

func inherit(scratch string) (*store.Store, error) { return store.Inherit(scratch) }

func discard(s *store.Store) { s.Discard() }
