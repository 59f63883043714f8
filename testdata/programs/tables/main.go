// Tables has expressions with very many calls.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

type row struct {
	key  string
	n    int
	list []int
	name string
}

var calls int

func name() string {
	calls++
	return fmt.Sprint(" call ", calls)
}

// table reads a variable that the last call changes.
func table() []row {
	x := 1
	add := func() int {
		ckp.Checkpoint()
		x++
		return x
	}
	return []row{
		{"0", pt(0), []int{pt(0), x}, pt("0") + name()},
		{"1", pt(1), []int{pt(1), x}, pt("1") + name()},
		{"2", pt(2), []int{pt(2), x}, pt("2") + name()},
		{"3", pt(3), []int{pt(3), x}, pt("3") + name()},
		{"4", pt(4), []int{pt(4), x}, pt("4") + name()},
		{"5", pt(5), []int{pt(5), x}, pt("5") + name()},
		{"6", pt(6), []int{pt(6), x}, pt("6") + name()},
		{"7", pt(7), []int{pt(7), x}, pt("7") + name()},
		{"8", pt(8), []int{pt(8), x}, pt("8") + name()},
		{"9", pt(9), []int{pt(9), x}, pt("9") + name()},
		{"10", pt(10), []int{pt(10), x}, pt("10") + name()},
		{"11", pt(11), []int{pt(11), x}, pt("11") + name()},
		{"12", pt(12), []int{pt(12), x}, pt("12") + name()},
		{"13", pt(13), []int{pt(13), x}, pt("13") + name()},
		{"14", pt(14), []int{pt(14), x}, pt("14") + name()},
		{"15", pt(15), []int{pt(15), x}, pt("15") + name()},
		{"16", pt(16), []int{pt(16), x}, pt("16") + name()},
		{"17", pt(17), []int{pt(17), x}, pt("17") + name()},
		{"18", pt(18), []int{pt(18), x}, pt("18") + name()},
		{"19", pt(19), []int{pt(19), x}, pt("19") + name()},
		{"20", pt(20), []int{pt(20), x}, pt("20") + name()},
		{"21", pt(21), []int{pt(21), x}, pt("21") + name()},
		{"22", pt(22), []int{pt(22), x}, pt("22") + name()},
		{"23", pt(23), []int{pt(23), x}, pt("23") + name()},
		{"24", pt(24), []int{pt(24), x}, pt("24") + name()},
		{"25", pt(25), []int{pt(25), x}, pt("25") + name()},
		{"26", pt(26), []int{pt(26), x}, pt("26") + name()},
		{"27", pt(27), []int{pt(27), x}, pt("27") + name()},
		{"28", pt(28), []int{pt(28), x}, pt("28") + name()},
		{"29", pt(29), []int{pt(29), x}, pt("29") + name()},
		{n: add()},
	}
}

func sum(n int) int {
	return pt(n+0)*1 + pt(n+1)*2 + pt(n+2)*3 + pt(n+3)*1 + pt(n+4)*2 + pt(n+5)*3 + pt(n+6)*1 + pt(n+7)*2 + pt(n+8)*3 + pt(n+9)*1 + pt(n+10)*2 + pt(n+11)*3 + pt(n+12)*1 + pt(n+13)*2 + pt(n+14)*3 + pt(n+15)*1 + pt(n+16)*2 + pt(n+17)*3 + pt(n+18)*1 + pt(n+19)*2 + pt(n+20)*3 + pt(n+21)*1 + pt(n+22)*2 + pt(n+23)*3 + pt(n+24)*1 + pt(n+25)*2 + pt(n+26)*3 + pt(n+27)*1 + pt(n+28)*2 + pt(n+29)*3 + pt(n+30)*1 + pt(n+31)*2 + pt(n+32)*3 + pt(n+33)*1 + pt(n+34)*2 + pt(n+35)*3 + pt(n+36)*1 + pt(n+37)*2 + pt(n+38)*3 + pt(n+39)*1 + pt(n+40)*2 + pt(n+41)*3 + pt(n+42)*1 + pt(n+43)*2 + pt(n+44)*3 + pt(n+45)*1 + pt(n+46)*2 + pt(n+47)*3 + pt(n+48)*1 + pt(n+49)*2 + pt(n+50)*3 + pt(n+51)*1 + pt(n+52)*2 + pt(n+53)*3 + pt(n+54)*1 + pt(n+55)*2 + pt(n+56)*3 + pt(n+57)*1 + pt(n+58)*2 + pt(n+59)*3
}

