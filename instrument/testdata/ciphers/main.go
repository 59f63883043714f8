// Ciphers has, at its one checkpoint, what package crypto keeps in another way on each machine.
package main

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rsa"
	"crypto/sha256"
	"fmt"
	"os"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() {
	switch os.Getenv("HOW") {
	case "aes":
		b, err := aes.NewCipher([]byte("sixteen bytes!!!"))
		check(err)
		ckp.Checkpoint()
		text := []byte("a block of bytes")
		b.Encrypt(text, text)
		fmt.Printf("%x\n", text)
	case "gcm":
		b, err := aes.NewCipher([]byte("sixteen bytes!!!"))
		check(err)
		g, err := cipher.NewGCM(b)
		check(err)
		ckp.Checkpoint()
		fmt.Printf("%x\n", g.Seal(nil, make([]byte, 12), []byte("text"), nil))
	case "rsa":
		k, err := rsa.GenerateKey(nil, 2048)
		check(err)
		sum := sha256.Sum256([]byte("text"))
		ckp.Checkpoint()
		s, err := rsa.SignPKCS1v15(nil, k, crypto.SHA256, sum[:])
		check(err)
		public := rsa.PublicKey{N: k.N, E: k.E} // without what was computed before
		check(rsa.VerifyPKCS1v15(&public, crypto.SHA256, sum[:], s))
		fmt.Println("signed")
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
