// Goja runs a file with goja.
package main

import (
	"fmt"
	"os"

	"github.com/dop251/goja"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	vm := goja.New()
	vm.Set("print", func(call goja.FunctionCall) goja.Value {
		for _, a := range call.Arguments {
			fmt.Print(a.String(), " ")
		}
		fmt.Println()
		return goja.Undefined()
	})
	if _, err := vm.RunScript(os.Args[1], string(text)); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
