package transport

import (
	"encoding/binary"
	"fmt"
	"io"
)

const helloMagic = "ckpgen mesh 1\n"

type channel uint8

const (
	frames channel = iota
	signals
	channels
)

// hello is what the dialing process says first.
type hello struct {
	Member
	channel channel
}

func (h hello) write(w io.Writer) error {
	if len(h.Job) > 1<<16-1 {
		return fmt.Errorf("transport: the name of the job has %d bytes, 65535 are possible", len(h.Job))
	}
	b := []byte(helloMagic)
	b = append(b, byte(h.channel))
	b = binary.LittleEndian.AppendUint32(b, uint32(h.Rank))
	b = binary.LittleEndian.AppendUint32(b, uint32(h.Size))
	b = binary.LittleEndian.AppendUint64(b, h.Epoch)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(h.Job)))
	b = append(b, h.Job...)
	_, err := w.Write(b)
	return err
}

func readHello(r io.Reader) (h hello, err error) {
	b := make([]byte, len(helloMagic)+1+4+4+8+2)
	if _, err := io.ReadFull(r, b); err != nil {
		return h, err
	}
	if string(b[:len(helloMagic)]) != helloMagic {
		return h, fmt.Errorf("transport: not a hello of a BSP process: %q", b[:len(helloMagic)])
	}
	b = b[len(helloMagic):]
	h.channel = channel(b[0])
	h.Rank = int(binary.LittleEndian.Uint32(b[1:]))
	h.Size = int(binary.LittleEndian.Uint32(b[5:]))
	h.Epoch = binary.LittleEndian.Uint64(b[9:])
	job := make([]byte, binary.LittleEndian.Uint16(b[17:]))
	if _, err := io.ReadFull(r, job); err != nil {
		return h, err
	}
	h.Job = string(job)
	return h, nil
}

// refusal is the reason why m does not talk to the sender of h, or "".
func (m Member) refusal(h hello) string {
	switch {
	case h.Job != m.Job:
		return fmt.Sprintf("this is job %q, not %q", m.Job, h.Job)
	case h.Epoch < m.Epoch:
		return fmt.Sprintf("epoch %d is over, the job runs in epoch %d", h.Epoch, m.Epoch)
	case h.Epoch > m.Epoch:
		return fmt.Sprintf("this process belongs to epoch %d, which is older than %d", m.Epoch, h.Epoch)
	case h.Size != m.Size:
		return fmt.Sprintf("the job has %d processes, not %d", m.Size, h.Size)
	case h.Rank <= m.Rank || h.Rank >= m.Size:
		return fmt.Sprintf("a process of rank %d does not connect to rank %d of %d", h.Rank, m.Rank, m.Size)
	case h.channel >= channels:
		return fmt.Sprintf("there is no channel %d", h.channel)
	}
	return ""
}

func writeAnswer(w io.Writer, refusal string) error {
	b := []byte{0}
	if refusal != "" {
		b[0] = 1
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(refusal)))
	_, err := w.Write(append(b, refusal...))
	return err
}

func readAnswer(r io.Reader, from int) error {
	var b [3]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return err
	}
	reason := make([]byte, binary.LittleEndian.Uint16(b[1:]))
	if _, err := io.ReadFull(r, reason); err != nil {
		return err
	}
	if b[0] != 0 {
		return &RefusedError{Rank: from, Reason: string(reason)}
	}
	return nil
}
