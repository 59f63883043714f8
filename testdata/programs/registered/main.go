// Registered hands things to packages of the standard library that keep them in variables of their own, and uses them after
// a checkpoint.
package main

import (
	"archive/zip"
	"bytes"
	"crypto"
	"database/sql"
	"database/sql/driver"
	"encoding/gob"
	"errors"
	"expvar"
	"fmt"
	"hash"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"io"
	"mime"
	"slices"
	"strconv"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type shape interface{ area() int }

type (
	square struct{ Side int }
	rect   struct{ W, H int }
	group  struct {
		Name   string
		Shapes []shape
		Inner  *group
		Sizes  map[string]square
	}
	late struct {
		Text string
		List []rect
	}
)

func (s square) area() int { return s.Side * s.Side }
func (r rect) area() int   { return r.W * r.H }

func init() { gob.Register(square{}) }

// gobs writes and reads one stream with checkpoints in between.
func gobs() {
	var b bytes.Buffer
	e := gob.NewEncoder(&b)
	fmt.Println(e.Encode(group{Name: "first", Shapes: []shape{square{2}}, Sizes: map[string]square{"x": {3}}}))
	ckp.Checkpoint()
	gob.Register(rect{})
	gob.RegisterName("another name", late{})
	ckp.Checkpoint()
	fmt.Println(e.Encode(late{"second", []rect{{1, 2}}}))
	ckp.Checkpoint()
	fmt.Println(e.Encode(group{Name: "third", Shapes: []shape{rect{2, 3}, square{4}}, Inner: &group{Name: "inner"}}))
	fmt.Println(e.Encode(map[string]any{"a": late{"in an interface", nil}, "b": 7}))
	ckp.Checkpoint()
	fmt.Println(e.Encode([]string{"fifth"}), b.Len())

	var g, h group
	var l late
	var m map[string]any
	var s []string
	d := gob.NewDecoder(&b)
	fmt.Println(d.Decode(&g), g)
	fmt.Println(d.Decode(&l), l)
	fmt.Println(d.Decode(&h), h.Name, h.Shapes, h.Inner.Name)
	fmt.Println(d.Decode(&m), m)
	fmt.Println(d.Decode(&s), s)

	// Types of other names and numbers than those that the encoder knows.
	var again bytes.Buffer
	second := gob.NewEncoder(&again)
	ckp.Checkpoint()
	fmt.Println(second.Encode(rect{5, 6}), again.Len())
	var r rect
	ckp.Checkpoint()
	fmt.Println(gob.NewDecoder(&again).Decode(&r), r)
}

func types() {
	ckp.Checkpoint()
	fmt.Println(mime.AddExtensionType(".Ckp", "application/x-ckp"), mime.AddExtensionType(".two", "application/x-ckp"))
	ckp.Checkpoint()
	fmt.Println(mime.TypeByExtension(".ckp"), mime.TypeByExtension(".Ckp"), mime.TypeByExtension(".html"))
	list, err := mime.ExtensionsByType("application/x-ckp")
	fmt.Println(list, err)
}

// The format is a letter, the width and the height.
func decodeConfig(r io.Reader) (image.Config, error) {
	b, err := io.ReadAll(r)
	if err != nil || len(b) != 3 {
		return image.Config{}, errors.New("no image")
	}
	return image.Config{ColorModel: color.GrayModel, Width: int(b[1]), Height: int(b[2])}, nil
}

func images() {
	name := "letters"
	image.RegisterFormat(name, "L", func(r io.Reader) (image.Image, error) { return nil, errors.New("no " + name) }, decodeConfig)
	ckp.Checkpoint()
	c, format, err := image.DecodeConfig(strings.NewReader("L\x02\x03"))
	fmt.Println(c.Width, c.Height, c.ColorModel == color.GrayModel, format, err)
	_, format, err = image.Decode(strings.NewReader("L"))
	fmt.Println(format, err)
	var b bytes.Buffer
	fmt.Println(png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))))
	ckp.Checkpoint()
	_, format, err = image.DecodeConfig(&b)
	fmt.Println(format, err)
}

