package polls

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/visits"
)

// Visits is what was measured of a program.
type Visits struct {
	// Time is that from the start to the end of what was measured.
	Time time.Duration
	// Sites are the places that were visited.
	Sites []Site
	// Waiting are the calls on the stacks of goroutines that were seen to wait, if stacks were
	// noted.
	Waiting []Call

	windows []window // from 1
	calls   []Call   // by their numbers
	stacks  map[Place][]Call
}

// A Call is where a function on a stack is executed.
type Call struct {
	Function string // as the runtime names it
	File     string
	Line     int
}

// Stack returns the calls that were seen on the stack when a place was visited, if stacks were
// noted.
func (v *Visits) Stack(p Place) []Call { return v.stacks[p] }

// A Site is what was measured of a place.
type Site struct {
	Place  Place
	Visits uint64
	// Longest is how long an execution of the loop lasted at most, 0 for the entry of a function.
	Longest time.Duration

	spans []span
}

type span struct{ from, to int }

type window struct {
	length    time.Duration
	goroutine uint64 // 0: none came by
}

// ReadVisits reads what package visits of the runtime has written.
func ReadVisits(r io.Reader) (*Visits, error) {
	v := &Visits{windows: []window{{}}, stacks: make(map[Place][]Call)}
	var begins []time.Duration
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadString('\n') // a site can have many spans
		if err == io.EOF && line == "" {
			break
		}
		if err == nil {
			err = v.line(strings.TrimSuffix(line, "\n"), &begins)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	for i, begin := range begins {
		end := v.Time
		if i+1 < len(begins) {
			end = begins[i+1]
		}
		v.windows[i+1].length = end - begin
	}
	for _, s := range v.Sites {
		for _, p := range s.spans {
			if p.from < 1 || p.to < p.from || p.to >= len(v.windows) {
				return nil, fmt.Errorf("%s: windows %d to %d of %d", s.Place, p.from, p.to, len(v.windows)-1)
			}
		}
	}
	return v, nil
}

func (v *Visits) line(line string, begins *[]time.Duration) error {
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case "end":
		_, err := fmt.Sscanf(rest, "%d", &v.Time)
		return err
	case "window":
		var begin time.Duration
		var w window
		if _, err := fmt.Sscanf(rest, "%d %d", &begin, &w.goroutine); err != nil {
			return err
		}
		*begins = append(*begins, begin)
		v.windows = append(v.windows, w)
		return nil
	case "site":
		words := strings.SplitN(rest, " ", 4)
		if len(words) < 4 {
			break
		}
		var s Site
		var err error
		if s.Visits, err = strconv.ParseUint(words[0], 10, 64); err != nil {
			return err
		}
		longest, err := strconv.ParseUint(words[1], 10, 32)
		if err != nil {
			return err
		}
		s.Longest = time.Duration(longest) * visits.Window
		if s.Place, err = ParsePlace(words[3]); err != nil {
			return err
		}
		for _, text := range strings.Split(words[2], ",") {
			var p span
			if _, err := fmt.Sscanf(text, "%d-%d", &p.from, &p.to); err != nil {
				return fmt.Errorf("span %q: %w", text, err)
			}
			s.spans = append(s.spans, p)
		}
		v.Sites = append(v.Sites, s)
		return nil
	case "call":
		words := strings.SplitN(rest, " ", 3)
		if len(words) < 3 {
			break
		}
		at, err := strconv.Atoi(words[0])
		v.calls = append(v.calls, Call{words[1], words[2], at})
		return err
	case "stack":
		numbers, name, _ := strings.Cut(rest, " ")
		p, err := ParsePlace(name)
		if err != nil {
			return err
		}
		v.stacks[p], err = v.numbered(numbers)
		return err
	case "waiting":
		var err error
		v.Waiting, err = v.numbered(rest)
		return err
	}
	return fmt.Errorf("%q is not what a measured program writes", line)
}

// numbered returns the calls with the numbers of a list.
func (v *Visits) numbered(list string) ([]Call, error) {
	var calls []Call
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n >= len(v.calls) {
			return nil, fmt.Errorf("call %q of %d", text, len(v.calls))
		}
		calls = append(calls, v.calls[n])
	}
	return calls, nil
}

// stretches divides the time of each goroutine, as far as it came by any place, into stretches of
// the given length, without the rest that is shorter; or the time of all goroutines together. It
// returns the number of stretches, and which each window is a part of, -1 for none.
func (v *Visits) stretches(length time.Duration, together bool) (number int, of []int) {
	type state struct {
		spent time.Duration
		open  []int // windows
	}
	states := make(map[uint64]*state)
	of = make([]int, len(v.windows))
	for i, w := range v.windows {
		of[i] = -1
		if w.goroutine == 0 {
			continue
		}
		if together {
			w.goroutine = 0
		}
		s := states[w.goroutine]
		if s == nil {
			s = new(state)
			states[w.goroutine] = s
		}
		s.spent += w.length
		s.open = append(s.open, i)
		if s.spent >= length {
			for _, k := range s.open {
				of[k] = number
			}
			number++
			*s = state{}
		}
	}
	return number, of
}
