// Methodvalues keeps method values, method expressions and bound receivers
// alive across checkpoints.
package main

import (
	"fmt"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type account struct {
	owner   string
	balance int
}

func (a *account) deposit(n int) int { ckp.Checkpoint(); a.balance += n; return a.balance }
func (a account) describe(prefix string, extra ...int) string {
	ckp.Checkpoint()
	return fmt.Sprint(prefix, a.owner, a.balance, extra)
}

type wallet struct {
	*account
	tags []string
}

type describer interface {
	describe(string, ...int) string
}

func run(f func(int) int, n int) (r int) {
	for range n {
		r = f(n)
	}
	return r
}

func main() {
	a := account{"ann", 10}
	w := wallet{&a, []string{"t"}}
	dep := a.deposit
	des := a.describe
	wdep := w.deposit
	var d describer = w
	ddes := d.describe
	a.balance = 50
	ckp.Checkpoint()
	fmt.Println(dep(5), a.balance, des("<"), wdep(1), ddes("!", 1, 2))
	fmt.Println(run(dep, 3), a.balance)
	expr := (*account).deposit
	vexpr := account.describe
	iexpr := describer.describe
	ckp.Checkpoint()
	fmt.Println(expr(&a, 7), vexpr(a, "e", 1), iexpr(d, "i", 2, 3))
	table := map[string]func(int) int{"dep": w.deposit, "other": (&account{"bob", 1}).deposit}
	fmt.Println(table["dep"](1), table["other"](2), table["other"](3))
	var b strings.Builder
	add := b.WriteString
	ckp.Checkpoint()
	add("built ")
	ckp.Checkpoint()
	b.WriteString("here")
	fmt.Println(b.String())
}
