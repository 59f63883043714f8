package ckp

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// The standard streams belong to the process. One that continues a checkpoint has its own, which
// are to go on where the program was: a file that is read does so by itself, and where that can't
// be the user is told.

// streams is where the standard streams stood.
type streams struct {
	Input  int64 // offset of standard input if that is a regular file; -1 if it is not
	Flows  bool  // the program refers to standard input, a pipe or socket: what was read of it is gone
	Output int64 // offset of standard output if that is a regular file; 0 if it is not
}

// noStreams is what there is to tell of others than files and pipes.
var noStreams = streams{Input: -1}

func noteStreams() streams {
	return streams{offset(startStdin), readsInput() && inputFlows(), max(offset(startStdout), 0)}
}

// offset returns where a regular file stands; -1 if it is something else.
func offset(f *os.File) int64 {
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if at, err := f.Seek(0, io.SeekCurrent); err == nil {
			return at
		}
	}
	return -1
}

// readsInput reports whether the program refers to standard input.
func readsInput() bool {
	return slices.ContainsFunc(shadow.Packages(), func(p *shadow.Package) bool { return p.Input })
}

// inputFlows reports whether standard input is a pipe or socket.
func inputFlows() bool {
	info, err := startStdin.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}

// apply has standard input go on where it was read to.
func (s *streams) apply() error {
	if s.Input < 0 {
		return nil
	}
	info, err := startStdin.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil // whoever gives something else knows where to begin
	}
	if info.Size() < s.Input {
		return fmt.Errorf("standard input has %d bytes, and the program had read %d: start it with the same input", info.Size(), s.Input)
	}
	if _, err := startStdin.Seek(s.Input, io.SeekStart); err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	return nil
}

// tell warns of streams that may not go on where the program was. The launcher has standard output
// itself.
func (s *streams) tell(launched bool) {
	if s.Flows && inputFlows() {
		say("standard input is a pipe: it has to go on where the program had read it to at the checkpoint, and not to begin anew; if the program reads its input while it computes, give it a file (< FILE)")
	}
	if info, err := startStdout.Stat(); !launched && err == nil && info.Mode().IsRegular() && info.Size() < s.Output {
		say(fmt.Sprintf("standard output is a file of %d bytes, and the program had written up to %d at the checkpoint: what is not there is not printed again; let it append to the file (>> FILE)", info.Size(), s.Output))
	}
}
