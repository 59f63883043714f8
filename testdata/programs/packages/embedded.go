package main

import (
	"embed"
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

//go:embed second.go
var text string

//go:embed second.go
var data []byte

//go:embed second.go
var files embed.FS

// What is embedded is like any other variable.
func embedded() {
	text = text[:7]
	data[0] = 'P'
	rest := data[1:]
	ckp.Checkpoint()
	rest[0] = 'A'
	list, err := files.ReadDir(".")
	ckp.Checkpoint()
	fmt.Println(text, string(data[:7]), len(list), err)
}
