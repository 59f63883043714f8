package build

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/ckpgen/ckpgen/instrument"
)

// entry is how the name of the function that runs a program with checkpoints ends in the tables by
// which every binary of Go knows its functions, also one without symbols. A program that does not
// call it does not have it: the linker leaves it out. The name of its package begins with that of
// its module, or not if the runtime was carried into the build, and ends in the same way.
var entry = []byte(path.Join(instrument.Carried, "runtime/ckp") + ".Start\x00")

// Plain reports whether an executable file is a program of Go in which nothing was instrumented. Of
// a file that is none, such as a script or a compressed one, nobody knows what it starts.
func Plain(file string) (bool, error) {
	if _, err := buildinfo.ReadFile(file); err != nil {
		return false, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	has, err := contains(f, entry)
	if err != nil {
		return false, fmt.Errorf("program %s: %w", file, err)
	}
	return !has, nil
}

// contains reports whether what is read has the text in it.
func contains(r io.Reader, text []byte) (bool, error) {
	window := make([]byte, 1<<20)
	kept := 0
	for {
		n, err := io.ReadFull(r, window[kept:])
		switch {
		case bytes.Contains(window[:kept+n], text):
			return true, nil
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return false, nil
		case err != nil:
			return false, err
		}
		kept = copy(window, window[len(window)-len(text)+1:])
	}
}
