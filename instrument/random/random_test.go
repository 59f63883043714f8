package random

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := os.Getenv("OUT")
	n, _ := strconv.Atoi(os.Getenv("COUNT"))
	for i := range n {
		d := fmt.Sprintf("%s/p%d", dir, i)
		os.MkdirAll(d, 0o777)
		os.WriteFile(d+"/main.go", []byte(Programs(Options{}).Example(i+1)), 0o666)
	}
}
