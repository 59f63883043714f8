package heap

//lint:file-ignore U1000 many fields are there only to be saved

import (
	"bufio"
	"bytes"
	"container/heap"
	"container/list"
	rings "container/ring"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"
	_ "time/tzdata"
)

// library are the passages of what the standard library has.
func library() []passage {
	return []passage{
		pass[numbersPassage]("numbers", 0),
		pass[buffersPassage]("buffers", 0),
		pass[containersPassage]("containers", 0),
		pass[generatorsPassage]("generators of random numbers", 0),
		pass[textsPassage]("regular expressions and templates", 0),
		pass[contextsPassage]("contexts", 0),
		pass[readersPassage]("readers of files", 0),
		pass[writersPassage]("writers of files", 0),
		pass[netsPassage]("addresses", 0),
		pass[digestsPassage]("digests", 0),
	}
}

// Of what time, os and io/fs make.

func berlin() *time.Location {
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return loc
}

func notThere() error {
	_, err := os.Open(filepath.Join("no", "such", "file"))
	return fmt.Errorf("opening: %w", err)
}

func isNotThere(err error) bool {
	var path *fs.PathError
	return errors.Is(err, fs.ErrNotExist) && errors.As(err, &path) && path.Op == "open"
}

type numbersPassage struct {
	i, same *big.Int
	part    []big.Word
	r       *big.Rat
	f       *big.Float
	value   big.Int
}

func (v *numbersPassage) fill(string) {
	v.i = new(big.Int).Exp(big.NewInt(-7), big.NewInt(301), nil)
	v.same, v.part, v.r, v.f = v.i, v.i.Bits()[1:2], big.NewRat(22, 7), big.NewFloat(1.5).SetPrec(200)
	v.value.SetString("123456789012345678901234567890", 10)
}

func (v *numbersPassage) use(print func(...any)) {
	v.part[0]++
	v.i.Add(v.i, &v.value)
	v.value.Mul(&v.value, &v.value)
	print(v.same, &v.value, v.r.Add(v.r, big.NewRat(1, 3)), v.f.Quo(v.f, big.NewFloat(3)), v.i == v.same)
}

type buffersPassage struct {
	b       bytes.Buffer
	p       *bytes.Buffer
	view    []byte
	s       strings.Builder
	sp      *strings.Builder
	r       *bufio.Reader
	w       *bufio.Writer
	scan    *bufio.Scanner
	rw      *bufio.ReadWriter
	tab     *tabwriter.Writer
	section *io.SectionReader
	multi   io.Reader
	limited io.Reader
	tee     io.Reader
}

func (v *buffersPassage) fill(string) {
	v.b.WriteString("hello, world")
	v.b.Next(5)
	v.p, v.view = &v.b, v.b.Bytes()[1:4]
	v.s.WriteString("built")
	v.sp = new(strings.Builder)
	v.sp.Grow(100)
	v.sp.WriteString("pointer")
	v.r = bufio.NewReaderSize(strings.NewReader(strings.Repeat("line\n", 20)), 16)
	v.r.ReadString('\n')
	v.r.ReadByte()
	v.w = bufio.NewWriter(v.p)
	v.w.WriteString("!")
	v.scan = bufio.NewScanner(strings.NewReader("one two\nthree four five"))
	v.scan.Split(bufio.ScanWords)
	v.scan.Scan()
	v.rw = bufio.NewReadWriter(v.r, v.w)
	v.tab = tabwriter.NewWriter(v.sp, 0, 8, 1, ' ', 0)
	fmt.Fprint(v.tab, "a\tb\n")
	v.section = io.NewSectionReader(strings.NewReader("0123456789"), 2, 5)
	v.section.Read(make([]byte, 2))
	v.multi = io.MultiReader(strings.NewReader("first "), v.section)
	v.limited, v.tee = io.LimitReader(v.multi, 8), io.TeeReader(v.r, v.sp)
	v.limited.Read(make([]byte, 3))
}

