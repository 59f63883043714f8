// Results has named results that return statements assign, assignments of range
// clauses, blank declarations, and local names that are those of predeclared
// identifiers, packages and generated variables.
package main

import (
	"fmt"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp(x int) int { ckp.Checkpoint(); return x }

// bare returns
func bare() (n int, s string) {
	n = 5
	s = "x"
	ckp.Checkpoint()
	if n > 3 {
		return
	}
	n = 7
	ckp.Checkpoint()
	return
}
func bare2() (n int) {
	for {
		n += cp(3)
		if n > 10 {
			return
		}
	}
}
func blank() (_ int, err error, _ string) {
	err = fmt.Errorf("e")
	ckp.Checkpoint()
	return
}
func params(_ int, _ string, a, _ int) int { ckp.Checkpoint(); return a }

// named result captured and read after return
func after() (n int, get func() int) {
	get = func() int { return n }
	ckp.Checkpoint()
	return 5, get
}
func after2() (n int, get func() int) {
	get = func() int { return n }
	return cp(6), get
}
func after3() (n int, get func() int) {
	get = func() int { ckp.Checkpoint(); return n }
	return 5, get
}

// not in closure
func logged(x int) (err error) {
	show := func() { fmt.Println("deferred sees", err) }
	defer show()
	if x > 0 {
		return fmt.Errorf("bad %d", x)
	}
	return nil
}
func pair() (int, string)          { return 1, "one" }
func pairC() (int, string)         { ckp.Checkpoint(); return 2, "two" }
func takes(n int, s string) string { ckp.Checkpoint(); return fmt.Sprint(n, s) }
func vari(xs ...any) string        { ckp.Checkpoint(); return fmt.Sprint(xs...) }
func many() []any                  { return []any{1, 2, 3} }
func manyC() []any                 { ckp.Checkpoint(); return []any{4, 5} }

type S string
type B bool
type node struct {
	v    int
	next *node
}

func (n *node) inc() int { ckp.Checkpoint(); n.v++; return n.v }
func (n node) val() int  { ckp.Checkpoint(); return n.v }

func ranges() {
	for i, r := range S("añb") {
		ckp.Checkpoint()
		fmt.Println(i, string(r))
	}
	var a [4]int
	i := 0
	for i, a[i] = range []int{3, 2, 1, 0} {
		ckp.Checkpoint()
	}
	fmt.Println(i, a)
	var p = map[string]int{"k": 2}
	key := "z"
	m := map[string]int{}
	for key, m[key] = range p {
		ckp.Checkpoint()
	}
	fmt.Println(key, m)
	idx := 3
	var rs [5]rune
	for idx, rs[idx] = range "ab" {
		ckp.Checkpoint()
	}
	fmt.Println(idx, rs)
	var x any
	for x = range 3 {
		ckp.Checkpoint()
	}
	fmt.Println(x)
	type count int8
	for c := range count(3) {
		ckp.Checkpoint()
		fmt.Printf("%T %v\n", c, c)
	}
	var u uint8
	for u = range 4 {
		ckp.Checkpoint()
	}
	fmt.Println(u)
	arr := [3]int{1, 2, 3}
	for i, v := range arr {
		arr[2] = 10
		ckp.Checkpoint()
		fmt.Println(i, v)
	}
	for i, v := range &arr {
		arr[2] = 20
		ckp.Checkpoint()
		fmt.Println(i, v)
	}
	for range arr {
		ckp.Checkpoint()
	}
	for i := range len(arr) {
		ckp.Checkpoint()
		i++
		fmt.Println(i)
	}
}

func names() {
	len := len("abc")
	ckp.Checkpoint()
	node := node{v: len}
	ckp.Checkpoint()
	fmt.Println(len, node.v, node.inc(), node.val())
	At, fr, shadow, env, result1, resume1, call1, arg1, cell, ResumePoint := 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	ckp.Checkpoint()
	fmt.Println(At, fr, shadow, env, result1, resume1, call1, arg1, cell, ResumePoint)
	string := 5
	ckp.Checkpoint()
	fmt.Println(string)
	ckp2 := 5
	nil := 3
	true := false
	ckp.Checkpoint()
	fmt.Println(ckp2, nil, true)
	for cell := 0; cell < 3; cell++ {
		f := func() int { cell += 0; return cell }
		ckp.Checkpoint()
		fmt.Println(f())
	}
	{
		fmt := strings.ToUpper
		ckp.Checkpoint()
		println := fmt("x")
		ckp.Checkpoint()
		_ = println
	}
	new := func(x int) int { return x + 1 }
	ckp.Checkpoint()
	fmt.Println(new(1))
	for i := 0; i < 2; i++ {
		p := &i
		ckp.Checkpoint()
		*p += 0
		fmt.Println(*p, new(i))
	}
}
func imp(fmt string, strings []string, ckp2 int) string { cp(1); return fmt + strings[0] }

var _ = cp

func blanks() {
	var _ error = nil
	var _ fmt.Stringer = nil
	var _ float64 = 3
	var _, z = 3, cp(4)
	_ = cp(1)
	var x, _ = pairC()
	_, y := pairC()
	fmt.Println(x, y, z)
	var w float64 = 1 << 3
	ckp.Checkpoint()
	s := uint(3)
	var q int64 = 1 << s
	ckp.Checkpoint()
	fmt.Println(w, q)
	const big = 1 << 100
	fmt.Println(big>>98, cp(1))
	var b B = cp(1) == 1 && w > 2
	fmt.Printf("%T %v\n", b, b)
	c := complex(float64(cp(1)), 2)
	fmt.Println(real(c), imag(c), c*c)
	const k = len([3]int{})
	ckp.Checkpoint()
	arr := [5]int{}
	const l = len(arr)
	ckp.Checkpoint()
	var arr2 [l + 1]int
	ckp.Checkpoint()
	fmt.Println(k, l, len(arr2), arr)
}

func main() {
	fmt.Println(bare())
	fmt.Println(bare2())
	fmt.Println(blank())
	fmt.Println(params(1, "", 3, 4))
	n, g := after()
	fmt.Println(n, g())
	n, g = after2()
	fmt.Println(n, g())
	n, g = after3()
	fmt.Println(n, g())
	fmt.Println(logged(1), logged(0))
	fmt.Println(takes(pair()), takes(pairC()))
	fmt.Println(takes((pairC())), vari((pairC())), len(append([]any{}, fmt.Sprint((pairC())))))
	fmt.Println(vari(many()...), vari(manyC()...), vari(pair()), vari(pairC()), vari())
	ranges()
	names()
	fmt.Println(imp("f", []string{"q"}, 1))
	blanks()
}
