package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// A sequence is a record of a FASTA file: its letters as codes, and the first word of its header.
type sequence struct {
	id  string
	seq []byte
}

// fastaError is what is wrong with a FASTA file, and where.
type fastaError struct {
	name string
	line int // counts from 1; 0 is the file as a whole
	what string
}

func (e *fastaError) Error() string {
	if e.line == 0 {
		return e.name + ": " + e.what
	}
	return fmt.Sprintf("%s:%d: %s", e.name, e.line, e.what)
}

// readFASTA reads the only sequence of a file in FASTA format, plain or gzip.
func readFASTA(path string) (sequence, error) {
	file, err := os.Open(path)
	if err != nil {
		return sequence{}, err
	}
	defer file.Close()
	return parseFASTA(path, file)
}

// parseFASTA reads the only sequence of the text in FASTA format, plain or gzip, told apart by its
// first bytes:
//
//	>ID anything else
//	ACGT...
//
// Letters are the nucleotide codes of IUPAC, upper or lower case, on any number of lines; blank
// lines, and blanks at the end of a line, do not count. A sequence may have no letters. A file of
// several sequences is refused, since it is not clear which one is meant.
func parseFASTA(name string, text io.Reader) (sequence, error) {
	p := fastaParser{name: name}
	in := bufio.NewReader(text)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return sequence{}, p.unreadable(err, true)
		}
		p.zipped = true
		in = bufio.NewReader(unzipped)
	}
	for {
		p.line++
		text, err := in.ReadBytes('\n')
		if e := p.add(bytes.TrimRight(text, " \t\r\n")); e != nil {
			return sequence{}, e
		}
		switch {
		case err == io.EOF:
			return p.end()
		case err != nil:
			return sequence{}, p.unreadable(err, p.zipped)
		}
	}
}

// fastaParser is a FASTA file as far as it has been read.
type fastaParser struct {
	name   string
	line   int
	zipped bool
	found  bool // the header
	record sequence
}

func (p *fastaParser) fail(format string, args ...any) error {
	return &fastaError{p.name, p.line, fmt.Sprintf(format, args...)}
}

// unreadable is the error for a file that cannot be read on.
func (p *fastaParser) unreadable(err error, zipped bool) error {
	switch {
	case zipped && errors.Is(err, io.ErrUnexpectedEOF), zipped && errors.Is(err, io.EOF):
		return p.fail("the gzip data end too early: the file is cut off")
	case zipped:
		return p.fail("bad gzip data: %v", err)
	}
	return fmt.Errorf("%s:%d: %w", p.name, p.line, err)
}

// add takes the next line.
func (p *fastaParser) add(text []byte) error {
	switch {
	case len(text) == 0:
		return nil
	case text[0] == '>' && p.found:
		return p.fail("a second sequence begins here: a file must hold a single one")
	case text[0] == '>':
		words := strings.Fields(string(text[1:]))
		if len(words) == 0 || text[1] == ' ' || text[1] == '\t' {
			return p.fail("the header does not name the sequence right after '>'")
		}
		p.found = true
		p.record.id = words[0]
		return nil
	case !p.found:
		return p.fail("not FASTA: a header line that begins with '>' must come first")
	}
	start := len(p.record.seq)
	p.record.seq = append(p.record.seq, text...)
	for i, letter := range text {
		code := codeOf[letter]
		if code == notLetter {
			return p.fail("%q in column %d is no nucleotide: the letters are %s", rune(letter), i+1, letters)
		}
		p.record.seq[start+i] = code
	}
	return nil
}

// end is the sequence, when there are no more lines.
func (p *fastaParser) end() (sequence, error) {
	if !p.found {
		return sequence{}, &fastaError{p.name, 0, "empty: there is no FASTA header"}
	}
	return p.record, nil
}
