// Command user counts the ways to place queens on a board. It is a module as a user of
// ckpgen would have it: the tool is a line of go.mod, and go generate writes the
// instrumented packages.
package main

import (
	"fmt"

	"example.org/user/queens"
)

//go:generate go tool ckpgen gen

func main() {
	fmt.Println(queens.Count(6), "ways")
}
