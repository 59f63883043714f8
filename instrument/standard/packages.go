package standard

import (
	"maps"
	"path"
	"slices"
)

// packages are those that are rewritten, with the files that are; nil: all of them.
var packages = map[string][]string{
	"bufio":          nil,
	"bytes":          nil,
	"container/heap": nil,
	"context":        nil,
	"errors":         nil,
	"io":             nil,
	"io/fs":          nil,
	"iter":           nil,
	"maps":           nil,
	"os":             {"env.go", "file.go"},
	"path/filepath":  nil,
	"slices":         nil,
	"sort":           nil,
	"strings":        nil,
	"sync":           {"map.go", "once.go", "oncefunc.go", "pool.go"},
}

// demanded are packages that are rewritten if the program needs just them, and whether polls are a
// reason to. The others are rewritten for the sake of checkpoint calls, and of pipes, only.
var demanded = map[string]bool{
	"archive/tar":          true,
	"archive/zip":          true,
	"compress/bzip2":       true,
	"compress/flate":       true,
	"compress/gzip":        true,
	"compress/lzw":         true,
	"compress/zlib":        true,
	"container/ring":       true,
	"crypto/cipher":        true,
	"database/sql":         true,
	"database/sql/driver":  true,
	"encoding/ascii85":     true,
	"encoding/base32":      true,
	"encoding/base64":      true,
	"encoding/binary":      true,
	"encoding/csv":         true,
	"encoding/gob":         false,
	"encoding/hex":         true,
	"encoding/json":        false,
	"encoding/pem":         true,
	"encoding/xml":         false,
	"expvar":               true,
	"flag":                 false,
	"fmt":                  false,
	"go/ast":               true,
	"go/scanner":           true,
	"go/types":             true,
	"html/template":        false,
	"image":                true,
	"image/color":          true,
	"image/draw":           true,
	"image/gif":            true,
	"image/jpeg":           true,
	"image/png":            true,
	"index/suffixarray":    true,
	"internal/saferio":     true,
	"io/ioutil":            true,
	"log":                  false,
	"log/slog":             true,
	"math/rand":            true,
	"math/rand/v2":         true,
	"mime/multipart":       true,
	"mime/quotedprintable": true,
	"os/signal":            true,
	"net":                  false,
	"net/textproto":        true,
	"reflect":              true,
	"regexp":               true,
	"runtime/pprof":        true,
	"runtime/trace":        true,
	"testing/iotest":       true,
	"testing/quick":        true,
	"text/scanner":         true,
	"text/tabwriter":       false,
	"text/template":        false,
}

// parts are the files that are rewritten of demanded packages of which not all are: those with
// readers and writers, with iterators, with Do and WithRegion, and of package net what has nothing
// to do with the network. What writes profiles and traces, in goroutines of its own, belongs to the
// process, and so does what signals come in by: of os/signal it is NotifyContext that starts a
// goroutine and returns a func value, which belong to the program.
var parts = map[string][]string{
	"crypto/cipher":  {"io.go"},
	"go/types":       {"iter.go"},
	"html/template":  {"template.go"},
	"mime/multipart": {"writer.go"}, // headers are read by a function of net/textproto that a line go:linkname names
	"net":            {"pipe.go"},
	"os/signal":      {"signal.go"},
	Reflection:       {"iter.go", "type.go", "value.go"},
	"runtime/pprof":  {"runtime.go"},
	"runtime/trace":  {"annotation.go"},
}

// OnDemand reports whether the package with this import path is rewritten if functions of it are
// below a checkpoint call, or below a poll if polls is true.
func OnDemand(path string, polls bool) bool {
	forPolls, ok := demanded[path]
	return ok && (forPolls || !polls)
}

// streams are packages through which others call methods of readers and writers that they were
// handed.
var streams = map[string]bool{"bufio": true, "internal/saferio": true, "io": true, "net/textproto": true}

// Streams reports whether the functions of a package are there to read and write by what their
// callers were handed: who calls them by name is likely to call a method of it back.
func Streams(path string) bool { return streams[path] }

// Packages returns the import paths of the packages that are rewritten, ordered.
func Packages() []string { return slices.Sorted(maps.Keys(packages)) }

// Has reports whether the package of the standard library with this import path is
// one of those that are rewritten.
func Has(path string) bool {
	_, ok := packages[path]
	return ok
}

// functions are those that are rewritten in files of which little else calls the program back: of
// os/file.go what io.Copy calls for the whole of a file. Its other functions call what returns the
// number of a file or tells of an error, and are called too often for nothing.
// Of package reflect it is what calls the program, and returns iterators.
var functions = map[string][]string{
	"os/file.go":       {"ReadFrom", "WriteTo", "genericReadFrom", "genericWriteTo"},
	"reflect/type.go":  {"Fields", "Ins", "Methods", "Outs"},
	"reflect/value.go": {"Call", "CallSlice", "Fields", "Methods", "callMade"},
}

// HasFunction reports whether a function of a package that is rewritten, in a file given by its
// base name, may be, if it can be at a checkpoint.
func HasFunction(pkg, file, name string) bool {
	names, ok := functions[path.Join(pkg, file)]
	return HasFile(pkg, file) && (!ok || slices.Contains(names, name))
}

// HasFile reports whether a file of a package that is rewritten, given by its base name, is.
func HasFile(path, file string) bool {
	files := packages[path]
	if files == nil {
		files = parts[path]
	}
	return files == nil || slices.Contains(files, file)
}
