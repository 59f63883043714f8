package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/ckpgen/ckpgen/bsp"
)

func main() {
	bsp.Begin()
	status := run()
	bsp.End()
	if status != 0 {
		os.Exit(status)
	}
}

// run compares the pairs that the command line asks for, and gives the exit status.
func run() int {
	o, err := parseOptions(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		if bsp.PID() == 0 {
			fmt.Println(usage)
		}
		return 0
	}
	if err != nil {
		return complain(err, 2)
	}
	for pair := range o.pairs {
		in := new(input)
		if bsp.PID() == 0 {
			in, err = o.input(pair)
		}
		value, ok := compare(o, in)
		if !ok {
			return complain(err, 1)
		}
		if bsp.PID() == 0 {
			fmt.Printf("%s %s %s %s\n", o.criterion, in.a.id, in.b.id, value)
		}
	}
	return 0
}

// complain tells of an error, once for all processes, and gives the exit status back.
func complain(err error, status int) int {
	if bsp.PID() == 0 {
		fmt.Fprintf(os.Stderr, "seqsim: %v\n", err)
	}
	return status
}
