package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/polls"
)

// A CommandLine is the arguments of go build or go test, taken apart.
type CommandLine struct {
	Flags    []string // for the go command, as they were given; without -o and -C
	Load     []string // those of them that choose packages and files
	Patterns []string // packages, or .go files; "." if none are given
	Here     bool     // none are given
	Output   string   // -o
	Chdir    string   // -C
	Vet      string   // -vet (go test)
	Torture  int      // -torture (go test), a flag of ckpgen; 0: none
	Counted  bool     // -count was given (go test)
	JSON     bool     // -json
	Compiled bool     // -c: test binaries are made and not run (go test)
	Cover    string   // how coverage is counted, "" if it is not
	Auto     bool     // -auto, a flag of ckpgen
	All      bool     // -auto=all
	Polled   []string // -auto=patterns
	Chosen   string   // -auto=@file
	Race     bool     // -race
	Toolexec bool     // -toolexec
	Measured bool     // counters are built in, and nothing else: see instrument.Counting
	Help     bool     // -h, -help or --help
	Rest     []string // -args and what test binaries get: what follows it, flags that go test does not have, and what follows the packages and a flag
	Unknown  string   // the first flag that go build does not have
}

// A UsageError is a command line that can't be carried out.
type UsageError struct{ Reason string }

// Error returns the reason.
func (e *UsageError) Error() string { return e.Reason }

// buildValues are the flags of go build that have a value.
var buildValues = words(`C p o asmflags buildmode compiler covermode coverpkg debug-actiongraph
	debug-runtime-trace debug-trace gccgoflags gcflags installsuffix ldflags mod modfile overlay pgo pkgdir
	tags toolexec`)

// buildSwitches are the flags of go build that have none, or need none.
var buildSwitches = words(`a asan buildvcs cover i json linkshared modcacherw msan n race trimpath v work x`)

// testValues are the further flags of go test that have a value.
var testValues = words(`artifactsdir bench benchtime blockprofile blockprofilerate count coverprofile cpu cpuprofile
	exec fuzz fuzzcachedir fuzzminimizetime fuzztime list memprofile memprofilerate mutexprofile
	mutexprofilefraction outputdir parallel run shuffle skip testlogfile timeout torture trace vet`)

// testSwitches are those that have none.
var testSwitches = words(`artifacts benchmem c failfast fullpath short`)

// choosing are the flags on which depends what belongs to a program.
var choosing = words(`asan compiler installsuffix mod modfile msan race tags`)

// impossible are flags that do not go with instrumentation, and why.
var impossible = map[string]string{
	"overlay": "ckpgen makes an overlay of its own; apply yours to a copy of the module first",
}

func words(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// SetAuto sets what -auto=value says. The error is a *UsageError.
func (c *CommandLine) SetAuto(value string) error {
	c.Auto, c.All, c.Polled, c.Chosen = value != "false", value == "all", nil, ""
	switch value {
	case "", "true", "false", "all":
		return nil
	}
	if name, ok := strings.CutPrefix(value, "@"); ok {
		if c.Chosen = name; name == "" {
			return &UsageError{"-auto=@ needs the name of a file, as 'ckpgen measure' writes it"}
		}
		return nil
	}
	c.Polled = strings.Split(value, ",")
	if slices.Contains(c.Polled, "") || slices.Contains(c.Polled, "all") {
		return &UsageError{fmt.Sprintf("-auto=%s: it is -auto for polls in your own module, -auto=all for those of all modules, -auto=packages, separated by commas, or -auto=@file with a file that 'ckpgen measure' has written", value)}
	}
	return nil
}

// Config returns what to load for the command line, as seen from dir. The error is a
// *polls.FileError, or one of reading that file.
func (c *CommandLine) Config(dir string, env []string, test bool) (load.Config, error) {
	cfg := load.Config{Dir: dir, Env: env, Flags: c.Load, Tests: test, Auto: c.Auto, Dependencies: c.All, Polled: c.Polled}
	if c.Chosen == "" {
		return cfg, nil
	}
	name := c.Chosen
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return cfg, fmt.Errorf("-auto=@%s: %w", c.Chosen, err)
	}
	cfg.Choice, err = polls.Parse(c.Chosen, text)
	return cfg, err
}

// TakesValue reports whether a flag of go build, by its name, has a value that can be the next
// argument.
func TakesValue(name string) bool { return buildValues[name] }