func (v *buffersPassage) use(print func(...any)) {
	v.view[0] = '_'
	v.rw.WriteString("?")
	v.rw.Flush()
	print(v.p.String(), v.p == &v.b, len(v.view))
	v.s.WriteString(" and on")
	fmt.Fprint(v.tab, "longer\tc\n")
	v.tab.Flush()
	c, _ := v.r.ReadByte()
	print(v.s.String(), v.sp.String(), v.sp.Cap() >= 100, string(c), v.r.UnreadByte())
	for v.scan.Scan() {
		print(v.scan.Text())
	}
	rest, err := io.ReadAll(v.limited)
	print(string(rest), err)
	io.CopyN(io.Discard, v.tee, 7)
	print(v.sp.String(), v.r.Buffered() > 0)
}

type intHeap []*point

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i].x < h[j].x }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(x any)        { *h = append(*h, x.(*point)) }
func (h *intHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

type containersPassage struct {
	l     *list.List
	mark  *list.Element
	value list.List
	r     *rings.Ring
	h     intHeap
	top   *point
}

func (v *containersPassage) fill(string) {
	v.l = list.New()
	for i := range 5 {
		e := v.l.PushBack(i)
		if i == 2 {
			v.mark = e
		}
		v.value.PushFront(e)
		heap.Push(&v.h, &point{(i * 7) % 5, i})
	}
	v.top = v.h[0]
	v.r = rings.New(4)
	for i := range 4 {
		v.r.Value = i
		v.r = v.r.Next()
	}
}

func (v *containersPassage) use(print func(...any)) {
	v.l.InsertAfter("new", v.mark)
	v.l.MoveToFront(v.mark)
	for e := v.l.Front(); e != nil; e = e.Next() {
		print(e.Value, e == v.mark)
	}
	print(v.value.Len(), v.value.Front().Value.(*list.Element).Value, v.l.Remove(v.value.Back().Value.(*list.Element)), v.l.Len())
	v.r.Unlink(1)
	v.r.Do(func(x any) { print("ring", x) })
	v.top.x = 10
	heap.Fix(&v.h, 0)
	for len(v.h) > 0 {
		p := heap.Pop(&v.h).(*point)
		print(*p, p == v.top)
	}
}

// A countedSource wraps a source.
type countedSource struct {
	rand.Source
	n int
}

func (c *countedSource) Int63() int64 { c.n++; return c.Source.Int63() }

type generatorsPassage struct {
	r, wrapped *rand.Rand
	counted    *countedSource
	zipf       *rand.Zipf
	pcg, cha   *randv2.Rand
	chaSource  *randv2.ChaCha8
	pcgSource  randv2.PCG
	zipf2      *randv2.Zipf
	plain      randv2.Source
}

func (v *generatorsPassage) fill(string) {
	v.r = rand.New(rand.NewSource(4))
	v.counted = &countedSource{Source: rand.NewSource(5)}
	v.wrapped = rand.New(v.counted)
	v.zipf = rand.NewZipf(v.r, 1.5, 2, 1000)
	v.chaSource = randv2.NewChaCha8([32]byte{1, 2, 3})
	v.pcg, v.cha = randv2.New(randv2.NewPCG(1, 2)), randv2.New(v.chaSource)
	v.pcgSource.Seed(7, 8)
	v.zipf2, v.plain = randv2.NewZipf(v.pcg, 1.5, 2, 1000), &v.pcgSource
	for range 5 {
		v.r.Read(make([]byte, 3))
		v.wrapped.Perm(3)
		v.cha.Uint32()
		v.pcg.NormFloat64()
		v.zipf.Uint64()
	}
	v.chaSource.Read(make([]byte, 3))
}

func (v *generatorsPassage) use(print func(...any)) {
	for range 400 { // more than a block of any of them
		v.cha.Uint64()
		v.r.Int()
	}
	b, c := make([]byte, 5), make([]byte, 5)
	v.r.Read(b)
	v.chaSource.Read(c)
	print(b, c, v.r.Int(), v.wrapped.Int(), v.counted.n, v.zipf.Uint64(), v.pcg.Int(), v.cha.Float64(), v.cha.Uint64() == v.chaSource.Uint64())
	print(v.plain.Uint64(), v.pcgSource.Uint64(), v.zipf2.Uint64(), v.pcg.Perm(5))
}

type textsPassage struct {
	re, longest *regexp.Regexp
	found       []string
	t           *template.Template
	inner       *template.Template
	replacer    *strings.Replacer
}

func (v *textsPassage) fill(string) {
	v.re, v.longest = regexp.MustCompile(`(?P<a>a+)(b|c)*\d{2,3}`), regexp.MustCompilePOSIX(`x*|y`)
	v.found = v.re.FindStringSubmatch("zaabbc123456")
	v.t = template.Must(template.New("t").Funcs(template.FuncMap{"upper": strings.ToUpper, "double": double}).Parse(
		`{{define "inner"}}<{{.|upper}}>{{end}}{{range $i, $x := .List}}{{if $i}}, {{end}}{{template "inner" $x}}{{else}}none{{end}} {{double .N}} {{printf "%05d" .N}} {{.P.String}} {{index .M "k"}}`))
	v.inner = v.t.Lookup("inner")
	v.replacer = strings.NewReplacer("<", "&lt;", ">", "&gt;")
	v.replacer.Replace("<")
}

func (v *textsPassage) use(print func(...any)) {
	print(v.found, v.re.FindAllString("ab12 c13 aac99", -1), v.re.SubexpNames(), v.longest.FindString("xxxy"), v.re, v.re.ReplaceAllString("xab12y", "${a}"))
	var b strings.Builder
	data := map[string]any{"List": []string{"x", "y"}, "N": 21, "P": &square{2}, "M": map[string]int{"k": 5}}
	err := v.t.Execute(&b, data)
	print(b.String(), err, v.inner.Name(), v.t.Lookup("inner") == v.inner)
	_, err = v.t.New("more").Parse(`{{template "inner" "again"}}`)
	b.Reset()
	print(err, v.t.ExecuteTemplate(&b, "more", nil), b.String(), v.replacer.Replace("<b>"))
}

type contextKey string

var neverCalled []context.CancelFunc

type contextsPassage struct {
	values, live, over context.Context
	tree               []context.Context
}

func (v *contextsPassage) fill(string) {
	v.values = context.WithValue(context.WithValue(context.Background(), contextKey("a"), &v.values), contextKey("b"), 2)
	live, stop := context.WithCancel(v.values)
	over, cancel := context.WithCancelCause(live)
	inner, stopInner := context.WithCancel(context.WithValue(over, contextKey("c"), 3))
	neverCalled = append(neverCalled, stop, stopInner)
	cancel(fmt.Errorf("because: %w", io.EOF))
	v.live, v.over = live, over
	v.tree = []context.Context{inner, context.WithoutCancel(inner), context.Background(), context.TODO(), over}
	<-inner.Done()
}

func (v *contextsPassage) use(print func(...any)) {
	print(v.over.Value(contextKey("a")) == any(&v.values), v.tree[0].Value(contextKey("c")), v.tree[0].Value(contextKey("d")))
	print(v.live.Err(), v.over.Err(), context.Cause(v.tree[0]), v.tree[0].Err() == context.Canceled, errors.Is(context.Cause(v.over), io.EOF), v.tree[1].Err(), v.tree[4] == v.over)
	print(v.tree[2] == context.Background(), v.tree[3] == context.TODO(), v.values)
	_, ok := <-v.tree[0].Done()
	derived, cancel := context.WithTimeout(v.live, time.Hour)
	print(ok, derived.Err())
	cancel()
	<-derived.Done()
	print(derived.Err(), v.live.Err())
	below, cancel := context.WithCancel(v.tree[0])
	defer cancel()
	<-below.Done()
	print(below.Err(), context.Cause(below))
}

type readersPassage struct {
	f, same  *os.File
	lines    *bufio.Reader
	scan     *bufio.Scanner
	dec      *json.Decoder
	tokens   *json.Decoder
	csv      *csv.Reader
	deeper   *bufio.Reader
	closed   *os.File
	dir      *os.File
	section  *io.SectionReader
	opened   io.ReadCloser
	readFrom io.ReaderAt
}

func (v *readersPassage) fill(dir string) {
	file := func(name, text string) *os.File {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			panic(err)
		}
		f, err := os.Open(name)
		if err != nil {
			panic(err)
		}
		return f
	}
	v.f = file("lines", strings.Repeat("some line of text\n", 1000))
	v.same, v.lines = v.f, bufio.NewReaderSize(v.f, 64)
	v.lines.ReadString('\n')
	v.lines.Discard(20)
	v.scan = bufio.NewScanner(file("words", strings.Repeat("one two three\n", 2000)))
	v.scan.Split(bufio.ScanWords)
	v.scan.Scan()
	v.dec = json.NewDecoder(file("json", strings.Repeat(`{"x": 1, "y": [1, 2, {"z": null}]} {"x": 2}`+"\n", 100)))
	v.dec.UseNumber()
	var first struct{ X json.Number }
	if err := v.dec.Decode(&first); err != nil {
		panic(err)
	}
	v.tokens = json.NewDecoder(file("tokens", `{"list": [1, 2, {"deep": [true, "x"]}, 4]}`))
	for range 6 { // up to {
		v.tokens.Token()
	}
	v.csv = csv.NewReader(file("csv", "a,b\n\"c \"\"d\"\"\",e\nf,g\n"))
	v.csv.Read()
	v.deeper = bufio.NewReader(io.LimitReader(file("limited", "0123456789"), 7))
	v.deeper.ReadByte()
	v.closed = file("closed", "")
	v.closed.Close()
	var err error
	if v.dir, err = os.Open(dir); err != nil {
		panic(err)
	}
	whole := file("whole", "0123456789")
	v.section, v.opened, v.readFrom = io.NewSectionReader(whole, 3, 5), whole, whole
	v.section.Read(make([]byte, 1))
}

