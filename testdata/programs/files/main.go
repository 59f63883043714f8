// Files has files open at its checkpoints, in every way that a program commonly does.
package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sort"
	"strings"

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

func show(name string) {
	b, err := os.ReadFile(name)
	check(err)
	fmt.Printf("%s %d bytes\n%s", name, len(b), b)
}

// Each write is in the file once.
func written() {
	f, err := os.Create("written.txt")
	check(err)
	defer f.Close()
	for i := range 5 {
		fmt.Fprintf(f, "line %d\n", pt(i))
		ckp.Checkpoint()
	}
	fmt.Println(pt(f).Name())
	show("written.txt")
}

// What is in the buffer and what is in the file agree.
func buffered() {
	f, err := os.Create("buffered.txt")
	check(err)
	w := bufio.NewWriterSize(f, 16)
	for i := range 9 {
		fmt.Fprintf(w, "buffered %d\n", i)
		ckp.Checkpoint()
	}
	check(w.Flush())
	check(pt(f).Close())
	show("buffered.txt")
}

func appended() {
	check(os.WriteFile("appended.txt", []byte("was there\n"), 0o666))
	f, err := os.OpenFile("appended.txt", os.O_APPEND|os.O_WRONLY, 0)
	check(err)
	other, err := os.OpenFile("appended.txt", os.O_APPEND|os.O_RDWR, 0)
	check(err)
	for i := range 3 {
		fmt.Fprintln(pt(f), "one", i)
		fmt.Fprintln(pt(other), "other", i)
	}
	_, err = f.WriteAt([]byte("x"), 0)
	fmt.Println(err)
	_, err = f.Read(make([]byte, 1))
	fmt.Println(err)
	_, err = pt(other).Seek(3, io.SeekStart)
	check(err)
	line, err := bufio.NewReader(pt(other)).ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	show("appended.txt")
}

func lines() string {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "%d %s\n", i, strings.Repeat("x", i%70))
	}
	return b.String()
}

// A file longer than the buffer of the scanner, line by line.
func scanned() {
	check(os.WriteFile("scanned.txt", []byte(lines()), 0o666))
	f, err := os.Open("scanned.txt")
	check(err)
	sum := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		if n := len(s.Text()); n%19 == 0 {
			ckp.Checkpoint()
			sum = sum*31 + n
		}
	}
	_, err = f.Write([]byte("x"))
	fmt.Println("scanned", sum, err)
}

