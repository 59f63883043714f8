package heap

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"unsafe"
)

// A Root is a named variable: Ptr is a non-nil pointer to it.
type Root struct {
	Name string
	Ptr  any
}

// Options say what belongs to the process and not to the program.
type Options struct {
	// Named lists variables such as io.EOF and os.Stdout. What they hold
	// (a pointer, map or channel, possibly in an interface) and their
	// addresses are not saved but named, and bound again in the process that
	// rebuilds the image. It must list the same names there.
	Named []Root

	// Transient are fields of structs that are not saved, and zero when the image is rebuilt, such
	// as "example.org/sim.cache.conn": the path of the package, the type (without type arguments)
	// and the field.
	Transient []string

	// Later is called at the end of a Rebuild with what has effects outside of the program's
	// memory, to be called when nothing else can fail any more: it cuts files back to the size that
	// they had, and sets the timers going. nil: that is done at once.
	Later func(arm func() error)

	// Missing, if not nil, lets a Rebuild find other roots than the image has, as those that a
	// program for another machine has: it is set to the names of those that the program does not
	// have, whose values are lost. Those that the image does not have keep the values that they
	// have.
	Missing *[]string

	// Pointees tell what unsafe pointers lead to. Others can be saved only if they lead into
	// something that is saved because of other references.
	Pointees []Pointee

	// Heads are types of structs, or numbers, whose addresses the program converts to those of
	// larger structs that they are the beginnings of, or of which it may have the first of several,
	// if they have references, each as path of the package and name, with a dot between them. That
	// of a generic type stands for all its instances.
	Heads []string

	// Parts are those of Heads that are certainly converted so, or taken for one of several: an
	// allocation that is larger has a whole one, or the others, wherever in it the part is. If it
	// is a number without a name of its own, as int is, that holds only where the allocation can be
	// one of Holders.
	Parts []string

	// Wide are such larger structs, for which the program takes what is only a beginning.
	Wide []string

	// Holders are types of structs to which the program makes pointers of those to their later
	// fields, the types of which are among Parts.
	Holders []reflect.Type

	// Wholes are types of structs which begin with one of Heads, and to which the program makes
	// unsafe pointers pointers, as Heads are written. A head is saved with the rest of such a
	// struct if its allocation can be one of them only.
	Wholes []string

	// Punned are types of structs to whose pointers the program converts pointers to other structs,
	// which have references where these have numbers.
	Punned []string

	// Firsts are types of values without references which the program may have the first of several
	// of, as a pointer: uint8, or path of the package and name, with a dot between them; of arrays
	// without a name after their lengths: [3]uint8.
	Firsts map[string]bool

	// Hiding are types of numbers of which the program makes slices or strings of memory that may
	// have references, as in Firsts.
	Hiding map[string]bool

	// Backs are the import paths of the packages that make pointers of numbers. A capture sets
	// *Addresses to the numbers, where these could have kept them, that are addresses of what is
	// saved; it should be the variable of a root, so that after a rebuild they can be set.
	Backs map[string]bool
	// Longs are those of Backs that have such numbers of type uint64, too.
	Longs     map[string]bool
	Addresses *[]Address

	// Located are types of structs whose addresses the program makes numbers of, and Hashed the
	// pointers and channels that it has made numbers of in another way, each with its type; what
	// they lead to may be gone. A capture sets *Locations to all values of these types that it
	// finds, and to all of these pointers and channels whose object it finds, each with its Number,
	// and saves that, too, if the variable is one of the roots.
	Located   []reflect.Type
	Hashed    map[uintptr]reflect.Type
	Locations *[]Location
	Number    func(address unsafe.Pointer) uint64

	// Iterators are types of structs that the program uses as iterators over maps, by functions of
	// the runtime that it has by go:linkname.
	Iterators []reflect.Type

	// Words are types of structs in which the program looks at the two words of empty interfaces.
	// One that is an allocation of its own is an interface, even if nothing else leads to it.
	Words []reflect.Type

	// Recast are types of func values to whose pointers the program makes unsafe pointers, so that
	// such a variable can hold a func value of another type; with an interface without methods among
	// them it can be of any.
	Recast []reflect.Type

	// Increments makes a capture one of a series, of which each but the first can be written as
	// what has changed since the one before; nil: it is on its own.
	Increments *Increments

	// Verify makes a capture verify the whole image, as [Parse] does: what could not be read by a
	// defect of this package is an error at once. It takes a multiple of the time.
	Verify bool

	// Files are further names of files that the program had open at the capture: a rebuild puts
	// back from there what is not in its place any more.
	Files []string

	// Waiters lets goroutines wait at channels that are captured: they do not
	// belong to the program, and are not there in the process that rebuilds the image.
	Waiters bool
}