// ParseCommandLine takes the arguments of go build, or of go test if test is true, apart. Flags
// that go build does not have are passed on as flags without a value; the go command has the last
// word on them. Those that go test does not have are for the test binaries, and as they may have a
// value, what follows them is no package, as for the go command. The error is a *UsageError.
func ParseCommandLine(args []string, test bool) (*CommandLine, error) {
	c := &CommandLine{}
	var cover coverFlags
	listing, listed := false, false // packages (go test): the last argument is one, no more can follow a flag
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if test && (arg == "-args" || arg == "--args") {
			c.rest(args[i+1:]...)
			break
		}
		if arg == "--" || len(arg) < 2 || arg[0] != '-' {
			if arg == "--" {
				i++
			}
			if !test { // go build: flags come first
				c.Patterns = append(c.Patterns, args[i:]...)
				break
			}
			if listed && !listing {
				c.rest(args[i:]...)
				break
			}
			if i < len(args) {
				c.Patterns = append(c.Patterns, args[i])
				listing, listed = true, true
			}
			continue
		}
		listing = false
		name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if test {
			name = strings.TrimPrefix(name, "test.")
		}
		if why, ok := impossible[name]; ok && value != "false" {
			return nil, &UsageError{fmt.Sprintf("-%s can't be used here: %s", name, why)}
		}
		raw := []string{arg}
		if !given && (buildValues[name] || test && testValues[name]) {
			if i++; i == len(args) {
				return nil, &UsageError{fmt.Sprintf("flag needs an argument: -%s", name)}
			}
			value = args[i]
			raw = append(raw, value)
		}
		cover.look(name, value)
		switch name {
		case "h", "help":
			c.Help = true
			continue
		case "auto":
			if err := c.SetAuto(value); err != nil {
				return nil, err
			}
			continue
		case "o":
			c.Output = value
			continue
		case "C":
			c.Chdir = value
			continue
		case "vet":
			if test {
				c.Vet = value
			}
		case "count":
			c.Counted = test
		case "json":
			c.JSON = value != "false"
		case "c":
			c.Compiled = test && value != "false"
		case "torture":
			if !test {
				break
			}
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return nil, &UsageError{fmt.Sprintf("-torture=%s: not a number from 1", value)}
			}
			c.Torture = n
			continue
		case "compiler":
			if value != "gc" {
				return nil, &UsageError{fmt.Sprintf("-compiler=%s can't be used: instrumented programs need the compiler gc", value)}
			}
		}
		if !buildValues[name] && !buildSwitches[name] {
			if test && !testValues[name] && !testSwitches[name] {
				c.rest(arg)
				listed = true
				continue
			}
			if c.Unknown == "" {
				c.Unknown = arg
			}
		}
		c.Flags = append(c.Flags, raw...)
		if choosing[name] {
			if len(raw) == 2 { // the go command is given them in one word by go/packages
				raw = []string{"-" + name + "=" + value}
			}
			c.Load = append(c.Load, raw...)
		}
	}
	var err error
	if c.Cover, err = cover.mode(); err != nil {
		return nil, err
	}
	c.Race, c.Toolexec = cover.race, cover.toolexec
	if c.Here = len(c.Patterns) == 0; c.Here {
		c.Patterns = []string{"."}
	}
	return c, nil
}

// rest adds arguments of test binaries.
func (c *CommandLine) rest(args ...string) {
	if c.Rest == nil {
		c.Rest = []string{"-args"}
	}
	c.Rest = append(c.Rest, args...)
}

// coverFlags are the flags on which depends how coverage is counted.
type coverFlags struct {
	on, race, toolexec bool
	how                string
}

func (f *coverFlags) look(name, value string) {
	switch name {
	case "cover":
		f.on = value != "false"
	case "covermode":
		f.on, f.how = true, value
	case "coverpkg", "coverprofile":
		f.on = true
	case "race":
		f.race = value != "false"
	case "toolexec":
		f.toolexec = true
	}
}

// mode returns how coverage is counted, as the go command does it; "" if it is not.
func (f *coverFlags) mode() (string, error) {
	switch {
	case !f.on:
		return "", nil
	case f.toolexec:
		return "", &UsageError{"-toolexec can't be used together with flags for coverage: ckpgen uses it for them"}
	case f.how != "":
		return f.how, nil
	case f.race:
		return "atomic", nil
	}
	return "set", nil
}