// Read, write and seek on one file.
func patched() {
	f, err := os.OpenFile("patched.txt", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	check(err)
	_, err = f.WriteString("0123456789")
	check(err)
	_, err = pt(f).Seek(2, io.SeekStart)
	check(err)
	b := make([]byte, 3)
	for range 2 {
		_, err = io.ReadFull(pt(f), b)
		check(err)
		fmt.Printf("%s\n", b)
		at, err := pt(f).Seek(0, io.SeekCurrent)
		fmt.Println(at, err)
	}
	_, err = f.WriteString("AB")
	check(err)
	_, err = pt(f).WriteAt([]byte("zz"), 12)
	check(err)
	check(pt(f).Truncate(13))
	at, err := pt(f).Seek(-1, io.SeekEnd)
	fmt.Println(at, err)
	show("patched.txt")
}

type logger struct {
	f *os.File
	w io.Writer
}

// One file in several places is one file, two of the same name are two.
func shared() {
	f, err := os.Create("shared.txt")
	check(err)
	l := &logger{f, f}
	copied := *f
	files := map[*os.File]string{f: "f", os.Stdout: "stdout"}
	second, err := os.OpenFile("shared.txt", os.O_RDWR, 0)
	check(err)
	ckp.Checkpoint()
	fmt.Fprintln(l.w, "through the interface")
	fmt.Fprintln(l.f, "through the pointer")
	fmt.Fprintln(&copied, "through the copy")
	fmt.Println(l.w == io.Writer(f), files[l.f], files[os.Stdout], l.f == second)
	line, err := bufio.NewReader(second).ReadString(' ')
	fmt.Printf("%q %v\n", line, err)
	check(pt(f).Close())
	_, err = copied.WriteString("x")
	fmt.Println(err)
	fmt.Fprint(pt(second), "at the end\n")
	show("shared.txt")
}

func closed() {
	f, err := os.Create("closed.txt")
	check(err)
	check(f.Close())
	ckp.Checkpoint()
	_, err = f.WriteString("x")
	fmt.Println(err, errors.Is(err, os.ErrClosed), pt(f).Name(), f.Close())
	var none *os.File
	_, err = pt(none).Write(nil)
	zero := new(os.File)
	ckp.Checkpoint()
	fmt.Println(err, zero.Close())
}

// A file that gets another name goes on under it.
func renamed() {
	f, err := os.Create("renamed.tmp")
	check(err)
	fmt.Fprintln(f, "before")
	check(os.Rename("renamed.tmp", "renamed.txt"))
	fmt.Fprintln(pt(f), "after")
	fmt.Println(pt(f).Name())
	show("renamed.txt")
}

func directories() {
	check(os.MkdirAll("some", 0o777))
	for i := range 3 {
		check(os.WriteFile(fmt.Sprintf("some/file%d", i), nil, 0o666))
	}
	d, err := os.Open("some")
	check(err)
	names, err := pt(d).Readdirnames(-1)
	sort.Strings(names)
	fmt.Println(names, err)
	names, err = pt(d).Readdirnames(1)
	fmt.Println(names, err)
	_, err = pt(d).Seek(0, io.SeekStart)
	check(err)
	names, err = pt(d).Readdirnames(-1)
	fmt.Println(len(names), err, pt(d).Close())
}

func devices() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	check(err)
	random, err := os.Open("/dev/urandom")
	check(err)
	n, err := pt(null).WriteString("lost")
	fmt.Println(n, err)
	b := make([]byte, 20)
	n, err = pt(random).Read(b)
	fmt.Println(n, err)
	n, err = pt(null).Read(b)
	fmt.Println(n, err)
}

// second is never collected, which would close standard output.
var second *os.File

// Standard streams under names of their own.
func streams() {
	out := os.Stdout
	second = os.NewFile(1, "second")
	third, err := os.OpenFile("/dev/stdout", os.O_WRONLY|os.O_APPEND, 0)
	check(err)
	copied := *os.Stdout
	ckp.Checkpoint()
	fmt.Fprintln(out, "out", out == os.Stdout)
	fmt.Fprintln(second, "second", second.Name(), second.Fd(), second == os.Stdout)
	fmt.Fprintln(third, "third", third.Name())
	fmt.Fprintln(&copied, "copied", copied.Name())
	check(pt(third).Close())
	fmt.Fprintln(pt(second), "still open")
}

// What stands on files in the standard library.
func libraries() {
	f, err := os.Create("log.txt")
	check(err)
	l := log.New(io.MultiWriter(f, os.Stdout), "files: ", 0)
	for i := range 3 {
		l.Println("logged", pt(i))
	}
	show("log.txt")

	f, err = os.Create("table.csv")
	check(err)
	w := csv.NewWriter(f)
	for i := range 3 {
		check(w.Write([]string{"a b", fmt.Sprint(pt(i)), `"`}))
	}
	w.Flush()
	show("table.csv")
	_, err = f.Seek(0, io.SeekStart)
	check(err)
	r := csv.NewReader(pt(f))
	for {
		record, err := r.Read()
		ckp.Checkpoint()
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(record)
	}

	check(os.WriteFile("values.json", []byte(`{"a": 1} {"a": 2} [`), 0o666))
	f, err = os.Open("values.json")
	check(err)
	d := json.NewDecoder(pt(f))
	for {
		var v map[string]int
		if err := d.Decode(&v); err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(pt(v))
	}
	section := io.NewSectionReader(f, 1, 3)
	b, err := io.ReadAll(pt(section))
	fmt.Printf("%s %v\n", b, err)
}

func main() {
	written()
	buffered()
	appended()
	scanned()
	patched()
	shared()
	closed()
	renamed()
	directories()
	devices()
	streams()
	libraries()
}
