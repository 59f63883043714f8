// Package polls chooses where a program polls for checkpoints from what was measured of it, and
// knows the file that says so.
//
// # Why
//
// Polls everywhere bound the work between two of them for any input (package closure). That takes a
// test after each call that can lead to one, and where a program does nothing but call small
// functions, these tests are a tenth of its time or more. But a checkpoint a minute needs no poll
// each microsecond: one in a tenth of a second is enough, and a function from which none can be
// reached stays as the user wrote it. Which places a program comes to in each tenth of a second
// nobody can tell from the source. It can be measured.
//
// # How
//
// The program is built with a counter at the beginning of each function and of each iteration of a
// loop (package visits of the runtime) and does work of the kind that it will do. What is chosen
// should be right for other input as well; a place that happened to be visited often enough is not,
// such as the one instruction of an interpreter that each of the programs it was measured with has
// now and then. So the choice follows the structure of the program (package closure, places.go):
//
//  1. A loop that was seen to last long polls. What it calls in an iteration need not, unless that lasts long itself: it then
//     has loops that do, or recurs.
//  2. A function with which a goroutine begins polls on entry. If none of them lives long, one of them does so often.
//  3. The time of each goroutine is divided into stretches. In a stretch without a visit to any of these places the goroutine
//     recurs, and of the functions that were visited in it again and again one of each cycle of calls polls on entry.
//  4. If stretches without a visit remain, or such of the time of all goroutines together, which are four times as long, the loops poll that were visited there,
//     those first that lasted longest; then functions on entry, those first that were called least.
//
// Long is half the time that may pass between two polls, and so are stretches.
//
// # Stacks
//
// What can be called on the way to a place, by the call graph, is far more than what is. A call
// through an interface or a func value may call any function of its type; in an interpreter of
// which the one loop polls, or a database, nearly everything can then lead to it. So it can be
// measured as well which functions were on the stack at the places that are chosen, and on those of
// goroutines that waited. Only these are rewritten then, and functions with which goroutines begin,
// so that none is forgotten. A checkpoint where another function is on a stack is refused, as where
// code can't be rewritten, and tried again at a later poll.
//
// The choice is kept in a file of lines that can be read, changed and put under version control.
// The last two are of functions that were on stacks, with all literals in them:
//
//	example.org/sim/grid (*Grid).Step entry
//	example.org/sim/cmd/sim main loop 2
//	example.org/sim/cmd/sim main stack
//	example.org/sim/grid (*Grid).Run stack
package polls

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A Place is one where a poll can be.
type Place struct {
	// Path is the import path of the package.
	Path string
	// Func is the function: F, T.M, (*T).M, or for the first function literal in F, F.func1.
	Func string
	// Loop is the number of the loop in the function, from 1 in the order of the source; 0 is the
	// entry. Loops in literals count there.
	Loop int
}

// String returns the place as it stands in a file.
func (p Place) String() string { return p.Path + " " + p.Within() }

// Within returns what stands for the place in its package.
func (p Place) Within() string {
	if p.Loop == 0 {
		return p.Func + " entry"
	}
	return fmt.Sprintf("%s loop %d", p.Func, p.Loop)
}

// ParsePlace is the reverse of String.
func ParsePlace(text string) (Place, error) {
	words := strings.Fields(text)
	switch {
	case len(words) == 3 && words[2] == "entry":
		return Place{Path: words[0], Func: words[1]}, nil
	case len(words) == 4 && words[2] == "loop":
		if n, err := strconv.Atoi(words[3]); err == nil && n > 0 {
			return Place{Path: words[0], Func: words[1], Loop: n}, nil
		}
	}
	return Place{}, fmt.Errorf("%q is no place, such as 'example.org/sim/grid (*Grid).Step entry' or 'example.org/sim/grid solve loop 1'", text)
}

// A Function is one that is declared, as in a Place; or "init" for the initialisers of the
// variables of a package.
type Function struct{ Path, Name string }

// String returns the function as it stands in a file.
func (f Function) String() string { return f.Path + " " + f.Name + " stack" }

// parseFunction is the reverse of String.
func parseFunction(text string) (f Function, ok bool) {
	words := strings.Fields(text)
	if len(words) != 3 || words[2] != "stack" {
		return Function{}, false
	}
	return Function{words[0], words[1]}, true
}

// A FileError is a file of places that can't be used.
type FileError struct {
	Name   string
	Line   int // 0: all of it
	Reason string
}

// Error returns the name, the line and the reason.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Name, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Reason)
}

// Parse returns the places and functions of a file: one a line, but for lines that are empty or
// begin with "#". The error is a *FileError.
func Parse(name string, text []byte) (*Choice, error) {
	c := &Choice{Name: name}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if f, ok := parseFunction(line); ok {
			c.Stacks = append(c.Stacks, f)
			c.stackLines = append(c.stackLines, n)
			continue
		}
		p, err := ParsePlace(line)
		if err != nil {
			return nil, &FileError{name, n, err.Error()}
		}
		c.Places = append(c.Places, p)
		c.lines = append(c.lines, n)
	}
	if err := lines.Err(); err != nil {
		return nil, &FileError{name, 0, err.Error()}
	}
	if len(c.Places) == 0 {
		return nil, &FileError{name, 0, "it has no places; 'ckpgen measure' writes such a file"}
	}
	return c, nil
}

// A Choice is what a file has.
type Choice struct {
	Name   string
	Places []Place
	// Stacks are the functions that were on stacks. If there are any, what leads to places in
	// another way is not rewritten.
	Stacks []Function

	lines, stackLines []int
}

// String returns what was chosen as it stands in a file.
func (c *Choice) String() string {
	var b strings.Builder
	if c != nil {
		for _, p := range c.Places {
			fmt.Fprintln(&b, p)
		}
		for _, f := range c.Stacks {
			fmt.Fprintln(&b, f)
		}
	}
	return b.String()
}

// Errorf returns an error about one of the places.
func (c *Choice) Errorf(i int, format string, args ...any) error {
	return &FileError{c.Name, c.lines[i], fmt.Sprintf(format, args...)}
}

// StackErrorf returns an error about one of the functions that were on stacks.
func (c *Choice) StackErrorf(i int, format string, args ...any) error {
	return &FileError{c.Name, c.stackLines[i], fmt.Sprintf(format, args...)}
}
