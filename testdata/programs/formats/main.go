// Formats takes checkpoints in methods and functions that packages of the standard library call which
// format and parse.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type temperature float64

func (t temperature) String() string {
	ckp.Checkpoint()
	return fmt.Sprintf("%.1f°", float64(t))
}

type secret struct{ text string }

func (s *secret) Error() string {
	ckp.Checkpoint()
	return "secret " + s.text
}

func (s *secret) GoString() string {
	ckp.Checkpoint()
	return "hidden"
}

type fails struct{}

func (fails) String() string {
	ckp.Checkpoint()
	panic("can't")
}

type form struct{ verbs string }

func (f *form) Format(s fmt.State, verb rune) {
	ckp.Checkpoint()
	width, ok := s.Width()
	f.verbs += string(verb)
	fmt.Fprintf(s, "<%s %d %t>", f.verbs, width, ok)
}

// MarshalJSON and UnmarshalJSON are called by package encoding/json.
func (t temperature) MarshalJSON() ([]byte, error) {
	ckp.Checkpoint()
	return fmt.Appendf(nil, `{"degrees": %g}`, float64(t)), nil
}

func (t *temperature) UnmarshalJSON(text []byte) error {
	ckp.Checkpoint()
	var in struct{ Degrees float64 }
	err := json.Unmarshal(text, &in)
	*t = temperature(in.Degrees)
	ckp.Checkpoint()
	return err
}

// A counting writer is below packages that write.
type counting struct{ lines []string }

func (c *counting) Write(p []byte) (int, error) {
	ckp.Checkpoint()
	c.lines = append(c.lines, string(p))
	return len(p), nil
}

func main() {
	fmt.Println(temperature(21.5), "and", []any{temperature(3), &secret{"x"}})
	fmt.Printf("%v %6.2f %s %d%%\n", temperature(-4), 2.5, temperature(7), 12)
	fmt.Printf("%#v %v\n", &secret{"y"}, map[temperature]temperature{1: 2, 3: 4})
	fmt.Printf("%v|%v\n", fails{}, struct{ T temperature }{5})
	f := &form{}
	fmt.Printf("%x %8y\n", f, f)
	err := fmt.Errorf("outer: %w", &secret{"inner"})
	fmt.Println(err, errors.Unwrap(err))

	out := &counting{}
	fmt.Fprintf(out, "%v %v\n", temperature(1), temperature(2))
	log.New(out, "log: ", 0).Print("said ", temperature(9))
	w := tabwriter.NewWriter(out, 4, 4, 1, ' ', 0)
	fmt.Fprintln(w, "a\tb\t", temperature(8))
	fmt.Fprintln(w, "long\tc\t", 1)
	fmt.Println(w.Flush(), strings.Join(out.lines, ""))

	text, err := json.Marshal(map[string]any{"a": temperature(1), "b": []temperature{2, 3}})
	fmt.Println(string(text), err)
	var back struct{ A, B temperature }
	fmt.Println(json.Unmarshal([]byte(`{"A": {"degrees": 4}, "B": {"degrees": 5}}`), &back), back.A == 4, back.B == 5)

	flags := flag.NewFlagSet("flags", flag.ContinueOnError)
	var given []string
	flags.Func("x", "", func(s string) error {
		ckp.Checkpoint()
		given = append(given, s)
		return nil
	})
	fmt.Println(flags.Parse([]string{"-x=1", "-x", "2", "rest"}), given, flags.Args())
	if len(os.Args) > 5 {
		fmt.Println(os.Args)
	}
}
