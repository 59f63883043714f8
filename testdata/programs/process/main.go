// Process changes what belongs to its process: directory, environment, arguments, standard streams, time zone.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

func check(err error) {
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

// A file is opened in one directory and written in another.
func directory() {
	f, err := os.Create("relative.txt")
	check(err)
	fmt.Fprintln(f, "before")
	start, err := os.Getwd()
	check(err)
	check(os.MkdirAll("below", 0o777))
	check(os.Chdir("below"))
	ckp.Checkpoint()
	fmt.Fprintln(pt(f), "after")
	fmt.Println(f.Name())
	there, err := os.Getwd()
	check(err)
	rel, err := filepath.Rel(start, there)
	fmt.Println(rel, err)
	check(os.WriteFile("here.txt", nil, 0o666))
	check(os.Chdir(pt("..")))
	ckp.Checkpoint()
	b, err := os.ReadFile("relative.txt")
	fmt.Printf("%s%v\n", b, err)
	_, err = os.Stat(pt("below/here.txt"))
	fmt.Println(err)
	check(os.Chdir("below"))
}

func environment() {
	show := func() {
		for _, name := range []string{"SET", "EMPTY", "REMOVED", "CHANGED", "PATH"} {
			value, ok := os.LookupEnv(name)
			fmt.Println(name, ok, name == "PATH" || value == "", len(value) < 10 && name != "PATH")
		}
	}
	check(os.Setenv("SET", "set"))
	check(os.Setenv("EMPTY", ""))
	check(os.Setenv("REMOVED", "x"))
	check(os.Setenv("CHANGED", "first"))
	ckp.Checkpoint()
	show()
	check(os.Unsetenv("REMOVED"))
	check(os.Setenv("CHANGED", "second"))
	ckp.Checkpoint()
	show()
	ckp.Checkpoint()
	fmt.Println(os.ExpandEnv("$SET $CHANGED"))
	check(os.Setenv("REMOVED", "back"))
	check(os.Unsetenv("SET"))
	ckp.Checkpoint()
	show()
}

func arguments() {
	kept := os.Args
	os.Args = append([]string{"process"}, "one", "two")
	ckp.Checkpoint()
	fmt.Println(os.Args, len(kept))
	os.Args = pt(os.Args)[1:]
	ckp.Checkpoint()
	fmt.Println(os.Args)
}

// Standard output leads to a file for a while, as programs do that want to know what was printed.
func output() {
	stdout := os.Stdout
	out := &os.Stdout
	f, err := os.Create("printed.txt")
	check(err)
	os.Stdout = f
	ckp.Checkpoint()
	fmt.Println("into the file", os.Stdout == f, *out == f, stdout == f)
	fmt.Fprintln(pt(stdout), "to the terminal", out == &os.Stdout)
	*out = stdout
	ckp.Checkpoint()
	fmt.Println("to the terminal", os.Stdout == stdout)
	b, err := os.ReadFile("printed.txt")
	fmt.Printf("%q %v\n", b, err)
}

func input() {
	s := bufio.NewScanner(os.Stdin)
	for s.Scan() {
		fmt.Println(pt(s.Text()))
	}
	fmt.Println(s.Err())
	_, err := os.Stdin.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, io.EOF))
}

func zone() {
	t := time.Date(2004, 1, 2, 3, 4, 5, 0, time.UTC)
	local := time.Local
	time.Local = time.FixedZone("here", 3600)
	ckp.Checkpoint()
	fmt.Println(t.Local(), time.Unix(0, 0), local == time.Local)
	time.Local = pt(time.UTC)
	ckp.Checkpoint()
	fmt.Println(t.Local(), time.Local == time.UTC, local != time.UTC)
	time.Local = local
	ckp.Checkpoint()
	fmt.Println(time.Local == local)
}

func main() {
	directory()
	environment()
	arguments()
	output()
	input()
	zone()
}
