package heap

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// mapped returns memory of the process that is not Go's.
func mapped(t *testing.T, fd, size, protection, flags int) []byte {
	b, err := syscall.Mmap(fd, 0, size, protection, flags)
	must(t, err)
	t.Cleanup(func() { must(t, syscall.Munmap(b)) })
	return b
}

// TestMapped captures memory that is not Go's: a copy of it would no longer be that of the file,
// and not where its other users have it.
func TestMapped(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a  file")
	must(t, os.WriteFile(name, make([]byte, 1<<13), 0o600))
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	must(t, err)
	defer file.Close()
	const anonymous = syscall.MAP_PRIVATE | syscall.MAP_ANON
	const write, read, execute = syscall.PROT_WRITE, syscall.PROT_READ, syscall.PROT_EXEC
	for _, test := range []struct {
		why string
		b   []byte
	}{
		{"of the file " + name, mapped(t, int(file.Fd()), 1<<13, read|write, syscall.MAP_SHARED)},
		{"of the file " + name, mapped(t, int(file.Fd()), 1<<12, read, syscall.MAP_SHARED)},
		{"beside Go's heap", mapped(t, -1, 1<<12, read|write, anonymous)},
		{"beside Go's heap", mapped(t, -1, 1<<12, read|execute, anonymous)}, // as code is that a program has made
		{"beside Go's heap", mapped(t, -1, 1<<12, read|write|execute, anonymous)},
	} {
		part := test.b[8:16:16]
		_, err := Capture([]Root{{"part", &part}}, Options{})
		var unsupported *UnsupportedError
		check(t, errors.As(err, &unsupported) && strings.HasPrefix(err.Error(), "heap: part (uint8) ") && strings.Contains(err.Error(), test.why), err)
	}
}

// TestMappedPointers captures memory that is not Go's and has pointers that lead nowhere, as memory
// of C has that was used for something else before. The runtime ends the program if such a pointer
// is followed.
func TestMappedPointers(t *testing.T) {
	type node struct{ next *node }
	b := mapped(t, -1, 1<<12, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	large := make([]byte, 1<<20+1)
	unused := uintptr(unsafe.Pointer(&large[0])) + uintptr(len(large)) + 4096 // of the last page
	n := (*node)(unsafe.Pointer(&b[64]))
	*(*uintptr)(unsafe.Pointer(n)) = unused
	v := struct {
		large []byte
		list  map[string]*node
	}{large, map[string]*node{"n": n}}
	_, err := Capture([]Root{{"v", &v}}, Options{})
	check(t, err != nil && strings.HasPrefix(err.Error(), `heap: v.list["n"] (github.com/ckpgen/ckpgen/heap.node) can't be saved: it lies in memory beside Go's heap`), err)
}

// TestMappedNumbers captures addresses of memory that is not Go's which are numbers, as in programs
// that were translated from C.
func TestMappedNumbers(t *testing.T) {
	type connection struct {
		name   string
		handle [2]uintptr
	}
	b := mapped(t, -1, 1<<12, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	at := uintptr(unsafe.Pointer(&b[64]))
	var unmapped uintptr = 1 << 20
	var addresses []Address
	opt := Options{Backs: map[string]bool{reflect.TypeFor[connection]().PkgPath(): true}, Addresses: &addresses}
	for want, root := range map[string]any{
		"v.handle[1] (uintptr)":                   &connection{"a", [2]uintptr{unmapped, at}},
		"v[1] (uintptr)":                          &[]uintptr{unmapped, at},
		"v (uintptr)":                             &at,
		`v["b"].handle[0] (uintptr)`:              &map[string]*connection{"b": {"b", [2]uintptr{at}}},
		"v.(heap.connection).handle[0] (uintptr)": new(any(connection{"c", [2]uintptr{at}})),
	} {
		_, err := Capture([]Root{{"v", root}}, opt)
		if want, why := "heap: "+want, "it is the address of memory beside Go's heap"; err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), why) {
			t.Errorf("%v; want %s: %s", err, want, why)
		}
	}
	for _, free := range []*uintptr{&unmapped, new(uintptr(unsafe.Pointer(new([64]int))) + 8)} { // nothing but the number leads there
		_, err := Capture([]Root{{"v", free}}, opt)
		must(t, err)
	}
}

// TestReserved captures pointers into a range of addresses that is there for its addresses, each of
// which stands for a number. They lead to the same place of the range of the other process.
func TestReserved(t *testing.T) {
	const size = 1<<20 + 1<<14
	b := mapped(t, -1, size, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	type vars struct {
		number, zero unsafe.Pointer
		all          []byte
		last         *byte
	}
	v := &vars{unsafe.Pointer(&b[12345]), unsafe.Pointer(&b[0]), b, &b[size-1]}
	w := again(t, v)
	check(t, w.number == v.number && w.zero == v.zero && w.last == v.last && &w.all[0] == &b[0] && len(w.all) == size)
}

// TestReservedParts captures very many slices of such memory that overlap: there is nothing in it
// to follow, which is not to be found out byte by byte for each of them.
func TestReservedParts(t *testing.T) {
	b := mapped(t, -1, 1<<24, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	parts := make([][]byte, len(b)/16)
	for i := range parts {
		at := len(b) - 16*(i+1)
		parts[i] = b[at : at+16]
	}
	w := again(t, &parts)
	check(t, len(*w) == len(parts) && &(*w)[1][0] == &parts[1][0] && cap((*w)[1]) == 32)
}

// TestMappedView captures a view of mapped memory as an array that is larger than the memory, as
// programs declare it to index what they have mapped.
func TestMappedView(t *testing.T) {
	b := mapped(t, -1, 1<<12, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	const most = min(1<<48-1, math.MaxInt)
	v := struct {
		all  *[most]byte
		part *struct{ a, b uint64 }
	}{(*[most]byte)(unsafe.Pointer(&b[0])), (*struct{ a, b uint64 })(unsafe.Pointer(&b[8]))}
	_, err := Capture([]Root{{"v", &v}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "beside Go's heap"), err)
}
