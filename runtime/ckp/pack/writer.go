package pack

import (
	"fmt"
	"io"
	"sync"
)

// A Writer compresses what is written to it. It is used by one goroutine.
type Writer struct {
	codec Codec
	chunk *chunk // that is being filled
	free  chan *chunk
	work  chan *chunk
	order chan *chunk // as they are to be written
	ended chan struct{}
	total uint64

	mu  sync.Mutex
	err error // the first of writing
}

// A chunk is 1 MiB on its way.
type chunk struct {
	raw    []byte
	out    []byte // with its header
	scrap  []byte // for shuffling
	packed chan struct{}
}

// NewWriter returns a writer to w that compresses with so many goroutines, at least one. Close must
// be called.
func NewWriter(w io.Writer, codec Codec, workers int) (*Writer, error) {
	if name := codec.Name(); name == "" || len(name) > codecLength {
		return nil, fmt.Errorf("pack: %q can't be the name of a codec", name)
	}
	head := make([]byte, headerSize)
	copy(head, magic)
	le.PutUint32(head[len(magic):], version)
	copy(head[len(magic)+4:], codec.Name())
	if _, err := w.Write(head); err != nil {
		return nil, err
	}
	workers = max(workers, 1)
	chunks := 2*workers + 1
	p := &Writer{codec: codec, free: make(chan *chunk, chunks), work: make(chan *chunk, chunks), order: make(chan *chunk, chunks), ended: make(chan struct{})}
	for range chunks {
		p.free <- &chunk{packed: make(chan struct{}, 1)}
	}
	for range workers {
		go p.compress()
	}
	go p.write(w)
	return p, nil
}

// Write takes b in. It waits if too much is on its way.
func (p *Writer) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		if err := p.failure(); err != nil {
			return n - len(b), err
		}
		if p.chunk == nil {
			p.chunk = <-p.free
			if p.chunk.raw == nil {
				p.chunk.raw = make([]byte, 0, chunkSize)
			}
			p.chunk.raw = p.chunk.raw[:0]
		}
		c := p.chunk
		k := min(len(b), chunkSize-len(c.raw))
		c.raw = append(c.raw, b[:k]...)
		b = b[k:]
		if len(c.raw) == chunkSize {
			p.send()
		}
	}
	return n, nil
}

// send lets the chunk that was filled go its way.
func (p *Writer) send() {
	if p.chunk == nil {
		return
	}
	p.total += uint64(len(p.chunk.raw))
	p.order <- p.chunk
	p.work <- p.chunk
	p.chunk = nil
}

// Close waits until all is written. After an error of Write it must be called, too.
func (p *Writer) Close() error {
	p.send()
	close(p.work)
	close(p.order)
	<-p.ended
	return p.failure()
}

func (p *Writer) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// compress is what the goroutines do that compress.
func (p *Writer) compress() {
	for c := range p.work {
		c.pack(p.codec)
		c.packed <- struct{}{}
	}
}

// write is what the goroutine does that writes.
func (p *Writer) write(w io.Writer) {
	defer close(p.ended)
	var err error
	for c := range p.order {
		<-c.packed
		if err == nil {
			if _, err = w.Write(c.out); err != nil {
				p.mu.Lock()
				p.err = err
				p.mu.Unlock()
			}
		}
		p.free <- c
	}
	if err != nil {
		return
	}
	end := make([]byte, chunkHeader+8)
	le.PutUint64(end[chunkHeader:], p.total)
	if _, err := w.Write(end); err != nil {
		p.mu.Lock()
		p.err = err
		p.mu.Unlock()
	}
}

// sampleSize is how much of a chunk is tried.
const sampleSize = 16 << 10

// pack makes out of raw.
func (c *chunk) pack(codec Codec) {
	width, worth := c.choose(codec)
	c.out = append(c.out[:0], make([]byte, chunkHeader)...)
	method := byte(stored)
	if worth {
		method = compressed
		c.out = codec.Compress(c.out, c.shuffled(c.raw, width))
	}
	if !worth || len(c.out)-chunkHeader >= len(c.raw) {
		width, method = 1, stored
		c.out = append(c.out[:chunkHeader], c.raw...)
	}
	le.PutUint32(c.out, uint32(len(c.raw)))
	le.PutUint32(c.out[4:], uint32(len(c.out)-chunkHeader))
	c.out[8], c.out[9] = byte(width), method
}

// choose tries a sample from the middle of the chunk.
func (c *chunk) choose(codec Codec) (width int, worth bool) {
	sample := c.raw
	if len(sample) > sampleSize {
		at := (len(sample) - sampleSize) / 2 &^ 7
		sample = sample[at : at+sampleSize]
	}
	best := len(sample)
	width = 1
	for _, w := range widths {
		c.out = codec.Compress(c.out[:0], c.shuffled(sample, w))
		if len(c.out) < best {
			best, width = len(c.out), w
		}
	}
	return width, best < len(sample)-len(sample)/32
}

func (c *chunk) shuffled(b []byte, width int) []byte {
	if width == 1 {
		return b
	}
	if c.scrap == nil {
		c.scrap = make([]byte, chunkSize)
	}
	shuffle(c.scrap[:len(b)], b, width)
	return c.scrap[:len(b)]
}
