package shadow

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// What looks for goroutines that were left behind compares the list of all before and after, or
// looks for such as it does not know. So a program that is rewritten sees in that list what it
// would see without: not the goroutines of this package and of those that use it, nor their
// functions on the stacks of its own, and who waits for a channel in the place of a statement waits
// as there.
//
// Programs also take the number of a goroutine from the first line, to know it again. Those of the
// runtime are others in each process, so goroutines that are part of checkpoints have numbers of
// their own there.

// Stack is runtime.Stack for the program.
func Stack(buf []byte, all bool) int {
	var list []listed
	if all {
		list = listing()
	} else {
		list = goroutinesOf(written(len(buf)+1<<10, false))
	}
	known := recorded() // after the list: so it has those that are there
	var out []byte
	for _, g := range list {
		if text, own := g.program(known); !own {
			if len(out) > 0 {
				out = append(out, '\n')
			}
			out = append(out, text...)
		}
	}
	return copy(buf, out)
}

// listed returns the number of a goroutine that is part of checkpoints: 1 for main, and else such
// as the runtime's are not.
func (r *record) listed() uint64 {
	const first = 1 << 30
	if r.number == 0 {
		return 1
	}
	return first + r.number
}

// recorded returns the numbers of the goroutines that are part of checkpoints, by the addresses of
// their records; none if there are no checkpoints.
func recorded() map[uintptr]uint64 {
	known := make(map[uintptr]uint64)
	if phase.Load() == off {
		return known
	}
	all.lock.Lock()
	defer all.lock.Unlock()
	for r := range all.records {
		known[uintptr(unsafe.Pointer(r))] = r.listed()
	}
	return known
}

// renumbered returns the text of a goroutine with another number.
func renumbered(text string, number uint64) string {
	const begin = "goroutine "
	if !hasPrefix(text, begin) {
		return text
	}
	rest := text[len(begin):]
	for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
		rest = rest[1:]
	}
	return begin + itoa(int(number)) + rest
}

// recordIn returns the address of the record that a line has, if it is that of the root of a
// goroutine: github.com/.../shadow.(*record).loop(0xc000123456)
func recordIn(line string) (address uintptr) {
	const root = "(*record).loop(0x"
	if !hasPrefix(line, library+root) {
		return 0
	}
	for _, c := range line[len(library+root):] {
		switch {
		case c >= '0' && c <= '9':
			address = address<<4 | uintptr(c-'0')
		case c >= 'a' && c <= 'f':
			address = address<<4 | uintptr(c-'a'+10)
		default:
			return address
		}
	}
	return address
}

// NumGoroutine is runtime.NumGoroutine for the program.
func NumGoroutine() int {
	n := 0
	for _, g := range listing() {
		if !g.isOwn() {
			n++
		}
	}
	return n
}

// listing returns all goroutines. Those that have been started for the program are let come to its
// functions: before that, nothing tells which they are.
func listing() []listed {
	for tries := 0; ; tries++ {
		list := goroutinesOf(written(64<<10, true))
		begins := false
		for _, g := range list {
			begins = begins || g.begins()
		}
		if !begins || tries == 20 {
			return list
		}
		runtime.Gosched()
	}
}

// written returns what runtime.Stack writes; size is a guess.
func written(size int, all bool) []byte {
	for ; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, all); n < size {
			return buf[:n]
		}
	}
}

// A listed goroutine is the lines of one: the first is "goroutine 7 [chan receive]:", then there
// are two for each function.
type listed []string

// goroutinesOf returns those of a listing, in which an empty line comes after each.
func goroutinesOf(text []byte) []listed {
	var list []listed
	var g listed
	end := func() {
		if len(g) > 0 {
			list = append(list, g)
		}
		g = nil
	}
	begin := 0
	for i, c := range text {
		if c != '\n' {
			continue
		}
		if i == begin {
			end()
		} else {
			g = append(g, string(text[begin:i]))
		}
		begin = i + 1
	}
	end()
	return list
}

const createdBy = "created by "

// above is the path of package ckp in its module. It has that also where this package and its path
// in these sources have become ones of the standard library, for the sake of packages there that
// are rewritten; hence it is in two parts.
const above = "github.com/ckpgen" + "/ckpgen/runtime/ckp"

