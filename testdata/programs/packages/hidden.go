package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/packages/hidden"
)

type over struct{ *hidden.Base }

// promoted has method values and deferred calls of methods that are promoted through fields that can't be named here. Their receivers are what
// these fields have where the value, or the statement, stands.
func promoted() {
	o := over{hidden.New(1)}
	inc, show, end := o.Inc, o.Show, o.Close
	o.Inc()
	fmt.Println(inc(), show("s"), end())
	func() {
		defer o.Close()
		defer func() { fmt.Println("at the end", o.Show("s")) }()
		defer o.Inc()
		for i := range 2 {
			defer o.Show(fmt.Sprint(i))
		}
		ckp.Checkpoint()
		o.Replace(100)
	}()
	fmt.Println(inc(), show("s"), end(), o.Inc())
	done := make(chan int)
	go o.Send(done)
	o.Replace(200)
	fmt.Println(<-done)
	var empty over
	defer func() { fmt.Println(recover() != nil) }()
	empty.Base = new(hidden.Base)
	show = empty.Show
	fmt.Println("not reached")
}
