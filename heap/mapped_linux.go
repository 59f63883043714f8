package heap

import (
	"os"
	"strconv"
	"strings"
)

// mappings returns the memory of the process as Linux tells it, ordered, without what belongs to
// the program file and to the system. If that can't be read there are none.
func mappings() []mapping {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil
	}
	program, _ := os.Readlink("/proc/self/exe")
	var list []mapping
	owned := uintptr(0) // where what was the program's has ended
	for line := range strings.Lines(string(text)) {
		// Addresses, permissions, offset, device, inode; spaces; a name that may contain some.
		var fields [5]string
		for i := range fields {
			fields[i], line, _ = strings.Cut(strings.TrimLeft(line, " "), " ")
		}
		if len(fields[1]) < 3 || fields[1][0] != 'r' {
			continue
		}
		name := strings.TrimSpace(line)
		from, to, _ := strings.Cut(fields[0], "-")
		start, err1 := strconv.ParseUint(from, 16, 64)
		end, err2 := strconv.ParseUint(to, 16, 64)
		switch {
		case err1 != nil || err2 != nil:
		case name == "[heap]": // of C
			list = append(list, mapping{start: uintptr(start), end: uintptr(end), writable: true})
		case name == program, strings.HasPrefix(name, "["):
			owned = uintptr(end)
		case name == "" && owned == uintptr(start): // the rest of its variables
			owned = uintptr(end)
		default:
			list = append(list, mapping{start: uintptr(start), end: uintptr(end), writable: fields[1][1] == 'w', code: fields[1][2] == 'x', name: name})
		}
	}
	return list
}
