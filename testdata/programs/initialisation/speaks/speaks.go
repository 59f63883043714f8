// Package speaks has nothing that a checkpoint holds, but prints when it is initialised.
package speaks

import "fmt"

func init() { fmt.Println("speaks") }
