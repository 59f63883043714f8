package launch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// maxHeld bounds the unfinished line that is held back, in bytes.
const maxHeld = 1 << 20

// output is where all text goes, of the processes and of the launcher.
type output struct {
	mu       sync.Mutex
	stdout   io.Writer
	stderr   io.Writer
	prefixed bool
	colour   bool     // of prefixes
	terminal *os.File // standard error, if it is a terminal
	line     string   // status line wanted
	drawn    bool     // status line visible
	open     map[io.Writer]*stream
	unread   func() // called once, when nobody reads standard output any more
}

// stream is one output of one process.
type stream struct {
	to     io.Writer
	prefix string
	log    io.Writer // or nil
}

func newOutput(s *Spec) *output {
	o := &output{stdout: s.Stdout, stderr: s.Stderr, open: map[io.Writer]*stream{}}
	o.prefixed = s.Processes > 1 && !s.NoPrefix
	if f, ok := s.Stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		o.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if os.Getenv("TERM") != "dumb" && s.Processes > 1 {
			o.terminal = f
		}
	}
	return o
}

// prefix returns what stands before the lines of a process.
func (o *output) prefix(rank int) string {
	if !o.prefixed {
		return ""
	}
	if !o.colour {
		return fmt.Sprintf("[rank %d] ", rank)
	}
	return fmt.Sprintf("\x1b[%dm[rank %d]\x1b[0m ", 31+rank%6, rank)
}

// say prints a line of the launcher's own.
func (o *output) say(format string, args ...any) {
	o.write(&stream{to: o.stderr}, fmt.Appendf(nil, "ckpgen: "+format+"\n", args...))
}

// write writes b, which ends with a line unless its stream has no prefix.
func (o *output) write(s *stream, b []byte) {
	if len(b) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.erase()
	if by := o.open[s.to]; by != nil && by != s {
		_, _ = s.to.Write([]byte{'\n'})
	}
	if _, err := s.to.Write(b); errors.Is(err, syscall.EPIPE) && s.to == o.stdout && o.unread != nil {
		o.unread()
		o.unread = nil
	}
	if b[len(b)-1] == '\n' {
		delete(o.open, s.to)
	} else {
		o.open[s.to] = s
	}
	if len(o.open) == 0 {
		o.draw()
	}
}

// show sets the status line.
func (o *output) show(line string) {
	if o.terminal == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.line = line
	if len(o.open) == 0 {
		o.erase()
		o.draw()
	}
}

func (o *output) erase() {
	if o.drawn {
		_, _ = io.WriteString(o.terminal, "\r\x1b[K")
		o.drawn = false
	}
}

func (o *output) draw() {
	if o.terminal == nil || o.line == "" {
		return
	}
	line := []rune(o.line)
	if w, _, err := term.GetSize(int(o.terminal.Fd())); err == nil && len(line) >= w && w > 0 {
		line = line[:w-1]
	}
	_, _ = io.WriteString(o.terminal, string(line))
	o.drawn = true
}

// pump copies r to s by whole lines, as many at a time as there are, until the end.
func (o *output) pump(r io.Reader, s *stream) {
	buf := make([]byte, 0, 32<<10)
	for {
		if len(buf) == cap(buf) {
			if cap(buf) >= maxHeld {
				o.flush(s, &buf, len(buf))
			} else {
				buf = append(make([]byte, 0, 2*cap(buf)), buf...)
			}
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if s.log != nil && n > 0 {
			_, _ = s.log.Write(buf[len(buf)-n:])
		}
		if end := bytes.LastIndexByte(buf[len(buf)-n:], '\n'); end >= 0 {
			o.flush(s, &buf, len(buf)-n+end+1)
		}
		if err != nil {
			o.flush(s, &buf, len(buf))
			return
		}
	}
}

// flush writes the first n bytes of buf and removes them.
func (o *output) flush(s *stream, buf *[]byte, n int) {
	b := (*buf)[:n]
	if s.prefix != "" && n > 0 {
		lines := bytes.SplitAfter(b, []byte{'\n'})
		out := make([]byte, 0, n+(len(lines)+1)*(len(s.prefix)+1))
		for _, line := range lines {
			if len(line) > 0 {
				out = append(append(out, s.prefix...), line...)
			}
		}
		if out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
		b = out
	}
	o.write(s, b)
	*buf = append((*buf)[:0], (*buf)[n:]...)
}
