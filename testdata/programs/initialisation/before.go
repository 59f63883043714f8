package main

import "github.com/ckpgen/ckpgen/runtime/ckp"

// These are initialised in the order they have here, whether their functions can reach a checkpoint or not, and although
// this file's name comes before that of what is generated.
var (
	first  = reaches("first")
	second = note("second")
	third  = reachesToo("third")
	fourth = note("fourth")
)

var noted []string

func note(s string) []string {
	noted = append(noted, s)
	return noted
}

func reaches(s string) []string {
	if len(noted) > 4 {
		ckp.Checkpoint()
	}
	return note(s)
}

func reachesToo(s string) []string {
	noted = reaches(s)
	return noted
}
