// What is marked as transient is not saved, and begins with its zero value in a new process.
package main

import (
	"fmt"
	"unique"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/transient/cache"
)

//ckp:transient
var last unique.Handle[string]

//ckp:transient github.com/ckpgen/ckpgen/testdata/programs/transient/cache.Last

type names[T any] struct {
	list []T
	// The handle of the newest.
	//
	//ckp:transient
	newest unique.Handle[string]
	more   [2]struct{ n int }
	*index //ckp:transient
}

type index struct{ first unique.Handle[string] }

func (l *names[T]) add(name T) {
	l.list = append(l.list, name)
	l.newest = unique.Make(fmt.Sprint(name))
	if l.index == nil {
		l.index = &index{unique.Make(fmt.Sprint(l.list[0]))}
	}
	l.more[len(l.list)%2].n++
}

func main() {
	type local struct {
		handle unique.Handle[int] //ckp:transient
		n      int
	}
	all := []*names[string]{{}, {}}
	here := map[string]local{"x": {n: 1}}
	for i := range 6 {
		name := fmt.Sprint("name", i)
		all[i%2].add(name)
		last, cache.Last = unique.Make(name), unique.Make(name)
		here["x"] = local{unique.Make(i), i + here["x"].n}
		ckp.Checkpoint()
		all[i%2].add("again")
		fmt.Println(all[i%2].list, all[i%2].newest.Value(), all[i%2].first.Value(), all[i%2].more, here["x"].n)
	}
}