// Capture saves everything that can be reached from the roots. The program must
// stand still meanwhile: nothing that is reachable may change. The snapshot
// shares nothing with the program. Something that can't be saved is an
// *UnsupportedError, which tells the path to it.
func Capture(roots []Root, opt Options) (*Snapshot, error) {
	// A pointer made by package unsafe can lead anywhere, also to memory that has
	// been unmapped. Reading that must not end the program.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer restCollector()()
	s, err := capture(roots, opt, false)
	var r *refusal
	var f *fault
	if !errors.As(err, &r) && !errors.As(err, &f) {
		return s, err
	}
	// Walk once more, keeping paths.
	_, err2 := capture(roots, opt, true)
	var unsupported *UnsupportedError
	if errors.As(err2, &unsupported) {
		return nil, err2
	}
	return nil, err
}

// capture makes a snapshot. If it fails with tracing, the error tells the path.
func capture(roots []Root, opt Options, tracing bool) (s *Snapshot, err error) {
	c, err := newCapture(roots, opt, tracing)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := recover(); e != nil {
			s, err = nil, c.failure(e)
		}
	}()
	err = c.collect()
	var r *refusal
	if tracing && errors.As(err, &r) {
		err = &UnsupportedError{Path: c.path(), Type: r.typ, Why: r.why}
	}
	if err != nil {
		return nil, err
	}
	return c.finish()
}

type capturing struct {
	*walker
	roots    []Root
	entries  []rootEntry
	names    []named
	rooted   map[int]string // region -> name of the root
	external map[int]int    // region -> index in names
	opt      Options
	encoding bool                  // all has been found
	held     []unsafe.Pointer      // what the names of variables stand for that hold a pointer
	heldType []reflect.Type        // of these pointers
	numbers  []suspect             // what the first of *opt.Addresses are made of
	begun    map[*plan]*candidates // what may begin with a head
	starting map[*plan][]*plan     // what may begin with the first of several
}

// collect walks from the roots and makes objects of what it found.
func (c *capturing) collect() error {
	if err := c.gather(); err != nil {
		return err
	}
	if len(c.opt.Located) > 0 || len(c.opt.Hashed) > 0 {
		c.locate()
		if err := c.gather(); err != nil {
			return err
		}
	}
	if found, err := c.setAddresses(); err != nil {
		return err
	} else if found {
		if err := c.gather(); err != nil {
			return err
		}
	}
	return c.bind()
}

// gather walks on, and makes objects of all that was found.
func (c *capturing) gather() error {
	for {
		if err := c.merged(); err != nil {
			return err
		}
		if c.follow() || c.followHeads() || c.followWeak() || c.followOwned() {
			continue
		}
		if found, err := c.followFirsts(); err != nil || !found {
			return err
		}
	}
}

func (c *capturing) merged() error {
	for {
		if err := c.run(); err != nil {
			return err
		}
		if len(c.aside) == 0 {
			break
		}
		if err := c.admit(); err != nil {
			return err
		}
	}
	var err error
	c.objects, c.owner, err = c.merge(c.rooted, c.external)
	return err
}