func (v *readersPassage) use(print func(...any)) {
	line, err := v.lines.ReadString('\n')
	at, _ := v.same.Seek(0, io.SeekCurrent)
	print(line, err, at, v.lines.Buffered(), v.f == v.same)
	n := 0
	for v.scan.Scan() {
		n++
	}
	print(n, v.scan.Err())
	var values []any
	for v.dec.More() {
		var x any
		if err := v.dec.Decode(&x); err != nil {
			print(err)
			break
		}
		values = append(values, x)
	}
	print(len(values), values[0], values[1], v.dec.InputOffset())
	for {
		t, err := v.tokens.Token()
		if err != nil {
			print(err)
			break
		}
		print(fmt.Sprintf("%T %v", t, t))
	}
	records, err := v.csv.ReadAll()
	print(records, err)
	rest, err := io.ReadAll(v.deeper)
	print(string(rest), err, v.closed.Close() != nil)
	names, err := v.dir.Readdirnames(-1)
	print(len(names), err)
	rest, _ = io.ReadAll(v.section)
	b := make([]byte, 2)
	v.readFrom.ReadAt(b, 8)
	print(string(rest), string(b), v.opened.Close(), v.opened.Close() != nil)
}

type writersPassage struct {
	path    string
	f       *os.File
	w       *bufio.Writer
	append  *os.File
	log     *log.Logger
	slog    *slog.Logger
	enc     *json.Encoder
	csv     *csv.Writer
	both    io.Writer
	out     strings.Builder
	short   *os.File
	stdout  *os.File
	discard io.Writer
}