// text stops in the middle of it if n is small.
func text(n int) string {
	if pt(n) > 0 && pt(n) > 1 && pt(n) > 2 && pt(n) > 3 && pt(n) > 4 && pt(n) > 5 && pt(n) > 6 && pt(n) > 7 && pt(n) > 8 && pt(n) > 9 && pt(n) > 10 && pt(n) > 11 && pt(n) > 12 && pt(n) > 13 && pt(n) > 14 && pt(n) > 15 && pt(n) > 16 && pt(n) > 17 && pt(n) > 18 && pt(n) > 19 && pt(n) > 20 && pt(n) > 21 && pt(n) > 22 && pt(n) > 23 && pt(n) > 24 && pt(n) > 25 && pt(n) > 26 && pt(n) > 27 && pt(n) > 28 && pt(n) > 29 && pt(n) > 30 && pt(n) > 31 && pt(n) > 32 && pt(n) > 33 && pt(n) > 34 && pt(n) > 35 && pt(n) > 36 && pt(n) > 37 && pt(n) > 38 && pt(n) > 39 && pt(n) > 40 && pt(n) > 41 && pt(n) > 42 && pt(n) > 43 && pt(n) > 44 && pt(n) > 45 && pt(n) > 46 && pt(n) > 47 && pt(n) > 48 && pt(n) > 49 && pt(n) > 50 && pt(n) > 51 && pt(n) > 52 && pt(n) > 53 && pt(n) > 54 {
		return "large"
	}
	return "small"
}

func twice(n int) int { return 2 * pt(n) }

func thrice(n int) int { return 3 * pt(n) }

func chosen(odd bool) func(int) int {
	ckp.Checkpoint()
	if odd {
		return thrice
	}
	return twice
}

type counter struct{ n int }

func (c *counter) add(n int) *counter {
	c.n += pt(n)
	return c
}

func (c counter) value() int { return pt(c.n) }

type valuer interface{ value() int }

func valued(n int) valuer {
	ckp.Checkpoint()
	return counter{n}
}

// mixed has functions and receivers that calls return, operands that are read when they are evaluated, and channels.
func mixed(n int) []any {
	ch := make(chan int, 100)
	for i := range 100 {
		ch <- i
	}
	m := map[int]string{1: "one"}
	bytes := []byte("bytes")
	return []any{
		chosen(n%2 == 0)(pt(0)), valued(0).value(), new(counter).add(0).add(n).n, <-ch, m[pt(0)], string(bytes[:pt(3)]), [2]int{pt(0), n},
		chosen(n%2 == 1)(pt(1)), valued(1).value(), new(counter).add(1).add(n).n, <-ch, m[pt(1)], string(bytes[:pt(3)]), [2]int{pt(1), n},
		chosen(n%2 == 0)(pt(2)), valued(2).value(), new(counter).add(2).add(n).n, <-ch, m[pt(2)], string(bytes[:pt(3)]), [2]int{pt(2), n},
		chosen(n%2 == 1)(pt(3)), valued(3).value(), new(counter).add(3).add(n).n, <-ch, m[pt(0)], string(bytes[:pt(3)]), [2]int{pt(3), n},
		chosen(n%2 == 0)(pt(4)), valued(4).value(), new(counter).add(4).add(n).n, <-ch, m[pt(1)], string(bytes[:pt(3)]), [2]int{pt(4), n},
		chosen(n%2 == 1)(pt(5)), valued(5).value(), new(counter).add(5).add(n).n, <-ch, m[pt(2)], string(bytes[:pt(3)]), [2]int{pt(5), n},
		chosen(n%2 == 0)(pt(6)), valued(6).value(), new(counter).add(6).add(n).n, <-ch, m[pt(0)], string(bytes[:pt(3)]), [2]int{pt(6), n},
		chosen(n%2 == 1)(pt(7)), valued(7).value(), new(counter).add(7).add(n).n, <-ch, m[pt(1)], string(bytes[:pt(3)]), [2]int{pt(7), n},
		pt(0) == 0 && pt(n) > 3, pt(1) == 0 || pt(n) > 3,
	}
}

