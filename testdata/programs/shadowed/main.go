// Shadowed has values of generic functions, and of methods that the receiver decides. What stands for them has parameters, results, a
// receiver and a frame; types, functions, type parameters and a package are called as these are, and must not be hidden by them.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	settings "github.com/ckpgen/ckpgen/testdata/programs/shadowed/env"
	"github.com/ckpgen/ckpgen/testdata/programs/shadowed/kept"
	"github.com/ckpgen/ckpgen/testdata/programs/shadowed/local"
)

type p0 struct{ n int }

type r0 int

func env[T any](x T) T {
	ckp.Checkpoint()
	return x
}

func fr[T any](x T) (T, r0) {
	ckp.Checkpoint()
	return x, 3
}

type holder[T any] struct{ v T }

func (h holder[T]) get() T {
	ckp.Checkpoint()
	return h.v
}

func (h *holder[T]) rescued() {
	ckp.Checkpoint()
	if r := recover(); r != nil {
		ckp.Checkpoint()
		fmt.Println("recovered", r, h.v)
	}
}

type getter[T any] interface {
	get() T
	rescued()
}

func named[env, fr, p0 any](a env, b fr, c p0) []func() {
	f := holder[env].get
	g := getter[fr].get
	h := holder[p0]{c}.get
	i := (*holder[env]).rescued
	j := getter[p0].rescued
	defer func() { ckp.Checkpoint() }()
	return []func(){
		func() { fmt.Println(f(holder[env]{a}), g(&holder[fr]{b}), h()) },
		func() {
			defer i(&holder[env]{a})
			panic("i")
		},
		func() {
			for _, x := range []p0{c, c} {
				defer j(&holder[p0]{x})
				ckp.Checkpoint()
			}
			panic("j")
		},
	}
}

func main() {
	f, g, h := env[int], fr[p0], env[p0]
	m, n, o := holder[p0].get, getter[r0].get, settings.Parse[r0]
	for i := range 3 {
		a, b := g(p0{i})
		fmt.Println(f(i), a, b, h(p0{i}), m(holder[p0]{p0{i}}), n(&holder[r0]{r0(i)}), o(r0(i)))
	}
	for _, f := range named(1, "b", 2.5) {
		f()
	}
	kept.Numbers()
	local.Names()
	packages()
}
