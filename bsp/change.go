package bsp

import "fmt"

// A change is a call of PushRegister or PopRegister. The changes of a superstep
// are sent to all, since they must be the same everywhere.
type change struct {
	kind   changeKind
	number uint64 // of the registration
	typ    string // of its elements
	site   string
}

type changeKind uint8

const (
	pushed changeKind = iota + 1
	popped
)

func (c change) String() string {
	if c.kind == pushed {
		return fmt.Sprintf("PushRegister of a []%s (%s)", c.typ, c.site)
	}
	return fmt.Sprintf("PopRegister of registration %d, a []%s (%s)", c.number, c.typ, c.site)
}

func (c change) same(d change) bool {
	return c.kind == d.kind && c.number == d.number && c.typ == d.typ
}

func appendChange(b []byte, c change) []byte {
	b = append(b, byte(c.kind), 0)
	b = le.AppendUint16(b, uint16(len(c.typ)))
	b = le.AppendUint32(b, uint32(len(c.site)))
	b = le.AppendUint64(b, c.number)
	b = append(b, c.typ...)
	b = append(b, c.site...)
	return pad(b)
}

func (r *records) change() change {
	h := r.take(16)
	if h == nil {
		return change{}
	}
	c := change{kind: changeKind(h[0]), number: le.Uint64(h[8:])}
	typ, site := int(le.Uint16(h[2:])), int(le.Uint32(h[4:]))
	text := r.take(typ + site)
	if text != nil {
		c.typ, c.site = string(text[:typ]), string(text[typ:])
	}
	return c
}

// differs compares the changes of this process with those of another and
// describes the first difference, or returns "".
func (p *process) differs(other int, section []byte) string {
	if len(section) == 0 && len(p.changes) == 0 {
		return ""
	}
	r := records{section}
	for i := 0; ; i++ {
		mine, more := i < len(p.changes), len(r.rest) > 0
		switch {
		case !mine && !more:
			return ""
		case !more:
			return fmt.Sprintf("process %d called %v, process %d called Sync instead", p.rank, p.changes[i], other)
		}
		theirs := r.change()
		switch {
		case theirs.kind == 0:
			p.damaged(other)
		case !mine:
			return fmt.Sprintf("process %d called Sync, process %d called %v first", p.rank, other, theirs)
		case !p.changes[i].same(theirs):
			return fmt.Sprintf("process %d called %v, process %d called %v", p.rank, p.changes[i], other, theirs)
		}
	}
}
