package control

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds a message on the wire, newline included, in bytes.
const maxLine = 64 << 10

// maxText bounds the free texts that [encode] passes on, in bytes. Escaped as
// JSON a byte takes at most six, so a message stays below maxLine.
const maxText = 10 << 10

// encode returns m as a line. Long texts are cut.
func encode(m Message) ([]byte, error) {
	switch t := m.(type) {
	case Fatal:
		t.Text = cut(t.Text)
		m = t
	case Suspect:
		t.Why = cut(t.Why)
		m = t
	}
	b, err := json.Marshal(map[string]Message{m.kind(): m})
	if err != nil {
		return nil, fmt.Errorf("control message %s: %w", m.kind(), err)
	}
	if len(b)+1 > maxLine {
		return nil, fmt.Errorf("control message %s has %d bytes, more than %d", m.kind(), len(b), maxLine)
	}
	return append(b, '\n'), nil
}

func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	return s[:maxText] + " [...]"
}

// decode parses a line without its newline.
func decode(line []byte) (Message, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return nil, fmt.Errorf("control message %.40q is not a JSON object: %w", line, err)
	}
	if len(object) != 1 {
		return nil, fmt.Errorf("control message %.40q has %d members instead of one", line, len(object))
	}
	for kind, body := range object {
		switch kind {
		case "hello":
			return parseBody[Hello](kind, body)
		case "progress":
			return parseBody[Progress](kind, body)
		case "committed":
			return parseBody[Committed](kind, body)
		case "restored":
			return parseBody[Restored](kind, body)
		case "suspect":
			return parseBody[Suspect](kind, body)
		case "elected":
			return parseBody[Elected](kind, body)
		case "restart":
			return parseBody[Restart](kind, body)
		case "fatal":
			return parseBody[Fatal](kind, body)
		case "checkpoint":
			return parseBody[Checkpoint](kind, body)
		case "stop":
			return parseBody[Stop](kind, body)
		case "died":
			return parseBody[Died](kind, body)
		}
		return nil, fmt.Errorf("control message of unknown kind %.40q: build the program with the ckpgen that runs it", kind)
	}
	return nil, errors.New("control message is empty")
}

func parseBody[M Message](kind string, body []byte) (Message, error) {
	var m M
	if bytes.Equal(body, []byte("null")) {
		return nil, fmt.Errorf("control message %s has no body", kind)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, fmt.Errorf("control message %s: %w", kind, err)
	}
	return m, nil
}

// reader takes messages off a stream.
type reader struct{ r *bufio.Reader }

func newReader(r io.Reader) reader { return reader{bufio.NewReaderSize(r, maxLine)} }

// next returns the next message, io.EOF at the end of the stream, and an error
// for a line that is too long, cut short, or no message.
func (r reader) next() (Message, error) {
	line, err := r.r.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("control message is longer than %d bytes", maxLine)
	case err == io.EOF && len(line) > 0:
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	}
	return decode(line[:len(line)-1])
}
