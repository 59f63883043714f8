package heap

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// StandardNamed returns the variables of the standard library that nearly every
// program has: standard streams, common errors, time zones.
func StandardNamed() []Root {
	return []Root{
		{"io.EOF", &io.EOF},
		{"io.ErrUnexpectedEOF", &io.ErrUnexpectedEOF},
		{"io.ErrShortWrite", &io.ErrShortWrite},
		{"io.ErrShortBuffer", &io.ErrShortBuffer},
		{"io.ErrNoProgress", &io.ErrNoProgress},
		{"io.ErrClosedPipe", &io.ErrClosedPipe},
		{"os.Stdin", &os.Stdin},
		{"os.Stdout", &os.Stdout},
		{"os.Stderr", &os.Stderr},
		{"io/fs.ErrInvalid", &fs.ErrInvalid},
		{"io/fs.ErrPermission", &fs.ErrPermission},
		{"io/fs.ErrExist", &fs.ErrExist},
		{"io/fs.ErrNotExist", &fs.ErrNotExist},
		{"io/fs.ErrClosed", &fs.ErrClosed},
		{"os.ErrNoDeadline", &os.ErrNoDeadline},
		{"os.ErrDeadlineExceeded", &os.ErrDeadlineExceeded},
		{"os.ErrProcessDone", &os.ErrProcessDone},
		{"errors.ErrUnsupported", &errors.ErrUnsupported},
		{"context.Canceled", &context.Canceled},
		{"time.Local", &time.Local},
		{"time.UTC", &time.UTC},
	}
}