// each evaluates such an expression in a loop, and is left by a panic within it.
func each() (done int) {
	defer func() { fmt.Println(recover(), done) }()
	for i := 5; ; i-- {
		list := [...]int{
			0:   pt(0) / max(i, 0),
			2:   pt(2) / max(i, 0),
			4:   pt(4) / max(i, 0),
			6:   pt(6) / max(i, 0),
			8:   pt(8) / max(i, 0),
			10:  pt(10) / max(i, 0),
			12:  pt(12) / max(i, 0),
			14:  pt(14) / max(i, 0),
			16:  pt(16) / max(i, 0),
			18:  pt(18) / max(i, 0),
			20:  pt(20) / max(i, 0),
			22:  pt(22) / max(i, 0),
			24:  pt(24) / max(i, 0),
			26:  pt(26) / max(i, 0),
			28:  pt(28) / max(i, 0),
			30:  pt(30) / max(i, 0),
			32:  pt(32) / max(i, 0),
			34:  pt(34) / max(i, 0),
			36:  pt(36) / max(i, 0),
			38:  pt(38) / max(i, 0),
			40:  pt(40) / max(i, 0),
			42:  pt(42) / max(i, 0),
			44:  pt(44) / max(i, 0),
			46:  pt(46) / max(i, 0),
			48:  pt(48) / max(i, 0),
			50:  pt(50) / max(i, 0),
			52:  pt(52) / max(i, 0),
			54:  pt(54) / max(i, 0),
			56:  pt(56) / max(i, 0),
			58:  pt(58) / max(i, 0),
			60:  pt(60) / max(i, 0),
			62:  pt(62) / max(i, 0),
			64:  pt(64) / max(i, 0),
			66:  pt(66) / max(i, 0),
			68:  pt(68) / max(i, 0),
			70:  pt(70) / max(i, 0),
			72:  pt(72) / max(i, 0),
			74:  pt(74) / max(i, 0),
			76:  pt(76) / max(i, 0),
			78:  pt(78) / max(i, 0),
			80:  pt(80) / max(i, 0),
			82:  pt(82) / max(i, 0),
			84:  pt(84) / max(i, 0),
			86:  pt(86) / max(i, 0),
			88:  pt(88) / max(i, 0),
			90:  pt(90) / max(i, 0),
			92:  pt(92) / max(i, 0),
			94:  pt(94) / max(i, 0),
			96:  pt(96) / max(i, 0),
			98:  pt(98) / max(i, 0),
			100: pt(100) / max(i, 0),
			102: pt(102) / max(i, 0),
			104: pt(104) / max(i, 0),
			106: pt(106) / max(i, 0),
			108: pt(108) / max(i, 0),
			110: pt(110) / max(i, 0),
			112: pt(112) / max(i, 0),
			114: pt(114) / max(i, 0),
			116: pt(116) / max(i, 0),
			118: pt(118) / max(i, 0),
		}
		done += list[118]
		if i == 3 {
			done += sum(i)
		}
	}
}

func main() {
	for _, r := range table() {
		fmt.Println(r)
	}
	fmt.Println(sum(1), text(3), text(70))
	fmt.Println(mixed(3))
	fmt.Println(mixed(4))
	each()
}
