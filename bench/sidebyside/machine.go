package sidebyside

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
)

// Machine says in general terms what the measurements were made on.
func Machine() string {
	return fmt.Sprintf("%s/%s, %d %s, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor(runtime.NumCPU()), runtime.Version())
}

// processor is the class of the processors, where the system tells.
func processor(count int) string {
	class := "cores"
	if count == 1 {
		class = "core"
	}
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return class
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return class + " (" + general(value) + ")"
		}
	}
	return class
}

// general is the name of a processor without trademarks, numbers of models and clock rates.
func general(model string) string {
	model, _, _ = strings.Cut(model, "@")
	model = regexp.MustCompile(`\((R|TM|tm|r)\)|\bCPU\b|\bProcessor\b|\d+-Core`).ReplaceAllString(model, " ")
	return strings.Join(strings.Fields(model), " ")
}
