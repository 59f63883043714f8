package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"go/build"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// ones is a source of random numbers that are none.
type ones struct{ n byte }

func (r *ones) Read(b []byte) (int, error) {
	for i := range b {
		r.n++
		b[i] = r.n
	}
	return len(b), nil
}

var source = &ones{}

func init() {
	rand.Reader = source
	base64.StdEncoding = base64.StdEncoding.WithPadding('#')
}

// stub answers requests without a network.
type stub struct{ requests []string }

func (s *stub) RoundTrip(r *http.Request) (*http.Response, error) {
	s.requests = append(s.requests, r.URL.Path)
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(fmt.Sprint("answer ", len(s.requests)))), Request: r}, nil
}

func get(path string) {
	r, err := http.Get("http://example.org" + path)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := io.ReadAll(r.Body)
	fmt.Println(r.StatusCode, string(b), err)
}

// swap gives a variable another value, and returns a function that gives it back what it had.
func swap[T any](p *T, x T) func() {
	old := *p
	*p = x
	return func() { *p = old }
}

// swapped gives variables of the standard library other values through their addresses.
func swapped() {
	before, tools := http.ErrNoCookie, build.ToolDir
	restore := []func(){swap(&http.ErrNoCookie, errors.New("swapped")), swap(&build.ToolDir, "swapped, too")}
	ckp.Checkpoint()
	fmt.Println(http.ErrNoCookie, http.ErrNoCookie == before, build.ToolDir)
	for _, f := range restore {
		f()
	}
	ckp.Checkpoint()
	fmt.Println(http.ErrNoCookie, http.ErrNoCookie == before, build.ToolDir == tools)
}

// assigned gives variables of the standard library other values, which they have after a checkpoint.
func assigned() {
	transport, before := &stub{}, http.DefaultTransport
	ckp.Checkpoint()
	client := http.DefaultClient
	http.DefaultTransport = transport
	client.Timeout = time.Minute
	http.DefaultClient.Jar = nil
	was := io.EOF
	io.EOF = fmt.Errorf("the end of %w", was)
	io.EOF, was = was, io.EOF
	ckp.Checkpoint()
	get("/a")
	ckp.Checkpoint()
	get("/b")
	fmt.Println(transport.requests, http.DefaultTransport == http.RoundTripper(transport), client == http.DefaultClient, client.Timeout, was)

	http.DefaultTransport = before
	ckp.Checkpoint()
	_, ok := http.DefaultTransport.(*http.Transport)
	fmt.Println(ok, http.DefaultTransport == before)

	build.Default.GOOS, build.Default.BuildTags = "plan9", []string{"tag"}
	c := &build.Default
	xml.HTMLEntity["checkpoint"] = "saved"
	net.DefaultResolver.PreferGo = true
	ckp.Checkpoint()
	build.Default.GOARCH = "386"
	fmt.Println(build.Default.GOOS, build.Default.BuildTags, c.GOARCH, c == &build.Default, len(c.ReleaseTags) > 10)
	d := xml.NewDecoder(strings.NewReader("<a>&checkpoint;&copy;</a>"))
	d.Entity = xml.HTMLEntity
	ckp.Checkpoint()
	var text string
	fmt.Println(d.Decode(&text), text, net.DefaultResolver.PreferGo)

	n, err := rand.Int(rand.Reader, big.NewInt(1000))
	ckp.Checkpoint()
	m, err2 := rand.Int(rand.Reader, big.NewInt(1000))
	fmt.Println(n, err, m, err2, source.n, rand.Reader == io.Reader(source))
	fmt.Println(base64.StdEncoding.EncodeToString([]byte("a")))
	_, err = io.ReadFull(strings.NewReader(""), make([]byte, 1))
	fmt.Println(err == io.EOF, err)
}
