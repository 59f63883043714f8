package heap

import (
	"bytes"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

type ringNode struct {
	next *ringNode
	n    int32
}

// TestDocumentedImage compares the hex dump in the package documentation with
// the image that it describes.
func TestDocumentedImage(t *testing.T) {
	var place struct { // objects are in the order of their addresses
		head *ringNode
		node ringNode
	}
	place.head = &place.node
	place.node = ringNode{next: place.head, n: 7}
	s, err := Capture([]Root{{"head", &place.head}}, Options{})
	must(t, err)
	var b bytes.Buffer
	_, err = s.WriteTo(&b)
	must(t, err)
	doc, err := os.ReadFile("doc.go")
	must(t, err)
	var dump []byte
	for line := range strings.Lines(string(doc)) {
		line, ok := strings.CutPrefix(line, "//\t0x")
		if !ok {
			continue
		}
		_, line, _ = strings.Cut(line, "  ")
		line, _, _ = strings.Cut(line, "  ")
		x, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(line), " ", ""))
		must(t, err)
		dump = append(dump, x...)
	}
	if !bytes.Equal(dump, b.Bytes()) {
		t.Fatalf("the documentation has\n%sthe image is\n%s", hex.Dump(dump), hex.Dump(b.Bytes()))
	}
}