// ofRuntime reports whether a line is that of a function of package ckp or one below it.
func ofRuntime(line string) bool {
	if hasPrefix(line, createdBy) {
		line = line[len(createdBy):]
	}
	for _, begin := range []string{library[:len(library)-len("/shadow.")], above} {
		if hasPrefix(line, begin+".") || hasPrefix(line, begin+"/") {
			return true
		}
	}
	return false
}

// begins reports whether a goroutine has been started here for the program, and has not come to its
// function.
func (g listed) begins() bool {
	begins := false
	for _, line := range g[1:] {
		switch {
		case hasPrefix(line, library+"(*record).loop("):
			return false
		case hasPrefix(line, library+"(*record).run("), isStart(line):
			begins = true
		}
	}
	return begins
}

// isStart reports whether a line is that of a go statement of this package that has a function of
// the program called, in its goroutine.
func isStart(line string) bool {
	const wrapper = ".gowrap"
	for i := range line {
		if hasPrefix(line[i:], wrapper) {
			return hasPrefix(line, library)
		}
	}
	return false
}

// signalsAsked is what [HideSignals] was given.
var signalsAsked atomic.Pointer[func() bool]

// signalLoop is what package os/signal waits for signals in where the program is not notified of
// all (instrument/library.go).
const signalLoop = "os/signal.ckpgenLoop("

// HideSignals has the goroutine in which package os/signal waits for signals left out of what the
// program is told, until asked reports that the program has asked for signals, too.
func HideSignals(asked func() bool) { signalsAsked.Store(&asked) }

// isOwn reports whether a goroutine has been started here, or for the signals that package ckp asks
// for, and not for the program.
func (g listed) isOwn() bool {
	own := false
	for _, line := range g[1:] {
		if hasPrefix(line, "os/signal.loop(") || hasPrefix(line, signalLoop) {
			asked := signalsAsked.Load()
			return asked != nil && !(*asked)()
		}
		if hasPrefix(line, library+"(*record).") || hasPrefix(line, library+"Run.func1(") || isStart(line) {
			return false
		}
		own = own || hasPrefix(line, createdBy) && ofRuntime(line)
	}
	return own
}

// isGeneratedAt reports whether a line of a stack trace tells a position in generated code.
func isGeneratedAt(line string) bool {
	if !hasPrefix(line, "\t") {
		return false
	}
	line = line[1:]
	end := len(line)
	for end > 0 && line[end-1] != ':' {
		end--
	}
	return end > 0 && IsGenerated(line[:end-1])
}

// program returns the text of a goroutine as the program would have it without checkpoints. own
// tells that it would have none. known are the numbers of goroutines by their records.
func (g listed) program(known map[uintptr]uint64) (text string, own bool) {
	if g.isOwn() {
		return "", true
	}
	first, rest, top, called := g[0], "", true, false
	for i := 1; i < len(g); i++ {
		if !ofRuntime(g[i]) {
			if called && i+1 < len(g) && isGeneratedAt(g[i+1]) { // main hands itself to package ckp, which calls it again
				i++
				continue
			}
			top, called = false, false
			line := g[i]
			if hasPrefix(line, signalLoop) {
				line = "os/signal.loop(" + line[len(signalLoop):]
			}
			rest += line + "\n"
			continue
		}
		called = true
		if top {
			first = waitsIn(first, g[i])
		}
		if n := known[recordIn(g[i])]; n > 0 {
			first = renumbered(first, n)
		}
		if i+1 < len(g) && g[i+1][0] == '\t' {
			i++ // the file
		}
	}
	return first + "\n" + rest, false
}

// waitsIn returns the first line for a goroutine that waits in a function of this package.
func waitsIn(first, function string) string {
	const selects = "[select"
	for i := range first {
		if !hasPrefix(first[i:], selects) {
			continue
		}
		for _, w := range []struct{ function, state string }{{"Receive", "[chan receive"}, {"Send", "[chan send"}, {"Sleep", "[sleep"}} {
			if hasPrefix(function, library+w.function) {
				return first[:i] + w.state + first[i+len(selects):]
			}
		}
	}
	return first
}
