package heap

// The graph of an image: which object refers to which, found without the program. An object is a
// node; a map leads to its arrays of keys and of values, a channel to its buffer, a function to its
// environment.

// A link is a reference of one object to another.
type link struct {
	how  relation
	off  uint64 // where it stands in the object that it is of
	to   uint64 // the object that it leads to
	at   uint64 // where in that
	word uint64 // the reference itself
}

// links calls visit for each reference of an object to another, in their order.
func (im *Image) links(number uint64, visit func(link)) {
	g, b := im.content(number)
	slots := g.typ.wireSlots()
	if len(slots) == 0 {
		return
	}
	for off := uint64(0); off < uint64(len(b)); off += g.typ.size {
		im.slotLinks(b, off, slots, visit)
	}
}

func (im *Image) slotLinks(b []byte, base uint64, slots []wireSlot, visit func(link)) {
	for i := range slots {
		s := &slots[i]
		off := base + s.off
		switch s.op {
		case opArray:
			for k := range s.n {
				im.slotLinks(b, off+k*s.target.size, s.target.wireSlots(), visit)
			}
		case opInterface:
			how := byInterface
			if t := im.number(b[off:]); t > 0 && im.types[t-1].inWord() {
				how = byPointer
			}
			im.follow(im.reference(b[off+im.word:]), off, how, visit)
		case opString:
			im.follow(im.reference(b[off:]), off, byString, visit)
		case opSlice:
			im.follow(im.reference(b[off:]), off, bySlice, visit)
		default:
			im.follow(im.reference(b[off:]), off, byPointer, visit)
		}
	}
}

// follow calls visit for the objects that a reference leads to.
func (im *Image) follow(word, off uint64, how relation, visit func(link)) {
	object := func(to uint64, how relation) {
		at := uint64(0)
		tag, n := split(to)
		if tag == tagInterior {
			at = im.interiors[n].off
			tag, n = split(im.interiors[n].base)
		}
		if tag == tagObject && n > 0 {
			visit(link{how, off, n, at, word})
		}
	}
	switch tag, n := split(word); tag {
	case tagObject, tagInterior:
		object(word, how)
	case tagMap:
		object(im.maps[n].keys, byMapKey)
		object(im.maps[n].vals, byMapValue)
	case tagChan:
		object(im.chans[n].buffer, byChannel)
	case tagFunc:
		if im.funcs[n].typ != nil {
			object(im.funcs[n].env, byClosure)
		}
	}
}
