// Singletons compares what packages of the standard library give to everybody, and what there is but once, with what
// they gave before a checkpoint.
package main

import (
	"compress/flate"
	"compress/lzw"
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hpke"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"hash/crc32"
	"hash/crc64"
	"html/template"
	"image"
	"image/color"
	"image/color/palette"
	"io"
	"log"
	"math/big"
	"os"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	texttemplate "text/template"
	"time"
	"unicode"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// all returns everything by its name.
func all() map[string]any {
	m := map[string]any{
		"P224": elliptic.P224(), "P256": elliptic.P256(), "P384": elliptic.P384(), "P521": elliptic.P521(),
		"params":         elliptic.P256().Params(),
		"params of P224": elliptic.P224().Params(), "params of P521": elliptic.P521().Params(),
		"ecdh P256": ecdh.P256(), "ecdh P384": ecdh.P384(), "ecdh P521": ecdh.P521(), "ecdh X25519": ecdh.X25519(),
		"rand.Reader": rand.Reader,
		"base64":      base64.StdEncoding, "base64 raw": base64.RawURLEncoding, "base32": base32.HexEncoding,
		"byte order": binary.BigEndian, "native": binary.NativeEndian,
		"crc32": crc32.IEEETable, "crc32 made": crc32.MakeTable(crc32.IEEE), "Castagnoli": crc32.MakeTable(crc32.Castagnoli),
		"crc64 ISO": crc64.MakeTable(crc64.ISO), "crc64 ECMA": crc64.MakeTable(crc64.ECMA),
		"Latin": unicode.Latin, "Lu": unicode.Categories["Lu"], "script": unicode.Scripts["Greek"], "White_Space": unicode.White_Space,
		"property": unicode.Properties["Dash"], "fold": unicode.FoldScript["Common"], "alias": unicode.CategoryAliases["Letter"],
		"one hour": time.FixedZone("", 3600), "west": time.FixedZone("", -5*3600), "UTC": time.UTC, "Local": time.Local,
		"location":   time.Now().Location(),
		"background": context.Background(), "TODO": context.TODO(), "Canceled": context.Canceled, "deadline": context.DeadlineExceeded,
		"EOF": io.EOF, "Discard": io.Discard, "skip": errors.ErrUnsupported,
		"logger": log.Default(),
		"black":  image.Black, "opaque": image.Opaque, "model": color.RGBAModel, "white": color.White, "plan 9": palette.Plan9[3],
		"Universe": types.Universe, "unsafe": types.Unsafe, "int": types.Typ[types.Int], "untyped nil": types.Typ[types.UntypedNil],
		"constant": constant.MakeBool(true), "unknown": constant.MakeUnknown(),
		"type": reflect.TypeFor[big.Int](), "func type": reflect.TypeOf(fmt.Println),
		"standard error": os.Stderr, "not there": os.ErrNotExist,
		"bad regexp": syntax.ErrMissingParen, "build": &build.Default,
		"KEM": hpke.DHKEM(ecdh.P384()), "hybrid": hpke.MLKEM768X25519(), "AEAD": hpke.ChaCha20Poly1305(), "KDF": hpke.HKDFSHA384(),
	}
	for _, name := range types.Universe.Names() {
		obj := types.Universe.Lookup(name)
		m["universe "+name] = obj
		m["type of "+name] = obj.Type()
		if obj.Type() != nil && obj.Type().Underlying() != nil {
			m["underlying "+name] = obj.Type().Underlying()
		}
	}
	for i, t := range types.Typ {
		m[fmt.Sprint("typ ", i)] = t
	}
	return m
}

func same(x, y any) bool {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(e)
		}
	}()
	return x == y
}

func compare(was map[string]any) {
	var names []string
	for name := range was {
		names = append(names, name)
	}
	slices.Sort(names)
	is := all()
	for _, name := range names {
		if !same(was[name], is[name]) {
			fmt.Println(name, "is another")
		}
	}
	fmt.Println(len(names), "compared")
}

// typed is what a program keeps that looks at programs.
func typed(text string) (*types.Package, *types.Info) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		panic(err)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object)}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		panic(err)
	}
	return pkg, info
}

const text = `package p

type E struct{ x any }
func (E) Error() string { return "" }
type list[T comparable] []T
func f(e error, b byte, r rune, x any, s ...string) (int, bool) { return len(s), x == nil && b == 'b' && r == 'r' }
var v, w = f(E{}, 'b', 'r', nil, "s")
`

func main() {
	was := all()
	ckp.Checkpoint()
	compare(was)

	pkg, _ := typed(text)
	ckp.Checkpoint()
	again, _ := typed(text)
	for _, name := range pkg.Scope().Names() {
		x, y := pkg.Scope().Lookup(name).Type(), again.Scope().Lookup(name).Type()
		fmt.Println(name, x, types.Identical(x.Underlying(), y.Underlying()))
	}
	errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	e := pkg.Scope().Lookup("E").Type()
	ckp.Checkpoint()
	fmt.Println(types.Implements(e, errorType), types.Implements(pkg.Scope().Lookup("f").Type().(*types.Signature).Params().At(0).Type(), errorType))

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ckp.Checkpoint()
	digest := sha256.Sum256([]byte("text"))
	signature, err2 := ecdsa.SignASN1(rand.Reader, key, digest[:])
	fmt.Println(err, err2, err2 == nil && ecdsa.VerifyASN1(&key.PublicKey, digest[:], signature), key.Curve == elliptic.P256())
	one, err := ecdh.X25519().GenerateKey(rand.Reader)
	other, err2 := ecdh.X25519().GenerateKey(rand.Reader)
	fmt.Println(err, err2)
	ckp.Checkpoint()
	s1, err := one.ECDH(other.PublicKey())
	third, err2 := ecdh.X25519().GenerateKey(rand.Reader)
	s2, err3 := other.ECDH(one.PublicKey())
	_, err4 := third.ECDH(one.PublicKey())
	fmt.Println(err, err2, err3, err4, string(s1) == string(s2), one.Curve() == ecdh.X25519(), one.Equal(one))

	at, err := time.Parse(time.RFC3339, "2024-02-03T04:05:06+01:00")
	ckp.Checkpoint()
	at2, err2 := time.Parse(time.RFC3339, "2024-02-03T04:05:06+01:00")
	fmt.Println(err, err2, at.Equal(at2), at)

	re := regexp.MustCompile(`(\w+) (?i:x)$`)
	tt := texttemplate.Must(texttemplate.New("t").Parse(`{{range .}}{{printf "%03d" .}} {{end}}`))
	ckp.Checkpoint()
	var b strings.Builder
	fmt.Println(re.FindStringSubmatch("word X"), tt.Execute(&b, []int{1, 2}), b.String())

	page := template.Must(template.New("t").Parse("<a href={{.}}>{{.}}</a> "))
	fmt.Println(page.Execute(&b, "x&y"))
	fw, _ := flate.NewWriter(&b, 1)
	lw := lzw.NewWriter(io.Discard, lzw.LSB, 8)
	fmt.Println(fw.Close(), lw.Close())
	ckp.Checkpoint()
	fmt.Println(page.Execute(&b, "x&y"), fw.Close(), lw.Close(), b.String())
}
