package main

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

func zip(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write([]byte(text))
	w.Close()
	return out.String()
}

func decode(seq []byte) string {
	text := make([]byte, len(seq))
	for i, code := range seq {
		text[i] = letters[code]
	}
	return string(text)
}

func TestFASTA(t *testing.T) {
	long := strings.Repeat("ACGTNRYSWKM", 20000)
	for _, test := range []struct{ name, text, id, seq string }{
		{"plain", ">a b c\nACGT\nAC\n", "a", "ACGTAC"},
		{"lower case", ">a\nacgt\nnU", "a", "ACGTNU"},
		{"DOS", ">a b\r\nAC\r\nGT\r\n", "a", "ACGT"},
		{"blank lines", "\n\n>a\tb\n\nAC \n\nGT\n\n", "a", "ACGT"},
		{"no letters", ">a\n", "a", ""},
		{"no line end", ">a", "a", ""},
		{"one long line", ">a\n" + long, "a", long},
		{"pipes", ">gi|1|ref|N.1| x\nA", "gi|1|ref|N.1|", "A"},
	} {
		for form, text := range map[string]string{"plain": test.text, "gzip": zip(test.text)} {
			s, err := parseFASTA("x", strings.NewReader(text))
			if err != nil || s.id != test.id || decode(s.seq) != test.seq {
				t.Errorf("%s, %s: %q %d letters, %v", test.name, form, s.id, len(s.seq), err)
			}
		}
	}
}

// What is no single sequence is refused, with file and line.
func TestFASTAErrors(t *testing.T) {
	zipped := zip(">a\n" + strings.Repeat("ACGTTGCATT", 1000))
	flipped := []byte(zipped)
	flipped[len(flipped)-8] ^= 1 // in the checksum
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "x.fa: empty: there is no FASTA header"},
		{"blank", " \n\n", "x.fa: empty: there is no FASTA header"},
		{"no header", "\nACGT\n", "x.fa:2: not FASTA: a header line that begins with '>' must come first"},
		{"no name", ">\nACGT\n", "x.fa:1: the header does not name the sequence right after '>'"},
		{"name apart", "> a\nACGT\n", "x.fa:1: the header does not name the sequence right after '>'"},
		{"protein", ">a\nACGT\nACEGT\n", "x.fa:3: 'E' in column 3 is no nucleotide: the letters are ATGCSWRYKMBVHDNU"},
		{"gap", ">a\nAC-GT\n", "x.fa:2: '-' in column 3 is no nucleotide: the letters are ATGCSWRYKMBVHDNU"},
		{"binary", ">a\nAC\x00GT\n", `x.fa:2: '\x00' in column 3 is no nucleotide: the letters are ATGCSWRYKMBVHDNU`},
		{"two", ">a\nACGT\n>b\nACGT\n", "x.fa:3: a second sequence begins here: a file must hold a single one"},
		{"gzip of nothing", zip(""), "x.fa: empty: there is no FASTA header"},
		{"gzip header cut", zipped[:5], "x.fa:0: the gzip data end too early: the file is cut off"},
		{"gzip cut", zipped[:len(zipped)-12], "x.fa:2: the gzip data end too early: the file is cut off"},
		{"gzip checksum cut", zipped[:len(zipped)-3], "x.fa:2: the gzip data end too early: the file is cut off"},
		{"gzip checksum", string(flipped), "x.fa:2: bad gzip data: gzip: invalid checksum"},
		{"gzip and more", zipped + "ACGTACGTACGT", "x.fa:2: bad gzip data: gzip: invalid header"},
	} {
		_, err := parseFASTA("x.fa", strings.NewReader(test.text))
		want := strings.Replace(test.want, ":0:", ":", 1)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, but expected %s", test.name, err, want)
		}
	}
	if _, err := readFASTA("no/such.fa"); err == nil || !strings.Contains(err.Error(), "no/such.fa") {
		t.Errorf("missing file: %v", err)
	}
}