func newCapture(roots []Root, opt Options, tracing bool) (*capturing, error) {
	c := &capturing{walker: newWalker(opt), opt: opt, roots: roots, rooted: make(map[int]string), external: make(map[int]int)}
	c.tracing, c.waiters = tracing, opt.Waiters
	if opt.Addresses != nil {
		*opt.Addresses = nil
	}
	isRoot := make(map[unsafe.Pointer]bool)
	seen := make(map[string]bool)
	for _, r := range roots {
		v := reflect.ValueOf(r.Ptr)
		if v.Kind() != reflect.Pointer || v.IsNil() {
			return nil, fmt.Errorf("heap: root %s: Ptr must be a non-nil pointer to the variable, not %T", r.Name, r.Ptr)
		}
		if seen[r.Name] {
			return nil, fmt.Errorf("heap: two roots are named %s; give each variable its own name", r.Name)
		}
		seen[r.Name] = true
		isRoot[v.UnsafePointer()] = true
		p := c.of(v.Type().Elem())
		c.markStatic(p)
		c.entries = append(c.entries, rootEntry{name: r.Name, typ: p.Type})
	}
	c.mappings = mappings()
	if err := c.addNamed(slices.Concat(opt.Named, reservedMemory(c.mappings)), isRoot); err != nil {
		return nil, err
	}
	for _, r := range roots {
		v := reflect.ValueOf(r.Ptr)
		p := c.of(v.Type().Elem())
		c.walker.root(r.Name, v.UnsafePointer(), p)
		if p.flatElem.native > 0 && p.flatCount > 0 {
			c.rooted[c.mem.find(v.UnsafePointer(), p.flatElem)] = r.Name
		}
	}
	return c, c.failed
}

// markStatic notes all types that can be reached from the type of a root: they
// are found again without their names.
func (w *walker) markStatic(p *plan) {
	todo := []*plan{p}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if w.static[p] {
			continue
		}
		w.static[p] = true
		if p.elem != nil {
			todo = append(todo, p.elem)
		}
		if p.key != nil {
			todo = append(todo, p.key)
		}
		if p.rt.Kind() == reflect.Struct && !w.restated(p.rt) && !p.opaque {
			for i := range p.rt.NumField() {
				todo = append(todo, w.of(fieldType(p.rt, p.rt.Field(i))))
			}
		}
	}
}

func (c *capturing) addNamed(vars []Root, isRoot map[unsafe.Pointer]bool) error {
	for _, r := range vars {
		v := reflect.ValueOf(r.Ptr)
		if v.Kind() != reflect.Pointer || v.IsNil() {
			return fmt.Errorf("heap: named variable %s: Ptr must be a non-nil pointer to the variable, not %T", r.Name, r.Ptr)
		}
		at := v.UnsafePointer()
		if isRoot[at] {
			continue
		}
		p := c.of(v.Type().Elem())
		c.tabled(at)
		if fp := p.flatElem; fp.native > 0 && p.flatCount > 0 && c.mem.find(at, fp) < 0 {
			i := c.mem.add(region{at, fp, p.flatCount})
			c.external[i] = len(c.names)
			c.names = append(c.names, named{r.Name, true, p.Type})
		}
		held, t := holds(v.Elem())
		if held == nil || isRoot[held] {
			continue
		}
		hp := c.of(t)
		switch t.Kind() {
		case reflect.Pointer:
			if hp.elem.native == 0 || c.mem.find(held, nil) >= 0 {
				continue
			}
			c.tabled(held)
			c.mem.add(region{held, nil, len(c.names)})
			c.held, c.heldType = append(c.held, held), append(c.heldType, t)
		case reflect.Map:
			if c.maps[held] != nil {
				continue
			}
			c.maps[held] = &mapCapture{named: len(c.names) + 1}
		case reflect.Chan:
			if c.chans[held] != nil {
				continue
			}
			c.chans[held] = &chanCapture{named: len(c.names) + 1}
		}
		c.names = append(c.names, named{r.Name, false, hp.Type})
	}
	return nil
}

