// Plumbing takes checkpoints in readers and writers of the program's, and in other functions of it, that packages of
// the standard library call which convert, compress, pack and draw.
package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"container/ring"
	"context"
	"crypto/cipher"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/gob"
	"encoding/hex"
	"encoding/pem"
	"encoding/xml"
	"fmt"
	goscanner "go/scanner"
	"go/token"
	"hash/crc32"
	htmltemplate "html/template"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"index/suffixarray"
	"io"
	"log/slog"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"os"
	"strings"
	"sync"
	"testing/iotest"
	"text/scanner"
	"text/template"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A source is read in pieces, with a checkpoint in each.
type source struct {
	text string
	step int
}

func (s *source) Read(b []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	ckp.Checkpoint()
	n := copy(b[:min(len(b), s.step)], s.text)
	s.text = s.text[n:]
	return n, nil
}

// A sink sums up what is written to it.
type sink struct {
	buf   bytes.Buffer
	calls int
}

func (s *sink) Write(b []byte) (int, error) {
	ckp.Checkpoint()
	s.calls++
	return s.buf.Write(b)
}

func (s *sink) tell(name string, err error) {
	fmt.Println(name, s.buf.Len(), crc32.ChecksumIEEE(s.buf.Bytes()), s.calls, err)
}

func read(name string, r io.Reader) {
	b, err := io.ReadAll(r)
	fmt.Println(name, len(b), crc32.ChecksumIEEE(b), err)
}

// A pattern is an image that computes its points.
type pattern struct{ size int }

func (p pattern) ColorModel() color.Model { return color.RGBAModel }
func (p pattern) Bounds() image.Rectangle { return image.Rect(0, 0, p.size, p.size) }
func (p pattern) At(x, y int) color.Color {
	if x == 0 {
		ckp.Checkpoint()
	}
	return color.RGBA{uint8(x * 30), uint8(y * 30), uint8(x ^ y), 255}
}

// A handler is one of log/slog.
type handler struct{ prefix string }

func (h handler) Enabled(context.Context, slog.Level) bool { ckp.Checkpoint(); return true }
func (h handler) Handle(_ context.Context, r slog.Record) error {
	ckp.Checkpoint()
	fmt.Print(h.prefix, r.Message)
	r.Attrs(func(a slog.Attr) bool { ckp.Checkpoint(); fmt.Print(" ", a); return true })
	fmt.Println()
	return nil
}
func (h handler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h handler) WithGroup(name string) slog.Handler { return handler{h.prefix + name + "."} }

type celsius int

func (c celsius) MarshalText() ([]byte, error) {
	ckp.Checkpoint()
	return fmt.Appendf(nil, "%d C", int(c)), nil
}

func (c *celsius) UnmarshalText(b []byte) error {
	ckp.Checkpoint()
	_, err := fmt.Sscanf(string(b), "%d C", (*int)(c))
	return err
}

// A mask is a cipher.
type mask byte

func (m mask) XORKeyStream(dst, src []byte) {
	ckp.Checkpoint()
	for i, b := range src {
		dst[i] = b ^ byte(m)
	}
}

var text = strings.Repeat("the quick brown fox jumps over the lazy dog. ", 20)

func main() {
	compress()
	convert()
	pack()
	pictures()
	copied()
	others()
}

func compress() {
	for _, c := range []struct {
		name  string
		write func(io.Writer) io.WriteCloser
		read  func(io.Reader) (io.Reader, error)
	}{
		{"flate", func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 6); return f }, func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil }},
		{"gzip", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"zlib", func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
		{"lzw", func(w io.Writer) io.WriteCloser { return lzw.NewWriter(w, lzw.LSB, 8) }, func(r io.Reader) (io.Reader, error) { return lzw.NewReader(r, lzw.LSB, 8), nil }},
	} {
		var s sink
		w := c.write(&s)
		_, err := io.Copy(w, &source{text, 200})
		w.Close()
		s.tell(c.name, err)
		r, err := c.read(&source{s.buf.String(), 50})
		if err != nil {
			fmt.Println(err)
			continue
		}
		read(c.name, r)
	}
	packed, _ := hex.DecodeString("425a683931415926535994f5f3e60000019580400040002804400020002205348669a0800a3f177245385090" + "94f5f3e6")
	b, err := io.ReadAll(bzip2.NewReader(&source{string(packed), 7}))
	fmt.Println("bzip2", len(b), crc32.ChecksumIEEE(b), err)
}

