// Packages of the standard library that set up tables at their first use have them in another process, too.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/cipher"
	"crypto/des"
	"fmt"
	"hash/crc32"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() {
	h, c := crc32.NewIEEE(), crc32.New(crc32.MakeTable(crc32.Castagnoli))
	for range 3 {
		ckp.Checkpoint()
		h.Write([]byte("hello"))
		c.Write([]byte("hello"))
	}
	fmt.Println(h.Sum32(), c.Sum32())

	block, err := des.NewCipher([]byte("8bytekey"))
	fmt.Println(err)
	e, b := cipher.NewCBCEncrypter(block, []byte("initvect")), make([]byte, 8)
	for range 3 {
		ckp.Checkpoint()
		e.CryptBlocks(b, b)
		fmt.Printf("%x\n", b)
	}

	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for i := range 3 {
		ckp.Checkpoint()
		fmt.Fprintln(w, "line", i)
	}
	fmt.Println(w.Close())
	r, err := gzip.NewReader(&packed)
	ckp.Checkpoint()
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		ckp.Checkpoint()
		fmt.Println(lines.Text())
	}
	fmt.Println(err, lines.Err())
}
