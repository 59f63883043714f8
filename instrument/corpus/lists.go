package corpus

import (
	"fmt"
	"os"
	"strings"
)

// ReadList reads a list of programs: in each line a name, and after a space the reason why it is
// in the list. Empty lines and those that begin with # do not count.
func ReadList(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	list := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		program, reason, _ := strings.Cut(line, " ")
		if reason = strings.TrimSpace(reason); reason == "" {
			return nil, fmt.Errorf("%s: %s has no reason", name, program)
		}
		if _, twice := list[program]; twice {
			return nil, fmt.Errorf("%s: %s stands there twice", name, program)
		}
		list[program] = reason
	}
	return list, nil
}
