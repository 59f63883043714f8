package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
)

// castagnoli returns the table of the checksums. It is made at the first use: a program that takes
// no checkpoint starts without it.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// maxRecord bounds the size of a manifest or epoch file, in bytes: a million
// processes fit.
const maxRecord = 256 << 20

var (
	errNotRegular = errors.New("not a regular file")
	errChecksum   = errors.New("checksum does not match the contents")
)

// A Checksum is a CRC-32 with the Castagnoli polynomial. In JSON it is a string
// of eight hexadecimal digits.
type Checksum uint32

// String returns eight hexadecimal digits.
func (c Checksum) String() string { return fmt.Sprintf("%08x", uint32(c)) }

// MarshalText returns what String returns.
func (c Checksum) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText takes exactly what MarshalText returns.
func (c *Checksum) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 32)
	if err != nil || Checksum(n).String() != string(text) {
		return fmt.Errorf("%q is not a checksum of eight hexadecimal digits", text)
	}
	*c = Checksum(n)
	return nil
}

// A record is a JSON value and a last line with the checksum of all bytes
// before that line.
const checksumLine = "crc32c "

func encodeRecord(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	b = append(b, '\n')
	sum := sumOf(b)
	return append(b, checksumLine+sum.String()+"\n"...), nil
}

func decodeRecord(b []byte, v any) error {
	const tail = len(checksumLine) + 8 + 1
	if len(b) < tail {
		return fmt.Errorf("cut short: %d bytes are left", len(b))
	}
	body, line := b[:len(b)-tail], b[len(b)-tail:]
	sum := sumOf(body)
	if string(line) != checksumLine+sum.String()+"\n" {
		return errChecksum
	}
	return json.Unmarshal(body, v) // which takes nothing behind the value
}

// readFile reads a small file whole.
func readFile(fsys fileSystem, name string) ([]byte, error) {
	f, size, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > maxRecord {
		return nil, fmt.Errorf("%s: %d bytes are too many for a record", name, size)
	}
	return io.ReadAll(io.LimitReader(f, maxRecord))
}

// writeFile writes a file and puts its contents, not its name, on stable
// storage.
func writeFile(fsys fileSystem, name string, exclusive bool, b []byte) error {
	f, err := fsys.Create(name, exclusive)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

func sumOf(b []byte) Checksum { return Checksum(crc32.Checksum(b, castagnoli())) }
