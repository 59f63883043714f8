package heap

import (
	"bufio"
	"bytes"
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"log"
	"math"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestLibraryValues takes things of the standard library along in the middle of
// their work, and lets original and copy go on.
func TestLibraryValues(t *testing.T) {
	type vars struct {
		ctx  context.Context
		scan *bufio.Scanner
		out  *bufio.Writer
		buf  *bytes.Buffer
		log  *log.Logger
		re   *regexp.Regexp
		big  *big.Int
		list *list.List
		rand *rand.Rand
		pcg  *randv2.Rand
		cha  *randv2.Rand
		sum  hash.Hash
		crc  hash.Hash32
		err  error
		raw  json.RawMessage
		rd   *strings.Reader
		dec  *json.Decoder
	}
	type ctxKey struct{}
	v := &vars{
		ctx:  context.WithValue(context.Background(), ctxKey{}, "value"),
		scan: bufio.NewScanner(strings.NewReader("one two\nthree four\nfive")),
		buf:  new(bytes.Buffer), re: regexp.MustCompile(`(a+)(b|c)*\d{2,3}`), big: new(big.Int).Exp(big.NewInt(7), big.NewInt(300), nil),
		list: list.New(), rand: rand.New(rand.NewSource(4)), pcg: randv2.New(randv2.NewPCG(1, 2)), cha: randv2.New(randv2.NewChaCha8([32]byte{1})),
		sum: sha256.New(), crc: crc32.New(crc32.MakeTable(crc32.Castagnoli)),
		err: fmt.Errorf("wrapped: %w", errors.Join(os.ErrNotExist, errors.New("other"))),
		raw: json.RawMessage(`{"a":1}`), rd: strings.NewReader("hello"),
	}
	v.scan.Split(bufio.ScanWords)
	v.scan.Scan()
	v.out = bufio.NewWriter(v.buf)
	v.out.WriteString("buffered ")
	v.log = log.New(v.out, "prefix ", log.Lmsgprefix)
	v.list.PushBack(1)
	v.list.PushBack("two")
	v.rand.Int()
	v.cha.Uint32()
	v.sum.Write([]byte("first"))
	v.crc.Write([]byte("first"))
	v.rd.ReadByte()
	v.dec = json.NewDecoder(strings.NewReader(`{"x":1} {"x":2}`))
	var first struct{ X int }
	must(t, v.dec.Decode(&first))
	w := again(t, v)
	run := func(v *vars) string {
		var b strings.Builder
		fmt.Fprint(&b, v.ctx.Value(ctxKey{}), " ")
		for v.scan.Scan() {
			fmt.Fprint(&b, v.scan.Text(), ",")
		}
		v.log.Print("logged")
		v.out.Flush()
		fmt.Fprint(&b, v.buf.String(), v.re.FindStringSubmatch("xaabc123"), v.big, v.list.Len(), v.list.Back().Prev().Value)
		fmt.Fprint(&b, v.rand.Int(), v.pcg.Int(), v.cha.Int(), " ")
		v.sum.Write([]byte("second"))
		v.crc.Write([]byte("second"))
		rest := make([]byte, 10)
		n, _ := v.rd.Read(rest)
		fmt.Fprintf(&b, "%x %x %v %v %s %s", v.sum.Sum(nil), v.crc.Sum32(), v.err, errors.Is(v.err, os.ErrNotExist), v.raw, rest[:n])
		var second struct{ X int }
		fmt.Fprint(&b, v.dec.Decode(&second), second.X)
		return b.String()
	}
	a, b := run(v), run(w)
	if a != b {
		t.Fatalf("\n%s\n%s", a, b)
	}
	check(t, strings.Contains(a, "two,three,four,five") && strings.Contains(a, "true"), a)
}

// TestGobDecoder takes a decoder along between two values, of which it has compiled the type.
func TestGobDecoder(t *testing.T) {
	type value struct {
		ID   int
		Tags map[string][]int
		Next *value
	}
	var b bytes.Buffer
	enc := gob.NewEncoder(&b)
	for i := range 3 {
		must(t, enc.Encode(value{i, map[string][]int{"a": {i}}, &value{ID: -i}}))
	}
	v := gob.NewDecoder(&b)
	var x struct{ ID int } // Tags and Next are left out
	must(t, v.Decode(&x))
	var y value
	must(t, v.Decode(&y))
	w := again(t, v)
	for _, d := range []*gob.Decoder{v, w} {
		var z value
		must(t, d.Decode(&z))
		equal(t, value{2, map[string][]int{"a": {2}}, &value{ID: -2}}, z)
	}
}

// TestLongestSlice has slices of elements without size, which can be as long as any number.
func TestLongestSlice(t *testing.T) {
	type vars struct {
		longest []struct{}
		arrays  [][0]*int
	}
	v := &vars{make([]struct{}, math.MaxInt), make([][0]*int, math.MaxInt-1, math.MaxInt)}
	w := again(t, v)
	equal(t, math.MaxInt, len(w.longest))
	equal(t, math.MaxInt-1, len(w.arrays))
	equal(t, math.MaxInt, cap(w.arrays))
	im, err := Parse(imageOf(t, v))
	must(t, err)
	text := im.Roots()[0].Value.String()
	check(t, len(text) < 1000, text)
}
