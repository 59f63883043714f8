//go:build !unix

package ckp

import (
	"os"

	"github.com/ckpgen/ckpgen/store"
)

// Where open files can't be inherited, a checkpoint in torture mode without a directory lies in a
// temporary one, which the process that continues it deletes as soon as it has read it.

func newScratch() (*store.Store, error) {
	dir, err := os.MkdirTemp("", "ckpgen-torture-")
	if err != nil {
		return nil, err
	}
	return store.Open(dir, store.Options{})
}

// handOver returns what the next process finds the checkpoint by.
func handOver(s *store.Store) (string, error) { return s.Dir(), nil }

func inherit(scratch string) (*store.Store, error) { return store.Open(scratch, store.Options{}) }

func discard(s *store.Store) { os.RemoveAll(s.Dir()) }
