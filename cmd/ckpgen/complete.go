package main

import (
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
)

// completePackages offers the packages of the module, as relative directories, and lets the
// shell offer files as well.
func completePackages(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	out, err := exec.CommandContext(cmd.Context(), "go", "list", "-e", "-find", "-f", "{{.Dir}}", "./...").Output()
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	dir := workingDir()
	var list []string
	for line := range strings.Lines(string(out)) {
		rel, ok := strings.CutPrefix(strings.TrimSpace(line), dir)
		if ok && strings.HasPrefix("."+rel, toComplete) {
			list = append(list, "."+rel)
		}
	}
	return list, cobra.ShellCompDirectiveDefault
}
