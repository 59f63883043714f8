// Lua runs a file with gopher-lua.
package main

import (
	"fmt"
	"os"

	lua "github.com/yuin/gopher-lua"
)

func main() {
	state := lua.NewState()
	defer state.Close()
	if err := state.DoFile(os.Args[1]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