type stored struct{ w io.Writer }

func (s stored) Write(b []byte) (int, error) {
	for i := range b {
		b[i] ^= 0x55
	}
	return s.w.Write(b)
}
func (stored) Close() error { return nil }

func archives() {
	count := 0
	zip.RegisterCompressor(99, func(w io.Writer) (io.WriteCloser, error) { count++; return stored{w}, nil })
	zip.RegisterDecompressor(99, func(r io.Reader) io.ReadCloser {
		b, _ := io.ReadAll(r)
		var out bytes.Buffer
		stored{&out}.Write(b)
		return io.NopCloser(&out)
	})
	ckp.Checkpoint()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateHeader(&zip.FileHeader{Name: "x", Method: 99})
	fmt.Println(err)
	fmt.Fprint(f, "in the archive")
	fmt.Println(w.Close(), count)
	ckp.Checkpoint()
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	fmt.Println(err)
	file, err := r.File[0].Open()
	fmt.Println(err)
	text, err := io.ReadAll(file)
	fmt.Println(string(text), err)
}

type database struct{ opened []string }

func (d *database) Open(name string) (driver.Conn, error) {
	d.opened = append(d.opened, name)
	ckp.Checkpoint()
	return nil, errors.New("no connection to " + name)
}

func databases() {
	d := new(database)
	sql.Register("none", d)
	ckp.Checkpoint()
	fmt.Println(sql.Drivers())
	db, err := sql.Open("none", "here")
	fmt.Println(err)
	fmt.Println(db.Driver() == driver.Driver(d))
	fmt.Println(db.Close(), d.opened)
}

var hits = expvar.NewInt("hits")

func variables() {
	names := expvar.NewMap("names")
	hits.Add(1)
	names.Add("a", 2)
	expvar.Publish("computed", expvar.Func(func() any { return hits.Value() * 10 }))
	ckp.Checkpoint()
	hits.Add(1)
	names.Add("b", 3)
	ckp.Checkpoint()
	fmt.Println(expvar.Get("hits"), expvar.Get("names"), expvar.Get("computed"), expvar.Get("hits") == expvar.Var(hits))
	var list []string
	expvar.Do(func(kv expvar.KeyValue) { list = append(list, kv.Key) })
	fmt.Println(list)

	// Checkpoints are taken in variables of the program, and in loops over them, when package expvar has its lock.
	expvar.Publish("late", expvar.Func(func() any { ckp.Checkpoint(); return 3 }))
	names.Set("power", power(4))
	names.Do(func(kv expvar.KeyValue) { ckp.Checkpoint(); fmt.Println(kv.Key, kv.Value) })
	expvar.Do(func(kv expvar.KeyValue) {
		ckp.Checkpoint()
		if kv.Key == "late" || kv.Key == "names" {
			fmt.Println(kv.Key, kv.Value)
		}
	})
	expvar.NewInt("last").Add(1) // the lock is free again
	fmt.Println(expvar.Get("last"))
}

type power int

func (p power) String() string { ckp.Checkpoint(); return strconv.Itoa(int(p * p)) }

func hashes() {
	const ours = crypto.Hash(10) // RIPEMD160, which the standard library has not
	crypto.RegisterHash(ours, func() hash.Hash { return fnv.New128() })
	ckp.Checkpoint()
	h := ours.New()
	h.Write([]byte("text"))
	fmt.Printf("%v %x %v\n", ours.Available(), h.Sum(nil), crypto.SHA256.Available())
}

func main() {
	gobs()
	types()
	images()
	archives()
	databases()
	variables()
	hashes()
	handlers()
	assigned()
	swapped()
	ckp.Checkpoint()
	fmt.Println(mime.TypeByExtension(".two"), slices.Contains(sql.Drivers(), "none"))
}
