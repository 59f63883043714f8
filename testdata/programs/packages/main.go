// Packages holds what unexported types of other packages hide, imports under other
// names, with a dot, and under names that its variables have too.
package main

import (
	_ "embed"
	"fmt"
	ck "github.com/ckpgen/ckpgen/runtime/ckp"
	. "github.com/ckpgen/ckpgen/testdata/programs/packages/dot"
	own "github.com/ckpgen/ckpgen/testdata/programs/packages/fmt"
)

//go:embed main.go
var src string

type iface interface {
	own.Iface
	Val() int
}

func use(n *Node) Len {
	Node := n.Up()
	Mk := Mk().V
	ck.Checkpoint()
	return Len(Node.V + Mk + Max)
}
func main() {
	run()
	run2()
	linked(countdown)
	embedded()
	promoted()
	sizeless()
	if x := cp(1); x > 0 {
		fmt.Println(x)
		fmt.Println(cp(2))
	}
}
func run() {
	var i = own.New()
	fmt.Println(i.Go(), own.Say("x"))
	p := own.Pub{}
	fmt.Println(p.Go(), p.Val())
	f := p.Go
	ck.Checkpoint()
	fmt.Println(f(), own.Hook(4), own.Table["x"]())
	fmt.Println(use(Mk()), Gen(4, func(x int) int { return cp(x) + 1 }), Tw("s")(), Tw(p.Val())())
	fmt.Println(len(src) > 10, own.Len(own.Lst()))
	var it iface = any(&p).(iface)
	fmt.Println(it.Val(), it.Go())
	a := own.Alias()
	ck.Checkpoint()
	fmt.Println(a)
}
func cp(x int) int { ck.Checkpoint(); return x }