func convert() {
	var s sink
	e := base64.NewEncoder(base64.StdEncoding, &s)
	e.Write([]byte(text[:50]))
	e.Close()
	s.tell("base64", nil)
	read("base64", base64.NewDecoder(base64.StdEncoding, &source{s.buf.String(), 10}))

	s = sink{}
	e = base32.NewEncoder(base32.StdEncoding, &s)
	e.Write([]byte(text[:50]))
	e.Close()
	read("base32", base32.NewDecoder(base32.StdEncoding, &source{s.buf.String(), 10}))

	s = sink{}
	e = ascii85.NewEncoder(&s)
	e.Write([]byte(text[:50]))
	e.Close()
	read("ascii85", ascii85.NewDecoder(&source{s.buf.String(), 10}))

	s = sink{}
	hex.NewEncoder(&s).Write([]byte(text[:50]))
	read("hex", hex.NewDecoder(&source{s.buf.String(), 10}))
	d := hex.Dumper(&s)
	d.Write([]byte(text[:40]))
	d.Close()
	s.tell("dumper", nil)

	s = sink{}
	err := binary.Write(&s, binary.LittleEndian, []uint32{1, 2, 3})
	s.tell("binary", err)
	var three [3]uint32
	err = binary.Read(&source{s.buf.String(), 5}, binary.LittleEndian, &three)
	fmt.Println(three, err)
	n, err := binary.ReadUvarint(bufio.NewReader(&source{"\xac\x02", 1}))
	fmt.Println(n, err)

	s = sink{}
	w := csv.NewWriter(&s)
	w.Write([]string{"a", "b c", `d"e`})
	w.Flush()
	rows, err := csv.NewReader(&source{s.buf.String() + "x,y,z\n", 4}).ReadAll()
	fmt.Println(rows, err)

	s = sink{}
	s.tell("pem", pem.Encode(&s, &pem.Block{Type: "TEXT", Headers: map[string]string{"a": "b"}, Bytes: []byte(text[:60])}))

	s = sink{}
	q := quotedprintable.NewWriter(&s)
	q.Write([]byte("naïve = yes"))
	q.Close()
	read("quoted", quotedprintable.NewReader(&source{s.buf.String(), 3}))

	header, err := textproto.NewReader(bufio.NewReader(&source{"A: b\r\nC: d\r\n\r\n", 3})).ReadMIMEHeader()
	fmt.Println(header, err)

	s = sink{}
	enc := xml.NewEncoder(&s)
	err = enc.Encode(struct {
		XMLName xml.Name `xml:"day"`
		Low     celsius  `xml:"low,attr"`
		High    []celsius
	}{Low: 3, High: []celsius{7, 9}})
	fmt.Println(s.buf.String(), err)
	var day struct {
		Low  celsius `xml:"low,attr"`
		High []celsius
	}
	fmt.Println(xml.NewDecoder(&source{s.buf.String(), 9}).Decode(&day), day)

	s = sink{}
	err = gob.NewEncoder(&s).Encode(map[string]celsius{"x": 4})
	var got map[string]celsius
	fmt.Println(gob.NewDecoder(&source{s.buf.String(), 9}).Decode(&got), got, err)

	s = sink{}
	err = gob.NewEncoder(&s).Encode(week{First: [2]kelvin{1, 2}, Rest: &week{First: [2]kelvin{3, 4}}})
	var weeks week
	fmt.Println(gob.NewDecoder(&source{s.buf.String(), 9}).Decode(&weeks), weeks.First, *weeks.Rest, err)
}

type week struct {
	First [2]kelvin
	Rest  *week
}

type kelvin float64

func (k kelvin) MarshalBinary() ([]byte, error) { return celsius(k - 273).MarshalText() }

func (k *kelvin) UnmarshalBinary(b []byte) error {
	var c celsius
	err := c.UnmarshalText(b)
	*k = kelvin(c) + 273
	return err
}

func pack() {
	var s sink
	w := tar.NewWriter(&s)
	w.WriteHeader(&tar.Header{Name: "one", Size: 5, Mode: 0o600})
	io.Copy(w, &source{"12345", 2})
	s.tell("tar", w.Close())
	r := tar.NewReader(&source{s.buf.String(), 300})
	h, err := r.Next()
	fmt.Println(h.Name, err)
	read("tar", r)

	s = sink{}
	z := zip.NewWriter(&s)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		ckp.Checkpoint()
		return flate.NewWriter(w, flate.BestSpeed)
	})
	f, err := z.Create("two")
	io.Copy(f, &source{text, 99})
	fmt.Println(err, z.Close(), s.buf.Len(), s.calls)
	zr, err := zip.NewReader(strings.NewReader(s.buf.String()), int64(s.buf.Len()))
	fmt.Println(err)
	for _, file := range zr.File {
		rc, err := file.Open()
		fmt.Println(file.Name, err)
		read("zip", rc)
	}

	s = sink{}
	m := multipart.NewWriter(&s)
	m.SetBoundary("boundary")
	form, err := m.CreateFormFile("field", "x.txt")
	if err == nil {
		io.WriteString(form, text)
		err = m.Close()
	}
	s.tell("multipart", err)

	s = sink{}
	_, err = io.WriteString(cipher.StreamWriter{S: mask(3), W: &s}, text)
	s.tell("cipher", err)
	read("plain", cipher.StreamReader{S: mask(3), R: &source{s.buf.String(), 300}})
}

