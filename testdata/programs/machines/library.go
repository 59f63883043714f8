package main

import (
	"bytes"
	"container/heap"
	"container/list"
	"container/ring"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"hash/maphash"
	"io"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

// hashes are in the middle of what they hash.
type hashes struct {
	all  []hash.Hash
	seed maphash.Seed
	seen map[uint64]string // by what maphash makes of a seed
}

func newHashes() *hashes {
	h := &hashes{seed: maphash.MakeSeed(), seen: map[uint64]string{}}
	h.all = []hash.Hash{md5.New(), sha256.New(), sha512.New(), sha3.New256(), crc32.NewIEEE(), crc32.New(crc32.MakeTable(crc32.Castagnoli)),
		crc64.New(crc64.MakeTable(crc64.ECMA)), fnv.New64a(), fnv.New128(), adler32.New()}
	return h
}

func (h *hashes) step(n int) {
	for i, x := range h.all {
		io.WriteString(x, strings.Repeat(pt("some text "), 7*n+i))
	}
	word := fmt.Sprint("word", n)
	h.seen[maphash.String(h.seed, word)] = word
	h.seen[maphash.Comparable(h.seed, key{n: n, s: word})] = word
	h.seen[maphash.Comparable(h.seed, int64(n)<<40)] = word
}

func (h *hashes) end() string {
	s := ""
	for _, x := range h.all {
		s += fmt.Sprintf("%x ", x.Sum(nil))
	}
	for n := range 3 {
		word := fmt.Sprint("word", n)
		s += fmt.Sprint(h.seen[maphash.String(h.seed, word)], h.seen[maphash.Comparable(h.seed, key{n: n, s: word})], h.seen[maphash.Comparable(h.seed, int64(n)<<40)], " ")
	}
	return s
}

type queue []*big.Int

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return pt(q[i]).Cmp(q[j]) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*big.Int)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

type record struct {
	Name string
	N    int
	Size *big.Int
	F    float64
}

// library is what programs commonly keep of the standard library.
type library struct {
	builder strings.Builder
	buffer  bytes.Buffer
	reader  *strings.Reader
	decoder *json.Decoder
	list    *list.List
	ring    *ring.Ring
	queue   queue
	expr    *regexp.Regexp
	text    *template.Template
	ctx     context.Context
	cancel  context.CancelFunc
	err     error
	typ     reflect.Type
	value   reflect.Value
	target  struct {
		b byte
		N int64
	}
	records []record
}

type ctxKey int

func newLibrary() *library {
	l := &library{list: list.New(), ring: ring.New(4), reader: strings.NewReader("first second third fourth"), expr: regexp.MustCompile(`(\w+)-(\d+)|é+`)}
	l.decoder = json.NewDecoder(strings.NewReader(`{"Name":"a","N":-5,"Size":123456789012345678901234567890,"F":0.1} {"Name":"b","N":6} {"N":7}`))
	l.text = template.Must(template.New("t").Funcs(template.FuncMap{"up": strings.ToUpper}).Parse(`{{range $i, $r := .}}{{$i}}{{up .Name}}{{.Size}};{{end}}`))
	l.ctx, l.cancel = context.WithCancel(context.WithValue(context.Background(), ctxKey(3), uintptr(99)))
	l.typ = reflect.TypeFor[map[string][]record]()
	l.value = reflect.ValueOf(&l.target).Elem().Field(1)
	return l
}

func (l *library) step(n int) {
	fmt.Fprintf(&l.builder, "%d,", pt(n))
	l.buffer.WriteString("line\n")
	l.buffer.ReadByte()
	var r record
	check(l.decoder.Decode(&r))
	l.records = append(l.records, r)
	l.list.PushFront(uint(n))
	l.list.PushBack(r)
	l.ring.Value = n
	l.ring = l.ring.Next()
	heap.Push(&l.queue, new(big.Int).Lsh(big.NewInt(int64(5-n)), 60))
	l.err = errors.Join(l.err, fmt.Errorf("step %d: %w", n, io.ErrUnexpectedEOF))
	l.value.SetInt(l.value.Int() + 1<<41)
	if n == 2 {
		l.cancel()
	}
}

func (l *library) end() string {
	var s []any
	for e := l.list.Front(); e != nil; e = e.Next() {
		s = append(s, e.Value)
	}
	l.ring.Do(func(x any) { s = append(s, x) })
	for l.queue.Len() > 0 {
		s = append(s, heap.Pop(&l.queue))
	}
	var word string
	fmt.Fscan(l.reader, &word)
	var out strings.Builder
	check(l.text.Execute(&out, l.records))
	return fmt.Sprint(l.builder.String(), l.buffer.String(), word, out.String(), s, l.err, errors.Is(l.err, io.ErrUnexpectedEOF), l.typ, l.target.N,
		l.expr.FindAllString("x-12 éé y-x z-9", -1), l.ctx.Err(), l.ctx.Value(ctxKey(3)), slices.Max([]int{1, 2}))
}
