package bsp

import "unsafe"

// Send sends a message to process pid, which can read it in the next
// superstep. The size of the tag must be the tag size of this superstep (see
// [SetTagSize]; it is 0 at first, so a message without a tag has struct{}{}).
// Tag and payload must not contain pointers; both are copied now. An empty
// payload is a message too.
func Send[G, T any](pid int, tag G, payload []T) {
	p := running("Send")
	at := p.sites.caller()
	if why := plain[T](); why != "" {
		p.misuse("Send", at, "%s", why)
	}
	if why := plain[G](); why != "" {
		p.misuse("Send", at, "%s", why)
	}
	if n := sizeOf[G](); n != p.st.TagSize {
		p.misuse("Send", at, "the tag, a %T, has %d bytes, the tag size of this superstep is %d; SetTagSize, then Sync, changes it", tag, n, p.st.TagSize)
	}
	one := [1]G{tag}
	p.send(pid, at, bytesOf(one[:]), bytesOf(payload))
}

func (p *process) send(pid int, at site, tag, payload []byte) {
	p.peer("Send", pid, at)
	l := &p.links[pid]
	b := le.AppendUint32(l.out[sendsSection], uint32(len(tag)))
	b = append(b, 0, 0, 0, 0)
	b = le.AppendUint64(b, uint64(len(payload)))
	b = pad(append(b, tag...))
	b = pad(append(b, payload...))
	l.out[sendsSection] = b
}

// SetTagSize sets the size in bytes of the tags of messages that are sent from
// the next superstep on, and returns the one of this superstep. Messages that
// can be read have the tag size of the superstep before. All processes set the
// same size.
func SetTagSize(bytes int) (previous int) {
	p := running("SetTagSize")
	if bytes < 0 || bytes > 1<<20 {
		p.misuse("SetTagSize", p.sites.caller(), "%d is not a tag size, 0 to %d are", bytes, 1<<20)
	}
	p.st.NextTag = bytes
	return p.st.TagSize
}

// QSize returns how many messages are still to be read in this superstep, and
// the size of their payloads together, in bytes.
func QSize() (messages, bytes int) {
	p := running("QSize")
	return p.st.Queued, p.st.Bytes
}

// GetTag returns the tag of the next message and the size of its payload in
// bytes. ok is false if there is no message. The size of a G must be that of
// the tags of the superstep in which the messages were sent.
func GetTag[G any]() (tag G, bytes int, ok bool) {
	p := running("GetTag")
	if p.st.Queued == 0 {
		return tag, 0, false
	}
	t, payload, _ := p.first()
	getTag("GetTag", p, p.sites.caller(), t, &tag)
	return tag, len(payload), true
}

func getTag[G any](call string, p *process, at site, from []byte, tag *G) {
	if why := plain[G](); why != "" {
		p.misuse(call, at, "%s", why)
	}
	if sizeOf[G]() != len(from) {
		p.misuse(call, at, "the tag is read as a %T of %d bytes, the messages have tags of %d", *tag, sizeOf[G](), len(from))
	}
	if len(from) > 0 {
		copy(bytesOf(unsafe.Slice(tag, 1)), from)
	}
}

// Move copies the payload of the next message to dst, as far as there is room,
// removes the message, and returns the number of elements copied. There must be
// a message and its payload must be whole elements.
func Move[T any](dst []T) int {
	p := running("Move")
	at := p.sites.caller()
	payload := takePayload[T]("Move", p, at)
	if sizeOf[T]() == 0 {
		return 0
	}
	return copy(bytesOf(dst), payload) / sizeOf[T]()
}

// HPMove removes the next message and returns it without copying: the payload
// can be used until the next [Sync]. ok is false if there is no message.
func HPMove[G, T any]() (tag G, payload []T, ok bool) {
	p := running("HPMove")
	if p.st.Queued == 0 {
		return tag, nil, false
	}
	at := p.sites.caller()
	t, _, _ := p.first()
	getTag("HPMove", p, at, t, &tag)
	return tag, elementsOf[T](takePayload[T]("HPMove", p, at)), true
}

func takePayload[T any](call string, p *process, at site) []byte {
	if p.st.Queued == 0 {
		p.misuse(call, at, "there is no message; QSize tells how many there are")
	}
	if why := plain[T](); why != "" {
		p.misuse(call, at, "%s", why)
	}
	_, payload, rest := p.first()
	if n := sizeOf[T](); n == 0 && len(payload) > 0 || n > 0 && len(payload)%n != 0 {
		p.misuse(call, at, "the payload has %d bytes, which are not whole elements of %d", len(payload), n)
	}
	p.st.Queue[0] = rest
	p.st.Queued--
	p.st.Bytes -= len(payload)
	return payload
}

// first returns the next message, which there must be, and what follows it in
// its section.
func (p *process) first() (tag, payload, rest []byte) {
	for len(p.st.Queue[0]) == 0 {
		p.st.Queue = p.st.Queue[1:]
	}
	r := records{p.st.Queue[0]}
	tag, payload, _ = r.message()
	return tag, payload, r.rest
}

func (r *records) message() (tag, payload []byte, ok bool) {
	h := r.take(16)
	if h == nil {
		return nil, nil, false
	}
	tags, n := int(le.Uint32(h)), int(le.Uint64(h[8:]))
	tag = r.take(tags)
	if tag == nil && tags > 0 {
		return nil, nil, false
	}
	payload = r.take(n)
	if payload == nil && n > 0 {
		return nil, nil, false
	}
	return tag, payload, true
}

// deliver makes the messages of all frames the queue.
func (p *process) deliver() {
	st := p.st
	st.Queue, st.Queued, st.Bytes = nil, 0, 0
	st.QueueTag = st.TagSize
	for from := range p.links {
		section := p.links[from].in[sendsSection]
		if len(section) == 0 {
			continue
		}
		st.Queue = append(st.Queue, section)
		r := records{section}
		for len(r.rest) > 0 {
			tag, payload, ok := r.message()
			if !ok || len(tag) != st.QueueTag {
				p.damaged(from)
			}
			st.Queued++
			st.Bytes += len(payload)
		}
	}
}