// copied has files at the ends of copies, for which package os has methods of its own.
func copied() {
	const name = "copied.txt"
	f, err := os.Create(name)
	fmt.Println(err)
	fmt.Println(io.Copy(f, &source{text, 99}))
	fmt.Println(io.Copy(f, io.LimitReader(&source{text, 50}, 120)))
	w := bufio.NewWriter(f)
	fmt.Println(w.ReadFrom(&source{text, 99}))
	fmt.Println(f.Close())

	f, err = os.Open(name)
	fmt.Println(err)
	var s sink
	n, err := io.Copy(&s, f)
	s.tell(fmt.Sprint("copied ", n), err)
	_, err = f.Seek(100, io.SeekStart)
	fmt.Println(err)
	s = sink{}
	n, err = bufio.NewReader(f).WriteTo(&s)
	s.tell(fmt.Sprint("rest ", n), err)
	fmt.Println(f.Close(), os.Remove(name))
}

func pictures() {
	p := pattern{8}
	var s sink
	s.tell("png", png.Encode(&s, p))
	decoded, err := png.Decode(&source{s.buf.String(), 30})
	fmt.Println(decoded.At(3, 4), err)
	s = sink{}
	s.tell("gif", gif.Encode(&s, p, nil))
	_, err = gif.Decode(&source{s.buf.String(), 100})
	fmt.Println(err)
	s = sink{}
	s.tell("jpeg", jpeg.Encode(&s, p, nil))
	_, err = jpeg.Decode(&source{s.buf.String(), 100})
	fmt.Println(err)
	dst := image.NewRGBA(image.Rect(0, 0, 4, 4))
	draw.Draw(dst, dst.Bounds(), p, image.Point{}, draw.Over)
	fmt.Println(crc32.ChecksumIEEE(dst.Pix))
	dst.Set(1, 2, tint(7))
	inverse := color.ModelFunc(func(c color.Color) color.Color {
		ckp.Checkpoint()
		r, g, b, _ := c.RGBA()
		return color.RGBA{^uint8(r), ^uint8(g), ^uint8(b), 255}
	})
	fmt.Println(dst.At(1, 2), inverse.Convert(tint(2)), color.Palette{color.White, tint(3), color.Black}.Index(tint(4)))
}

// A tint is a color that is computed, which conversions of package image/color and pictures of package image ask for.
type tint uint8

func (t tint) RGBA() (r, g, b, a uint32) {
	ckp.Checkpoint()
	return uint32(t) * 0x1111, uint32(t) * 0x111, 0, 0xffff
}

func others() {
	fmt.Println(os.Expand("$a ${b} c", func(name string) string { ckp.Checkpoint(); return strings.ToUpper(name) }))

	pool := sync.Pool{New: func() any { ckp.Checkpoint(); return new(int) }}
	n := pool.Get().(*int)
	*n++
	fmt.Println(*n)

	r := ring.New(3)
	for i := range 3 {
		r.Value = i
		r = r.Next()
	}
	r.Do(func(v any) { ckp.Checkpoint(); fmt.Print(v, " ") })
	fmt.Println()

	logger := slog.New(handler{"> "}).WithGroup("g")
	logger.Info("hello", "n", 1, "s", "x")

	var sc scanner.Scanner
	sc.Init(&source{"x := 3 // three", 4})
	for tok := sc.Scan(); tok != scanner.EOF; tok = sc.Scan() {
		fmt.Print(sc.TokenText(), "|")
	}
	fmt.Println()

	index := suffixarray.New([]byte("banana"))
	var s sink
	fmt.Println(index.Write(&s), len(index.Lookup([]byte("an"), -1)))
	var again suffixarray.Index
	fmt.Println(again.Read(&source{s.buf.String(), 9}), len(again.Lookup([]byte("na"), -1)))

	read("halves", iotest.HalfReader(&source{text[:40], 30}))

	t := template.Must(template.New("t").Parse("{{range .}}<{{.}}>{{end}}\n"))
	s = sink{}
	s.tell("template", t.Execute(&s, []int{1, 2, 3}))
	h := htmltemplate.Must(htmltemplate.New("h").Parse("{{range .}}<b>{{.}}</b>{{end}}{{define \"one\"}}<i>{{.}}</i>{{end}}\n"))
	s.tell("page", h.Execute(&s, []string{"a", "<", "c"}))
	s.tell("part of a page", h.ExecuteTemplate(&s, "one", "&"))

	fset := token.NewFileSet()
	src := []byte("a := 'xx'")
	var gs goscanner.Scanner
	gs.Init(fset.AddFile("x.go", -1, len(src)), src, func(pos token.Position, msg string) { ckp.Checkpoint(); fmt.Println(pos, msg) }, 0)
	for _, tok, _ := gs.Scan(); tok != token.EOF; _, tok, _ = gs.Scan() {
		fmt.Print(tok, " ")
	}
	fmt.Println()
}
