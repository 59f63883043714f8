// Starlark runs a file with starlark-go.
package main

import (
	"fmt"
	"os"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func main() {
	thread := &starlark.Thread{Name: "main", Print: func(_ *starlark.Thread, text string) { fmt.Println(text) }}
	options := &syntax.FileOptions{Set: true, TopLevelControl: true, GlobalReassign: true}
	if _, err := starlark.ExecFileOptions(options, thread, os.Args[1], nil, nil); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
