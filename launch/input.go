package launch

import (
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// input is the launcher's standard input, for process 0 of each incarnation in
// turn.
type input struct {
	file     *os.File // handed on as it is
	begin    int64    // where the file stood at first, if it is a regular one
	terminal *os.File // read here

	mu sync.Mutex
	to *os.File // pipe of the present process 0, nil: none
	on bool     // the terminal is being read
}

func newInput(f *os.File) *input {
	switch {
	case f == nil:
		return &input{}
	case !term.IsTerminal(int(f.Fd())):
		in := &input{file: f}
		if regular(f) {
			in.begin, _ = f.Seek(0, io.SeekCurrent)
		}
		return in
	case foreground(f):
		return &input{terminal: f}
	default: // reading would stop the launcher
		return &input{}
	}
}

func regular(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// rewind has a regular file stand where it stood at first: the processes share its offset, and one
// that continues a checkpoint goes by itself to where that had read to.
func (in *input) rewind() error {
	if in.file == nil || !regular(in.file) {
		return nil
	}
	_, err := in.file.Seek(in.begin, io.SeekStart)
	return err
}

// flows reports whether what a process has read is gone.
func (in *input) flows() bool {
	if in.file == nil {
		return false
	}
	info, err := in.file.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}

// open returns the standard input for a new process 0, and whether the caller
// is to close it after the start. nil is an empty one.
func (in *input) open() (f *os.File, closeAfter bool, err error) {
	if in.terminal == nil {
		return in.file, false, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, false, err
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.to != nil {
		_ = in.to.Close()
	}
	in.to = w
	if !in.on {
		in.on = true
		go in.forward()
	}
	return r, true, nil
}

// forward hands the terminal's lines on, until its end. What nobody takes is lost.
func (in *input) forward() {
	buf := make([]byte, 4096)
	for {
		n, err := in.terminal.Read(buf)
		in.mu.Lock()
		to := in.to
		in.mu.Unlock()
		if n > 0 && to != nil {
			_, _ = to.Write(buf[:n])
		}
		if err != nil {
			if to != nil {
				_ = to.Close()
			}
			return
		}
	}
}
