package pack

import (
	"encoding/binary"
	"fmt"
	"sync"
)

// A Codec compresses. Its methods may be called by several goroutines at a time.
type Codec interface {
	// Name is what it is called in files: 1 to 12 bytes.
	Name() string
	// Compress appends what src is compressed to.
	Compress(dst, src []byte) []byte
	// Decompress appends what was compressed, which has size bytes. It is an error if it has not.
	Decompress(dst, src []byte, size int) ([]byte, error)
}

var (
	registering sync.Mutex
	codecs      = make(map[string]Codec)
)

// Register makes a codec known. It is called from an init function.
func Register(c Codec) {
	registering.Lock()
	defer registering.Unlock()
	codecs[c.Name()] = c
}

// A MissingError says that a program does not have a codec.
type MissingError struct{ Name string }

// Error tells how the program gets it.
func (e *MissingError) Error() string {
	// In two parts, as the path is the same in programs whose modules do not know ckpgen, in which
	// this package has another one.
	const module = "github.com/" + "ckpgen/ckpgen"
	return fmt.Sprintf("this program has no compression %q; a line such as import _ %q in one of its files gives it zstd, if its module requires %s", e.Name, module+"/runtime/ckp/zstd", module)
}

// Find returns the codec of a name. The error is a *[MissingError].
func Find(name string) (Codec, error) {
	registering.Lock()
	defer registering.Unlock()
	c, ok := codecs[name]
	if !ok {
		return nil, &MissingError{name}
	}
	return c, nil
}

const (
	magic       = "ckppack\n"
	version     = 1
	codecLength = 12
	headerSize  = len(magic) + 4 + codecLength
	chunkHeader = 12
	chunkSize   = 1 << 20
)

const (
	stored     = 0
	compressed = 1
)

var le = binary.LittleEndian
