package build

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ToolVerb is the first argument of this command when the go command runs a tool by way of it.
const ToolVerb = "toolexec"

// Tool runs a tool of the go command: the arguments are the file about what is replaced, the tool,
// and the tool's own arguments. The error is an *exec.ExitError if the tool fails, which has then
// said why.
func Tool(args []string) error {
	if len(args) < 2 {
		return &UsageError{ToolVerb + " is for the go command"}
	}
	file, tool, args := args[0], args[1], args[2:]
	run := func(args []string, stdout io.Writer) error {
		cmd := exec.Command(tool, args...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, os.Stderr
		return cmd.Run()
	}
	var c replacing
	switch strings.TrimSuffix(filepath.Base(tool), ".exe") {
	case "compile":
		if !slices.Contains(args, "-embedcfg") {
			return run(args, os.Stdout)
		}
		if err := readJSON(file, &c); err != nil {
			return err
		}
		args, err := restored(args, c.Embedded)
		if err != nil {
			return err
		}
		return run(args, os.Stdout)
	case "cover":
	default:
		return run(args, os.Stdout)
	}
	if err := readJSON(file, &c); err != nil {
		return err
	}
	if c.Key == "" {
		return run(args, os.Stdout)
	}
	if slices.Equal(args, []string{"-V=full"}) {
		var out bytes.Buffer
		if err := run(args, &out); err != nil {
			return err
		}
		// The go command builds again what this tool has made if it is another one.
		version, sep := strings.TrimSpace(out.String()), " ckpgen="
		if strings.Contains(version, "buildID=") { // of a compiler under development, it looks at the end
			sep = ""
		}
		fmt.Println(version + sep + c.Key)
		return nil
	}
	return c.run(args, func(args []string) error { return run(args, os.Stdout) })
}

// run runs the tool, and puts what is rewritten in the place of what it has written.
func (c *replacing) run(args []string, tool func(args []string) error) error {
	first, list := 0, 0 // the first file, and the value of -outfilelist
	for first+1 < len(args) && strings.HasPrefix(args[first], "-") {
		if args[first] == "-outfilelist" {
			list = first + 1
		}
		first += 2
	}
	if list == 0 {
		return tool(args)
	}
	text, err := os.ReadFile(args[list])
	if err != nil {
		return err
	}
	outputs := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(outputs) != 1+len(args)-first {
		return errors.New("coverage: this version of Go calls its tool cover in a way that is not known here")
	}
	kept := slices.Clone(args[:first])
	keptOutputs := outputs[:1:1]
	for i, name := range args[first:] {
		f, ok := c.Files[name]
		if !ok && slices.Contains(c.Rewritten, name) {
			return fmt.Errorf("coverage of the package in %s can't be measured, as it is rewritten, and of another module, of the standard library, or one with C; name the others by -coverpkg", filepath.Dir(name))
		}
		if !ok || f.Plain != "" {
			kept, keptOutputs = append(kept, name), append(keptOutputs, outputs[1+i])
		}
	}
	kept[list] += ".ckpgen"
	if err := os.WriteFile(kept[list], []byte(strings.Join(keptOutputs, "\n")+"\n"), 0o666); err != nil {
		return err
	}
	if err := tool(kept); err != nil {
		return err
	}
	for i, name := range args[first:] {
		f, ok := c.Files[name]
		if !ok {
			continue
		}
		if f.Plain != "" {
			sum, err := fileHash(outputs[1+i])
			if err != nil {
				return err
			}
			if sum != f.Plain {
				return fmt.Errorf("coverage of %s: the go command puts in other counters than were expected; please report it", name)
			}
		}
		text, err := os.ReadFile(f.Name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(outputs[1+i], text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
