package build

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/ckpgen/ckpgen/bench/sidebyside"
)

// A Program is a package whose plain and instrumented builds are compared.
type Program struct {
	Module, Path string   // a directory, and the package as seen from there
	Name         string   // for files and for what is told
	Flags        []string // of ckpgen build
	Args         []string // of the program, which runs in the builder's directory
}

// Compare runs both builds for a number of rounds, without checkpoints, and gives the times of the
// plain one and of the other.
//
// Where the linker puts a function decides how its branches and its loads and stores share the
// processor's predictors: loops of the same instructions differ by up to 1.6 in time from one place
// to another (Mytkowicz et al., "Producing Wrong Data Without Doing Anything Obviously Wrong!",
// 2009). So each round has both programs linked in another order of functions, and what is compared
// are medians over the orders (as Curtsinger and Berger's "Stabilizer", 2013, does while the
// program runs).
func (b *Builder) Compare(p Program, rounds int) (plain, instrumented sidebyside.Times, err error) {
	tell := func(line string) { fmt.Fprintln(os.Stderr, line) }
	variant := func(what string, make func(module, pkg, name string, flags ...string) (string, error), flags []string) sidebyside.Variant {
		return sidebyside.Variant{Name: p.Name + ", " + what, Command: func(round int) (*exec.Cmd, error) {
			binary, err := make(p.Module, p.Path, p.Name, append(flags[:len(flags):len(flags)], fmt.Sprintf("-ldflags=-randlayout=%d", round+1))...)
			if err != nil {
				return nil, err
			}
			c := exec.Command(binary, p.Args...)
			c.Dir = b.dir
			for _, v := range os.Environ() {
				if !strings.HasPrefix(v, "CKP_") {
					c.Env = append(c.Env, v)
				}
			}
			return c, nil
		}}
	}
	times, err := sidebyside.Run(rounds, true, []sidebyside.Variant{
		variant("go build", b.Plain, nil),
		variant("ckpgen build", b.Instrumented, p.Flags),
	}, tell)
	if err != nil {
		return plain, instrumented, err
	}
	return times[0], times[1], nil
}
