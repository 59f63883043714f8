package bsp

import "math"

// Put writes src into the slice that process pid registered as dst, from element
// offset on. It takes effect in the next [Sync], after all Gets; src is copied
// now and may be changed at once. An empty src is a no-op.
func Put[T any](pid int, src []T, dst Reg[T], offset int) {
	p := running("Put")
	p.put("Put", p.sites.caller(), pid, bytesOf(src), dst.name, offset, sizeOf[T]())
}

// HPPut is [Put] without a copy where the library can do without: src must not
// change until the next [Sync] has returned, and it is not defined in which order
// HPPut and other accesses to the same elements take effect.
func HPPut[T any](pid int, src []T, dst Reg[T], offset int) {
	p := running("HPPut")
	p.put("HPPut", p.sites.caller(), pid, bytesOf(src), dst.name, offset, sizeOf[T]())
}

// Get reads len(dst) elements of the slice that process pid registered as src,
// from element offset on, into dst. They are read when all processes have
// called [Sync], before any Put is written, and are in dst when Sync returns.
// An empty dst is a no-op.
func Get[T any](pid int, src Reg[T], offset int, dst []T) {
	p := running("Get")
	p.get("Get", p.sites.caller(), pid, src.name, offset, bytesOf(dst), sizeOf[T]())
}

// HPGet is [Get] without the promise when, between this call and the end of the
// next [Sync], the elements are read and written.
func HPGet[T any](pid int, src Reg[T], offset int, dst []T) {
	p := running("HPGet")
	p.get("HPGet", p.sites.caller(), pid, src.name, offset, bytesOf(dst), sizeOf[T]())
}

func (p *process) put(call string, at site, pid int, src []byte, name uint64, offset, size int) {
	if len(src) == 0 {
		return
	}
	a := p.access(call, at, pid, len(src), name, offset, size)
	l := &p.links[pid]
	b := a.appendTo(l.out[putsSection])
	b = append(b, src...)
	l.out[putsSection] = pad(b)
}

func (p *process) get(call string, at site, pid int, name uint64, offset int, dst []byte, size int) {
	if len(dst) == 0 {
		return
	}
	a := p.access(call, at, pid, len(dst), name, offset, size)
	l := &p.links[pid]
	l.out[getsSection] = a.appendTo(l.out[getsSection])
	l.asked = append(l.asked, dst)
}

// access verifies what can be verified here.
func (p *process) access(call string, at site, pid, bytes int, name uint64, offset, size int) access {
	p.peer(call, pid, at)
	number := p.use(call, name, at)
	if offset < 0 || offset > math.MaxInt/size-bytes/size {
		p.misuse(call, at, "the offset %d is not an index", offset)
	}
	p.introduce(pid, at)
	return access{number: number, offset: offset * size, bytes: bytes, site: at}
}

// introduce tells the position at to a process, once.
func (p *process) introduce(pid int, at site) {
	l := &p.links[pid]
	for int(at) >= len(l.told) {
		l.told = append(l.told, false)
	}
	if l.told[at] || pid == p.rank {
		return
	}
	l.told[at] = true
	text := p.sites.position(at)
	b := le.AppendUint32(l.out[sitesSection], uint32(at))
	b = le.AppendUint32(b, uint32(len(text)))
	b = append(b, text...)
	l.out[sitesSection] = pad(b)
}

// learn reads the positions that a process tells.
func (p *process) learn(from int) {
	l := &p.links[from]
	r := records{l.in[sitesSection]}
	for len(r.rest) > 0 {
		h := r.take(8)
		if h == nil {
			p.damaged(from)
		}
		text := r.take(int(le.Uint32(h[4:])))
		if text == nil {
			p.damaged(from)
		}
		if l.known == nil {
			l.known = make(map[site]string)
		}
		l.known[site(le.Uint32(h))] = string(text)
	}
}

// position is where process from called the library.
func (p *process) position(from int, at site) string {
	if from == p.rank {
		return p.sites.position(at)
	}
	if s, ok := p.links[from].known[at]; ok {
		return s
	}
	return "unknown position"
}

// target returns the bytes of a registered slice that process from asks for,
// and ends all processes if they are not there.
func (p *process) target(call string, from int, a access) []byte {
	i := p.owned(a.number)
	if i < 0 {
		p.accuse(call, from, p.position(from, a.site), "process %d has no registration %d", p.rank, a.number)
	}
	v := &p.dir.views[i]
	if a.offset < 0 || a.bytes < 0 || a.offset > len(v.bytes) || a.bytes > len(v.bytes)-a.offset {
		p.accuse(call, from, p.position(from, a.site),
			"elements %d to %d of the []%v that process %d registered (%s), which has %d",
			a.offset/v.size, (a.offset+a.bytes)/v.size-1, v.typ, p.rank, p.st.Regs[i].Site, len(v.bytes)/v.size)
	}
	return v.bytes[a.offset : a.offset+a.bytes]
}

// readGets reads here what process from wants to get.
func (p *process) readGets(from int) {
	l := &p.links[from]
	l.answer = l.answer[:0]
	r := records{l.in[getsSection]}
	for len(r.rest) > 0 {
		a, ok := r.access()
		if !ok {
			p.damaged(from)
		}
		l.answer = append(l.answer, p.target("Get", from, a)...)
	}
}

// writeGets writes what this process got from process from.
func (p *process) writeGets(from int) {
	l := &p.links[from]
	values := l.values
	for _, dst := range l.asked {
		if len(dst) > len(values) {
			p.damaged(from)
		}
		values = values[copy(dst, values):]
	}
	if len(values) > 0 {
		p.damaged(from)
	}
}

// writePuts writes what process from has put here.
func (p *process) writePuts(from int) {
	r := records{p.links[from].in[putsSection]}
	for len(r.rest) > 0 {
		a, ok := r.access()
		if !ok {
			p.damaged(from)
		}
		dst := p.target("Put", from, a)
		src := r.take(a.bytes)
		if src == nil {
			p.damaged(from)
		}
		copy(dst, src)
	}
}
