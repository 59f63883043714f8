package bsp

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/ckpgen/ckpgen/bsp/transport"
	"github.com/ckpgen/ckpgen/launch/control"
)

// The model is what the BSPlib paper says, as naively as possible: one array a
// registration and process, and for each superstep the lists of what was asked,
// worked off in the order gets read, gets written, puts written.

type request struct {
	op     string // put, get, send, push, pop
	from   int
	to     int
	slot   int // index into arrays
	offset int
	bytes  int
	value  byte // of a put or send
	into   int  // of a get: array of from that is written ...
	at     int  // ... from here on
}

// arrays[slot][process]
type arrays [][][]byte

func (a arrays) clone() arrays {
	b := make(arrays, len(a))
	for i := range a {
		for _, s := range a[i] {
			b[i] = append(b[i], bytes.Clone(s))
		}
	}
	return b
}

func fill(n int, v byte) []byte { return bytes.Repeat([]byte{v}, n) }

// model works off the requests of one superstep and returns the messages of
// each process as text.
func model(a arrays, requests []request, n int) []string {
	before := a.clone()
	for _, r := range requests {
		if r.op == "get" {
			copy(a[r.into][r.from][r.at:], before[r.slot][r.to][r.offset:r.offset+r.bytes])
		}
	}
	queues := make([]string, n)
	for from := range n {
		for _, r := range requests {
			if r.from != from {
				continue
			}
			switch r.op {
			case "put":
				copy(a[r.slot][r.to][r.offset:], fill(r.bytes, r.value))
			case "send":
				queues[r.to] += fmt.Sprintf("%d:%v ", r.from, fill(r.bytes, r.value))
			}
		}
	}
	return queues
}

func drawSuperstep(t *rapid.T, n int, a arrays, usable []int) []request {
	var all []request
	for range rapid.IntRange(0, 12).Draw(t, "requests") {
		r := request{
			op:    rapid.SampledFrom([]string{"put", "get", "send"}).Draw(t, "op"),
			from:  rapid.IntRange(0, n-1).Draw(t, "from"),
			to:    rapid.IntRange(0, n-1).Draw(t, "to"),
			value: rapid.Byte().Draw(t, "value"),
		}
		if r.op == "send" || len(usable) == 0 {
			r.op = "send"
			r.bytes = rapid.IntRange(0, 20).Draw(t, "bytes")
			if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
				r.bytes += 2 * transport.SmallFrame
			}
			all = append(all, r)
			continue
		}
		r.slot = rapid.SampledFrom(usable).Draw(t, "slot")
		size := len(a[r.slot][r.to])
		r.offset = rapid.IntRange(0, size).Draw(t, "offset")
		r.bytes = rapid.IntRange(0, size-r.offset).Draw(t, "bytes")
		if r.op == "get" {
			r.into = rapid.IntRange(0, len(a)-1).Draw(t, "into")
			room := len(a[r.into][r.from])
			r.bytes = min(r.bytes, room)
			r.at = rapid.IntRange(0, room-r.bytes).Draw(t, "at")
		}
		all = append(all, r)
	}
	// Destinations of gets that overlap each other are undefined in BSPlib:
	// keep the first of those that touch.
	var kept []request
	for _, r := range all {
		ok := true
		for _, k := range kept {
			if r.op == "get" && k.op == "get" && r.from == k.from && r.into == k.into && r.at < k.at+k.bytes && k.at < r.at+r.bytes {
				ok = false
			}
		}
		if ok {
			kept = append(kept, r)
		}
	}
	return kept
}

// inProcess makes n processes that are connected by pipes.
func inProcess(n int) []*process {
	var ps []*process
	for rank, m := range transport.Pipes(n) {
		p := newProcess(control.Job{Rank: rank, Size: n, Epoch: 1}, &state{Size: n})
		p.watch = newWatch(p)
		if err := p.attach(m); err != nil {
			panic(err)
		}
		ps = append(ps, p)
	}
	return ps
}

func everywhere(ps []*process, f func(p *process)) {
	var all sync.WaitGroup
	for _, p := range ps {
		all.Go(func() { f(p) })
	}
	all.Wait()
}

func (p *process) readAll() string {
	var b bytes.Buffer
	for p.st.Queued > 0 {
		tag, _, _ := p.first()
		fmt.Fprintf(&b, "%d:%v ", tag[0], []byte(takePayload[byte]("Move", p, 0)))
	}
	return b.String()
}

func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 3, 4, 7}).Draw(t, "n")
		ps := inProcess(n)
		defer func() {
			for _, p := range ps {
				p.watch.parted.Store(true)
			}
			for _, p := range ps {
				p.mesh.Close()
			}
		}()
		for _, p := range ps {
			p.st.TagSize, p.st.NextTag = 1, 1
		}

		slots := rapid.IntRange(1, 4).Draw(t, "slots")
		real, want := make(arrays, slots), make(arrays, slots)
		for s := range slots {
			for range n {
				b := make([]byte, rapid.IntRange(0, 40).Draw(t, "length"))
				real[s] = append(real[s], b)
				want[s] = append(want[s], bytes.Clone(b))
			}
		}
		// names[slot][process] of the registrations that can be used
		names := make(map[int][]uint64)
		for range rapid.IntRange(1, 6).Draw(t, "supersteps") {
			var usable []int
			for s := range slots {
				if names[s] != nil {
					usable = append(usable, s)
				}
			}
			requests := drawSuperstep(t, n, want, usable)
			toggle := rapid.IntRange(0, slots-1).Draw(t, "toggle")
			got := make([]string, n)
			next := make([]uint64, n)
			everywhere(ps, func(p *process) {
				for _, r := range requests {
					if r.from != p.rank {
						continue
					}
					switch r.op {
					case "put":
						src := fill(r.bytes, r.value)
						p.put("Put", 0, r.to, src, names[r.slot][p.rank], r.offset, 1)
						clear(src)
					case "get":
						p.get("Get", 0, r.to, names[r.slot][p.rank], r.offset, real[r.into][p.rank][r.at:r.at+r.bytes], 1)
					case "send":
						p.send(r.to, 0, []byte{byte(p.rank)}, fill(r.bytes, r.value))
					}
				}
				if names[toggle] == nil {
					next[p.rank] = p.push(real[toggle][p.rank], 0)
				} else {
					p.pop(names[toggle][p.rank], 0)
				}
				p.superstep(exchange, 0)
				got[p.rank] = p.readAll()
			})
			if names[toggle] == nil {
				names[toggle] = next
			} else {
				delete(names, toggle)
			}
			queues := model(want, requests, n)
			for s := range slots {
				for pid := range n {
					if !bytes.Equal(real[s][pid], want[s][pid]) {
						t.Fatalf("array %d of process %d of %d is %v, want %v after %+v", s, pid, n, real[s][pid], want[s][pid], requests)
					}
				}
			}
			for pid := range n {
				if got[pid] != queues[pid] {
					t.Fatalf("process %d of %d received %q, want %q after %+v", pid, n, got[pid], queues[pid], requests)
				}
			}
		}
	})
}
