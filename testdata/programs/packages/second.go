package main

import f "fmt"

func run2() {
	fmt := 3
	own := cp(fmt)
	f.Println(fmt, own)
	for i := range own {
		f.Println(func() int { return cp(i) }())
	}
}
