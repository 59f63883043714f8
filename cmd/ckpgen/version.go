package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the versions of the tool and of the image format",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), versions())
			return err
		},
	}
}

// versions is what version prints, and --version.
func versions() string {
	return fmt.Sprintf("ckpgen %s %s %s/%s\nimage format %d\n", toolVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, imageFormat())
}

// toolVersion returns the version of the module, or for a build from a checkout its
// revision.
func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				modified = "+changes"
			}
		}
	}
	if revision == "" {
		return "(devel)"
	}
	return revision + modified
}

// noArguments is for commands without arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments", cmd.CommandPath())
	}
	return nil
}
