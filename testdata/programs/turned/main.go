// Turned takes checkpoints in loops that are large switches, before which each iteration does a little, and in loops
// that labels and gotos make.
package main

import "fmt"

func main() {
	m := new(machine)
	code := []instruction{
		{constant, 5}, {constant, 3}, {multiply, 0}, {print, 0}, // 0
		{duplicate, 0}, {times, 4}, {print, 0}, {subtract, 0}, // 4
		{print, 0}, {call, 14}, {add, 0}, {print, 0}, // 8
		{constant, 7}, {halt, 0}, // 12
		{constant, 3}, {duplicate, 0}, {jumpIfZero, 6}, {constant, 1}, // 14
		{subtract, 0}, {jump, 1}, {print, 0}, {swap, 0}, {drop, 0}, {halt, 0}, // 18
	}
	fmt.Println(m.run(code, 2))
	fmt.Println(m.run([]instruction{{constant, 1}, {jump, 0}}, 1000))
	m.ticks = 0
	var all []instruction
	for i := range 24 {
		all = append(all, instruction{constant, i * 111}, instruction{first + op(i), 0}, instruction{add, 0})
	}
	all[2], all[11].op = instruction{duplicate, 0}, print
	fmt.Println(m.run(append([]instruction{{constant, 1}}, append(all, instruction{halt, 0})...), 3))
	fmt.Println(m.run([]instruction{{constant, 1}, {op: 99}}, 1))
	fmt.Println(m.run([]instruction{{constant, 1}, {op: fail}}, 1))
	fmt.Println(m.trace, m.stack)

	for _, text := range []string{"12(3a(4)b)c5d", "((1)", "1)2", "(((4!7g)e)f)", "(((((5!6", "9 x g", "h9K8L(M7N+O)-P*Q/R<S>T=U?V;W:X,Y.Z#&%i8(j7k6l5m(4n3)o)2p1qr99stuvwy(zAB)CDEFGHIJ9", ""} {
		m := new(machine)
		sum, ok := parse(text, m)
		fmt.Println(text, sum, ok, m.trace, m.stack)
	}
	m = new(machine)
	fmt.Println(backtracks(m, 40), m.trace)
	m = new(machine)
	fmt.Println(twice(m, 50), m.trace)
	m = new(machine)
	fmt.Println(merged(m, 60), m.trace)
}