// holds returns the pointer that a variable holds and its type, or nil.
func holds(v reflect.Value) (unsafe.Pointer, reflect.Type) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan:
		return v.UnsafePointer(), v.Type()
	}
	return nil, nil
}

// verifyCaptures stands for Verify in all options, in tests.
var verifyCaptures = false

// finish turns what the walk found into a snapshot.
func (c *capturing) finish() (*Snapshot, error) {
	e := &encoder{walker: c.walker, apart: c.opt.Increments != nil, now: nanotime(), names: c.names}
	c.encoding = true
	e.number()
	err := e.encode()
	if e.overflow {
		c.widen()
		for i := range e.groups {
			e.groups[i].forget()
			e.grouped[i].drafts = nil
		}
		e = &encoder{walker: c.walker, apart: e.apart, now: e.now, names: c.names, grouped: e.grouped, groups: e.groups, boxed: e.boxed}
		err = e.encode()
	}
	var r *refusal
	var unsupported *UnsupportedError
	if errors.As(err, &r) || errors.As(err, &unsupported) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inexpressible, err)
	}
	im := &Image{types: c.types, word: c.planner.word, names: c.names, roots: c.entries, groups: e.groups}
	for i, r := range c.roots {
		p := c.of(reflect.TypeOf(r.Ptr).Elem())
		im.roots[i].at = reference(tagZero, 0)
		if p.flatCount > 0 {
			im.roots[i].at = e.address(reflect.ValueOf(r.Ptr).UnsafePointer(), p)
		}
	}
	array := func(p unsafe.Pointer, n int, elem *plan) uint64 {
		if n == 0 || elem.flatCount == 0 {
			return reference(tagZero, 0)
		}
		return e.address(p, elem)
	}
	for _, m := range c.mapSeq {
		im.maps = append(im.maps, mapEntry{m.plan.Type, uint64(m.n), array(m.keys, m.n, m.plan.key), array(m.vals, m.n, m.plan.elem)})
	}
	for _, ch := range c.chnSeq {
		if ch.timer != nil {
			im.chans = append(im.chans, chanEntry{elem: ch.plan.elem.Type, buffer: e.address(ch.timer, ch.timerPlan)})
			continue
		}
		n := int(ch.c.capacity)
		im.chans = append(im.chans, chanEntry{ch.plan.elem.Type, uint64(n), uint64(ch.c.count), ch.c.closed != 0, array(ch.values, n, ch.plan.elem)})
	}
	for _, f := range c.fncSeq {
		entry := funcEntry{code: f.name}
		if f.plan != nil {
			entry.typ = f.plan.Type
			if f.env != nil {
				entry.env = array(f.env, 1, f.plan.elem)
			}
		}
		im.funcs = append(im.funcs, entry)
	}
	im.interiors = e.interiors
	for i := range im.groups {
		im.objects += im.groups[i].n
		im.size += im.groups[i].size()
	}
	if p := c.plans[typeOfByte]; p != nil {
		im.bytes = p.Type
	}
	// What would be refused when it is read must be refused now, while the program can still do
	// without this checkpoint. That references lead to what their types say follows from how
	// objects were made; values were checked when they were written.
	if len(c.files) > 0 {
		im.startText()
	}
	if e.overflow && c.planner.word == shortWord { // by what was found after the objects were written
		return nil, fmt.Errorf("%s: too many references into objects", inexpressible)
	}
	err = cmp.Or(e.err, im.verifyMeaning())
	if (verifyCaptures || c.opt.Verify) && err == nil {
		im.join()
		err = im.verify()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inexpressible, err)
	}
	s := &Snapshot{sections: im.sections()}
	s.opened, s.written = c.opened()
	if c.opt.Increments != nil {
		s.increment = c.opt.Increments.take(e.blocks, e.total)
	}
	return s, nil
}

const inexpressible = "heap: something is used in a way that the image can't express, perhaps through package unsafe"
