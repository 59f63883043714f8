// Markdown turns a document into HTML with goldmark, many times over in one.
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		md := goldmark.New(
			goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.Typographer, extension.DefinitionList),
			goldmark.WithParserOptions(parser.WithAutoHeadingID()))
		err = md.Convert(bytes.Repeat(text, 30), os.Stdout)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