func (v *writersPassage) create(name string, flags int) *os.File {
	f, err := os.OpenFile(filepath.Join(v.path, name), os.O_RDWR|os.O_CREATE|flags, 0o666)
	if err != nil {
		panic(err)
	}
	return f
}

func (v *writersPassage) fill(dir string) {
	v.path = dir
	v.f = v.create("buffered", 0)
	v.w = bufio.NewWriter(v.f)
	v.w.WriteString(strings.Repeat("x", 5000)) // some of it is in the file
	v.append = v.create("appended", os.O_APPEND)
	v.append.WriteString("before\n")
	v.both = io.MultiWriter(v.append, &v.out)
	v.log = log.New(v.both, "log: ", log.Lmsgprefix)
	v.log.Print("one")
	v.slog = slog.New(slog.NewTextHandler(v.both, &slog.HandlerOptions{ReplaceAttr: withoutTime})).With("a", 1)
	v.enc = json.NewEncoder(v.create("json", 0))
	v.enc.SetIndent("", " ")
	v.enc.Encode(1)
	v.csv = csv.NewWriter(v.create("csv", 0))
	v.csv.Write([]string{"a", "b"})
	v.short = v.create("short", 0)
	v.short.WriteString("0123456789")
	v.short.Truncate(4)
	v.short.Seek(2, io.SeekStart)
	v.stdout, v.discard = os.Stdout, io.Discard
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

func (v *writersPassage) use(print func(...any)) {
	v.w.WriteString("y")
	v.w.Flush()
	v.append.WriteString("after\n")
	v.log.Print("two")
	v.slog.Info("three", "b", 2)
	v.enc.Encode([]int{2})
	v.csv.Write([]string{"c", "d"})
	v.csv.Flush()
	v.short.WriteString("AB")
	v.short.WriteString("CD")
	print(v.out.String(), v.stdout == os.Stdout, v.discard == io.Discard)
	for _, name := range []string{"buffered", "appended", "json", "csv", "short"} {
		b, err := os.ReadFile(filepath.Join(v.path, name))
		print(name, len(b), sha256.Sum256(b), string(b[max(0, len(b)-60):]), err)
	}
}

type netsPassage struct {
	addr  netip.Addr
	zone  netip.Addr
	zero  netip.Addr
	ports map[netip.AddrPort]int
	nets  map[netip.Prefix]netip.Addr
	url   *url.URL
}

func (v *netsPassage) fill(string) {
	v.addr, v.zone = netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fe80::1%eth0")
	v.ports = map[netip.AddrPort]int{netip.AddrPortFrom(v.addr, 80): 80, netip.AddrPortFrom(v.zone, 81): 81}
	v.nets = map[netip.Prefix]netip.Addr{netip.PrefixFrom(v.addr, 8): v.zone}
	v.url, _ = url.Parse("http://user:pass@host:80/path?q=1#f")
}

func (v *netsPassage) use(print func(...any)) {
	print(v.addr, v.zone, v.zero, v.addr == netip.MustParseAddr("10.0.0.1"), v.zone == netip.MustParseAddr("fe80::1%eth0"), v.zone != netip.MustParseAddr("fe80::1%eth1"), v.zero == netip.Addr{})
	print(v.ports[netip.MustParseAddrPort("10.0.0.1:80")], v.ports[netip.MustParseAddrPort("[fe80::1%eth0]:81")], v.nets[netip.MustParsePrefix("10.0.0.1/8")], v.url, v.url.User.Username())
}

type digestsPassage struct {
	sha, same hash.Hash
	fnv       hash.Hash64
}

func (v *digestsPassage) fill(string) {
	v.sha, v.fnv = sha256.New(), fnv.New64a()
	v.same = v.sha
	io.WriteString(v.sha, strings.Repeat("x", 100))
	io.WriteString(v.fnv, "first")
}

func (v *digestsPassage) use(print func(...any)) {
	io.WriteString(v.sha, "second")
	io.WriteString(v.fnv, "second")
	print(v.sha.Sum(nil), v.fnv.Sum64(), v.sha == v.same)
}
