package main

import (
	"encoding/binary"
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

// sizeless has variables of types that can't be named here, whose values have no size.
func sizeless() {
	var (
		order, big = binary.BigEndian, binary.BigEndian
		b          = make([]byte, 8)
	)
	little, same := binary.LittleEndian, order
	for i := range 3 {
		order := little // another one
		order.PutUint16(b[i:], uint16(i+1))
		ckp.Checkpoint()
	}
	order.PutUint32(b, 0x01020304)
	ckp.Checkpoint()
	fmt.Println(b, order.Uint16(b), little.Uint16(b), order, order == big, same == big)
	get := func(i int) uint16 { ckp.Checkpoint(); return order.Uint16(b[i:]) + little.Uint16(b) }
	ckp.Checkpoint()
	if native := binary.LittleEndian; native.Uint16(b) > 0 {
		var any binary.ByteOrder = native
		ckp.Checkpoint()
		fmt.Println(get(0), get(1), any, native.String())
	}
}
