// Turned takes checkpoints in loops that are large switches, before which each iteration does a little, and in loops
// that labels and gotos make.
package main

import (
	"errors"
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type machine struct {
	stack []int
	trace []string
	ticks int
}

func (m *machine) push(v int) { m.stack = append(m.stack, v) }

func (m *machine) pop() int {
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

// tick takes a checkpoint in some of the iterations.
func (m *machine) tick(every int) error {
	m.ticks++
	if m.ticks%every == 0 {
		ckp.Checkpoint()
	}
	if m.ticks > 5000 {
		return errors.New("too many ticks")
	}
	return nil
}

func (m *machine) note(format string, args ...any) {
	ckp.Checkpoint()
	m.trace = append(m.trace, fmt.Sprintf(format, args...))
}

type op int

const (
	constant op = iota
	add
	subtract
	multiply
	duplicate
	swap
	jump
	jumpIfZero
	print
	call
	times
	drop
	halt
	fail
	first // of those that compute something of one number
)

type instruction struct {
	op  op
	arg int
}

// run asks whether to go on before each instruction.
func (m *machine) run(code []instruction, every int) (result int, err error) {
	calls := 0
	for pc := 0; ; pc++ {
		if err := m.tick(every); err != nil {
			return calls, err
		}
		in := code[pc]
		if in.op == fail {
			break
		}
		switch in.op {
		case constant:
			m.push(in.arg)
		case add:
			m.push(m.pop() + m.pop())
		case subtract:
			b, a := m.pop(), m.pop()
			m.push(a - b)
		case multiply:
			m.push(m.pop() * m.pop() % 1000003)
		case duplicate:
			v := m.pop()
			m.push(v)
			m.push(v)
		case swap:
			b, a := m.pop(), m.pop()
			m.push(b)
			m.push(a)
		case jump:
			pc = in.arg - 1
			continue
		case jumpIfZero:
			if m.pop() == 0 {
				pc = in.arg - 1
			}
			continue
		case print:
			m.note("%d at %d", m.stack[len(m.stack)-1], pc)
		case call:
			calls++
			inner := &machine{stack: []int{calls, in.arg}}
			v, err := inner.run(code[in.arg:], every+1)
			if err != nil {
				return v, fmt.Errorf("call %d: %w", calls, err)
			}
			m.trace = append(m.trace, inner.trace...)
			m.push(v)
		case times:
			for i := 0; i < in.arg; i++ {
				if err := m.tick(3); err != nil {
					return i, err
				}
				m.push(m.pop() + i)
			}
		case drop:
			m.pop()
		case halt:
			return m.pop() + calls, nil
		case first + 0:
			v := m.pop()
			m.push(v*3 + 2)
			if v > 1000 {
				m.push(m.pop() % 97)
			}
		case first + 1:
			v := m.pop()
			m.push(v - 3*pc)
			if v > 2000 {
				m.push(m.pop() % 98)
			}
		case first + 2:
			v := m.pop()
			m.push(v ^ 4)
			if v > 3000 {
				m.push(m.pop() % 99)
			}
		case first + 3:
			v := m.pop()
			m.push(v + len(m.stack)*5)
			if v > 4000 {
				m.push(m.pop() % 100)
			}
		case first + 4:
			v := m.pop()
			m.push(v/2 + 6)
			if v > 5000 {
				m.push(m.pop() % 101)
			}
		case first + 5:
			v := m.pop()
			m.push((v<<3)%1009 - 7)
			if v > 6000 {
				m.push(m.pop() % 102)
			}
		case first + 6:
			v := m.pop()
			m.push(v*3 + 8)
			if v > 7000 {
				m.push(m.pop() % 103)
			}
		case first + 7:
			v := m.pop()
			m.push(v - 9*pc)
			if v > 8000 {
				m.push(m.pop() % 104)
			}
		case first + 8:
			v := m.pop()
			m.push(v ^ 10)
			if v > 9000 {
				m.push(m.pop() % 105)
			}
		case first + 9:
			v := m.pop()
			m.push(v + len(m.stack)*11)
			if v > 10000 {
				m.push(m.pop() % 106)
			}
		case first + 10:
			v := m.pop()
			m.push(v/2 + 12)
			if v > 11000 {
				m.push(m.pop() % 107)
			}
		case first + 11:
			v := m.pop()
			m.push((v<<3)%1009 - 13)
			if v > 12000 {
				m.push(m.pop() % 108)
			}
		case first + 12:
			v := m.pop()
			m.push(v*3 + 14)
			if v > 13000 {
				m.push(m.pop() % 109)
			}
		case first + 13:
			v := m.pop()
			m.push(v - 15*pc)
			if v > 14000 {
				m.push(m.pop() % 110)
			}
		case first + 14:
			v := m.pop()
			m.push(v ^ 16)
			if v > 15000 {
				m.push(m.pop() % 111)
			}
		case first + 15:
			v := m.pop()
			m.push(v + len(m.stack)*17)
			if v > 16000 {
				m.push(m.pop() % 112)
			}
		case first + 16:
			v := m.pop()
			m.push(v/2 + 18)
			if v > 17000 {
				m.push(m.pop() % 113)
			}
		case first + 17:
			v := m.pop()
			m.push((v<<3)%1009 - 19)
			if v > 18000 {
				m.push(m.pop() % 114)
			}
		case first + 18:
			v := m.pop()
			m.push(v*3 + 20)
			if v > 19000 {
				m.push(m.pop() % 115)
			}
		case first + 19:
			v := m.pop()
			m.push(v - 21*pc)
			if v > 20000 {
				m.push(m.pop() % 116)
			}
		case first + 20:
			v := m.pop()
			m.push(v ^ 22)
			if v > 21000 {
				m.push(m.pop() % 117)
			}
		case first + 21:
			v := m.pop()
			m.push(v + len(m.stack)*23)
			if v > 22000 {
				m.push(m.pop() % 118)
			}
		case first + 22:
			v := m.pop()
			m.push(v/2 + 24)
			if v > 23000 {
				m.push(m.pop() % 119)
			}
		case first + 23:
			v := m.pop()
			m.push((v<<3)%1009 - 25)
			if v > 24000 {
				m.push(m.pop() % 120)
			}
		default:
			return 0, fmt.Errorf("no such instruction: %d", in.op)
		}
	}
	return -1, errors.New("failed")
}

// parse has the form of a parser that goyacc makes: the ways out stand first, and gotos make the loops.
func parse(text string, m *machine) (sum int, ok bool) {
	var (
		state, position, depth int
		char                   = -1
		states                 []int
	)
	goto begin
bad:
	return sum, false
good:
	return sum, true
begin:
	if len(states) > 40 {
		m.note("deep %d", depth)
		goto bad
	}
	states = append(states, state)
again:
	if char < 0 {
		char = next(text, &position)
		if char == '!' {
			goto recovering
		}
	}
	if char == '(' {
		depth++
		state = 1
		char = -1
		goto begin
	}
	if char == ')' {
		depth--
		if depth < 0 {
			goto bad
		}
		char = -1
		states = states[:len(states)-1]
		goto again
	}
	goto reduce
recovering:
	for depth > 0 {
		depth--
		m.note("recovers %d", depth)
		if depth == 1 {
			char = -1
			goto again
		}
	}
	char = -1
reduce:
	switch char {
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		sum += (char - '0') * (depth + 1)
	case 'a':
		sum *= 2
	case 'b':
		sum -= depth
	case 'c':
		m.push(sum)
	case 'd':
		if len(m.stack) > 0 {
			sum += m.pop()
		}
	case 'e':
		sum ^= position
	case 'f':
		for i := range 3 {
			sum += i * depth
		}
	case 'h':
		if sum > 0 {
			sum -= 3 * depth
		} else {
			sum += position % 2
		}
	case 'i':
		if sum > 10 {
			sum -= 4 * depth
		} else {
			sum += position % 3
		}
	case 'j':
		if sum > 20 {
			sum -= 5 * depth
		} else {
			sum += position % 4
		}
	case 'k':
		if sum > 30 {
			sum -= 6 * depth
		} else {
			sum += position % 5
		}
	case 'l':
		if sum > 40 {
			sum -= 7 * depth
		} else {
			sum += position % 6
		}
	case 'm':
		if sum > 50 {
			sum -= 8 * depth
		} else {
			sum += position % 7
		}
	case 'n':
		if sum > 60 {
			sum -= 9 * depth
		} else {
			sum += position % 8
		}
	case 'o':
		if sum > 70 {
			sum -= 10 * depth
		} else {
			sum += position % 9
		}
	case 'p':
		if sum > 80 {
			sum -= 11 * depth
		} else {
			sum += position % 10
		}
	case 'q':
		if sum > 90 {
			sum -= 12 * depth
		} else {
			sum += position % 11
		}
	case 'r':
		if sum > 100 {
			sum -= 13 * depth
		} else {
			sum += position % 12
		}
	case 's':
		if sum > 110 {
			sum -= 14 * depth
		} else {
			sum += position % 13
		}
	case 't':
		if sum > 120 {
			sum -= 15 * depth
		} else {
			sum += position % 14
		}
	case 'u':
		if sum > 130 {
			sum -= 16 * depth
		} else {
			sum += position % 15
		}
	case 'v':
		if sum > 140 {
			sum -= 17 * depth
		} else {
			sum += position % 16
		}
	case 'w':
		if sum > 150 {
			sum -= 18 * depth
		} else {
			sum += position % 17
		}
	case 'y':
		if sum > 160 {
			sum -= 19 * depth
		} else {
			sum += position % 18
		}
	case 'z':
		if sum > 170 {
			sum -= 20 * depth
		} else {
			sum += position % 19
		}
	case 'A':
		if sum > 180 {
			sum -= 21 * depth
		} else {
			sum += position % 20
		}
	case 'B':
		if sum > 190 {
			sum -= 22 * depth
		} else {
			sum += position % 21
		}
	case 'C':
		if sum > 200 {
			sum -= 23 * depth
		} else {
			sum += position % 22
		}
	case 'D':
		if sum > 210 {
			sum -= 24 * depth
		} else {
			sum += position % 23
		}
	case 'E':
		if sum > 220 {
			sum -= 25 * depth
		} else {
			sum += position % 24
		}
	case 'F':
		if sum > 230 {
			sum -= 26 * depth
		} else {
			sum += position % 25
		}
	case 'G':
		if sum > 240 {
			sum -= 27 * depth
		} else {
			sum += position % 26
		}
	case 'H':
		if sum > 250 {
			sum -= 28 * depth
		} else {
			sum += position % 27
		}
	case 'I':
		if sum > 260 {
			sum -= 29 * depth
		} else {
			sum += position % 28
		}
	case 'J':
		if sum > 270 {
			sum -= 30 * depth
		} else {
			sum += position % 29
		}
	case 'K':
		if sum%2 == position%3 {
			sum -= 3 * depth
			position += depth / 50
		} else {
			sum += position % 2
		}
	case 'L':
		if sum%3 == position%4 {
			sum -= 4 * depth
			position += depth / 50
		} else {
			sum += position % 3
		}
	case 'M':
		if sum%4 == position%5 {
			sum -= 5 * depth
			position += depth / 50
		} else {
			sum += position % 4
		}
	case 'N':
		if sum%5 == position%6 {
			sum -= 6 * depth
			position += depth / 50
		} else {
			sum += position % 5
		}
	case 'O':
		if sum%6 == position%7 {
			sum -= 7 * depth
			position += depth / 50
		} else {
			sum += position % 6
		}
	case 'P':
		if sum%7 == position%8 {
			sum -= 8 * depth
			position += depth / 50
		} else {
			sum += position % 7
		}
	case 'Q':
		if sum%8 == position%9 {
			sum -= 9 * depth
			position += depth / 50
		} else {
			sum += position % 8
		}
	case 'R':
		if sum%9 == position%10 {
			sum -= 10 * depth
			position += depth / 50
		} else {
			sum += position % 9
		}
	case 'S':
		if sum%10 == position%11 {
			sum -= 11 * depth
			position += depth / 50
		} else {
			sum += position % 10
		}
	case 'T':
		if sum%11 == position%12 {
			sum -= 12 * depth
			position += depth / 50
		} else {
			sum += position % 11
		}
	case 'U':
		if sum%12 == position%13 {
			sum -= 13 * depth
			position += depth / 50
		} else {
			sum += position % 12
		}
	case 'V':
		if sum%13 == position%14 {
			sum -= 14 * depth
			position += depth / 50
		} else {
			sum += position % 13
		}
	case 'W':
		if sum%14 == position%15 {
			sum -= 15 * depth
			position += depth / 50
		} else {
			sum += position % 14
		}
	case 'X':
		if sum%15 == position%16 {
			sum -= 16 * depth
			position += depth / 50
		} else {
			sum += position % 15
		}
	case 'Y':
		if sum%16 == position%17 {
			sum -= 17 * depth
			position += depth / 50
		} else {
			sum += position % 16
		}
	case 'Z':
		if sum%17 == position%18 {
			sum -= 18 * depth
			position += depth / 50
		} else {
			sum += position % 17
		}
	case '#':
		if sum%18 == position%19 {
			sum -= 19 * depth
			position += depth / 50
		} else {
			sum += position % 18
		}
	case '$':
		if sum%19 == position%20 {
			sum -= 20 * depth
			position += depth / 50
		} else {
			sum += position % 19
		}
	case '%':
		if sum%20 == position%21 {
			sum -= 21 * depth
			position += depth / 50
		} else {
			sum += position % 20
		}
	case '&':
		if sum%21 == position%22 {
			sum -= 22 * depth
			position += depth / 50
		} else {
			sum += position % 21
		}
	case '*':
		if sum%22 == position%23 {
			sum -= 23 * depth
			position += depth / 50
		} else {
			sum += position % 22
		}
	case '+':
		if sum%23 == position%24 {
			sum -= 24 * depth
			position += depth / 50
		} else {
			sum += position % 23
		}
	case ',':
		if sum%24 == position%25 {
			sum -= 25 * depth
			position += depth / 50
		} else {
			sum += position % 24
		}
	case '-':
		if sum%25 == position%26 {
			sum -= 26 * depth
			position += depth / 50
		} else {
			sum += position % 25
		}
	case '.':
		if sum%26 == position%27 {
			sum -= 27 * depth
			position += depth / 50
		} else {
			sum += position % 26
		}
	case '/':
		if sum%27 == position%28 {
			sum -= 28 * depth
			position += depth / 50
		} else {
			sum += position % 27
		}
	case ':':
		if sum%28 == position%29 {
			sum -= 29 * depth
			position += depth / 50
		} else {
			sum += position % 28
		}
	case ';':
		if sum%29 == position%30 {
			sum -= 30 * depth
			position += depth / 50
		} else {
			sum += position % 29
		}
	case '<':
		if sum%30 == position%31 {
			sum -= 31 * depth
			position += depth / 50
		} else {
			sum += position % 30
		}
	case '=':
		if sum%31 == position%32 {
			sum -= 32 * depth
			position += depth / 50
		} else {
			sum += position % 31
		}
	case '>':
		if sum%32 == position%33 {
			sum -= 33 * depth
			position += depth / 50
		} else {
			sum += position % 32
		}
	case '?':
		if sum%33 == position%34 {
			sum -= 34 * depth
			position += depth / 50
		} else {
			sum += position % 33
		}
	case '@':
		if sum%34 == position%35 {
			sum -= 35 * depth
			position += depth / 50
		} else {
			sum += position % 34
		}
	case ' ', -1:
	case 0:
		if depth == 0 {
			goto good
		}
		goto bad
	default:
		m.trace = append(m.trace, fmt.Sprintf("odd %c", char))
	}
	char = -1
	states = states[:len(states)-1]
	if len(states) > 1 && depth == 0 {
		states = states[:1]
	}
	goto begin
}

// next takes a checkpoint for each character.
func next(text string, position *int) int {
	ckp.Checkpoint()
	if *position == len(text) {
		return 0
	}
	c := text[*position]
	*position++
	return int(c)
}

// backtracks has a loop that a goto goes back to, besides the for statement.
func backtracks(m *machine, n int) (found []int) {
	var forks [][2]int
	pc, value := 0, 0
	back := false
	defer func() { found = append(found, pc, value) }()
loop:
	for ; pc < n; pc++ {
		switch (pc*7 + value) % 11 {
		case 0, 5:
			if back {
				back = false
				break
			}
			forks = append(forks, [2]int{pc + 1, value + 1})
		case 1:
			m.note("value %d", value)
			value += 2
		case 2:
			if len(forks)%3 == 2 {
				break loop
			}
		case 3:
			value++
			continue
		case 4:
			if value > 60 {
				goto end
			}
			value += pc
			pc++
			goto loop
		default:
			if m.tick(2) != nil {
				return found
			}
		}
		found = append(found, value)
	}
end:
	if len(forks) > 0 && len(found) < 60 {
		pc, value = forks[len(forks)-1][0], forks[len(forks)-1][1]
		forks, back = forks[:len(forks)-1], true
		goto loop
	}
	return found
}

// twice has two such loops, one right behind the other, of which the first ends where the second begins.
func twice(m *machine, n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		if m.tick(2) != nil {
			return -1
		}
		switch sum % 9 {
		case 0:
			sum += 4
		case 1:
			sum += i
		case 2:
			sum *= 3
		case 3:
			sum -= 2
		case 4:
			m.note("sum %d", sum)
			sum++
		case 5:
			sum += 10
		case 6:
			sum += 2
		case 7:
			sum ^= 1
		default:
			sum += 7
		}
	}
	for sum > 0 {
		if m.tick(3) != nil {
			return -2
		}
		switch sum % 40 {
		case 0:
			sum -= 1
			if n > 100+sum {
				n = n*3/4 - 0
			}
			if n%2 == 1 && sum%3 == 2 {
				n += 1
			}
		case 1:
			sum -= 2
			if n > 99+sum {
				n = n*3/4 - 1
			}
			if n%3 == 1 && sum%4 == 2 {
				n += 2
			}
		case 2:
			sum -= 3
			if n > 98+sum {
				n = n*3/4 - 2
			}
			if n%4 == 1 && sum%5 == 2 {
				n += 3
			}
		case 3:
			sum -= 4
			if n > 97+sum {
				n = n*3/4 - 3
			}
			if n%5 == 1 && sum%6 == 2 {
				n += 4
			}
		case 4:
			sum -= 5
			if n > 96+sum {
				n = n*3/4 - 4
			}
			if n%6 == 1 && sum%7 == 2 {
				n += 5
			}
		case 5:
			sum -= 6
			if n > 95+sum {
				n = n*3/4 - 5
			}
			if n%7 == 1 && sum%8 == 2 {
				n += 1
			}
		case 6:
			sum -= 7
			if n > 94+sum {
				n = n*3/4 - 6
			}
			if n%8 == 1 && sum%9 == 2 {
				n += 2
			}
		case 7:
			sum -= 1
			if n > 93+sum {
				n = n*3/4 - 7
			}
			if n%9 == 1 && sum%10 == 2 {
				n += 3
			}
		case 8:
			sum -= 2
			if n > 92+sum {
				n = n*3/4 - 8
			}
			if n%10 == 1 && sum%11 == 2 {
				n += 4
			}
		case 9:
			m.note("rest %d", sum)
			sum--
			if n > 91+sum {
				n = n*3/4 - 9
			}
			if n%11 == 1 && sum%12 == 2 {
				n += 5
			}
		case 10:
			sum -= 4
			if n > 90+sum {
				n = n*3/4 - 10
			}
			if n%12 == 1 && sum%13 == 2 {
				n += 1
			}
		case 11:
			sum -= 5
			if n > 89+sum {
				n = n*3/4 - 11
			}
			if n%13 == 1 && sum%14 == 2 {
				n += 2
			}
		case 12:
			sum -= 6
			if n > 88+sum {
				n = n*3/4 - 12
			}
			if n%14 == 1 && sum%15 == 2 {
				n += 3
			}
		case 13:
			sum -= 7
			if n > 87+sum {
				n = n*3/4 - 13
			}
			if n%15 == 1 && sum%16 == 2 {
				n += 4
			}
		case 14:
			sum -= 1
			if n > 86+sum {
				n = n*3/4 - 14
			}
			if n%16 == 1 && sum%17 == 2 {
				n += 5
			}
		case 15:
			sum -= 2
			if n > 85+sum {
				n = n*3/4 - 15
			}
			if n%17 == 1 && sum%18 == 2 {
				n += 1
			}
		case 16:
			sum -= 3
			if n > 84+sum {
				n = n*3/4 - 16
			}
			if n%18 == 1 && sum%19 == 2 {
				n += 2
			}
		case 17:
			sum -= 4
			if n > 83+sum {
				n = n*3/4 - 17
			}
			if n%19 == 1 && sum%20 == 2 {
				n += 3
			}
		case 18:
			sum -= 5
			if n > 82+sum {
				n = n*3/4 - 18
			}
			if n%20 == 1 && sum%21 == 2 {
				n += 4
			}
		case 19:
			sum -= 6
			if n > 81+sum {
				n = n*3/4 - 19
			}
			if n%21 == 1 && sum%22 == 2 {
				n += 5
			}
		case 20:
			sum -= 7
			if n > 80+sum {
				n = n*3/4 - 20
			}
			if n%22 == 1 && sum%23 == 2 {
				n += 1
			}
		case 21:
			sum -= 1
			if n > 79+sum {
				n = n*3/4 - 21
			}
			if n%23 == 1 && sum%24 == 2 {
				n += 2
			}
		case 22:
			sum -= 2
			if n > 78+sum {
				n = n*3/4 - 22
			}
			if n%24 == 1 && sum%25 == 2 {
				n += 3
			}
		case 23:
			sum -= 3
			if n > 77+sum {
				n = n*3/4 - 23
			}
			if n%25 == 1 && sum%26 == 2 {
				n += 4
			}
		case 24:
			sum -= 4
			if n > 76+sum {
				n = n*3/4 - 24
			}
			if n%26 == 1 && sum%27 == 2 {
				n += 5
			}
		case 25:
			sum -= 5
			if n > 75+sum {
				n = n*3/4 - 25
			}
			if n%27 == 1 && sum%28 == 2 {
				n += 1
			}
		case 26:
			sum -= 6
			if n > 74+sum {
				n = n*3/4 - 26
			}
			if n%28 == 1 && sum%29 == 2 {
				n += 2
			}
		case 27:
			sum -= 7
			if n > 73+sum {
				n = n*3/4 - 27
			}
			if n%29 == 1 && sum%30 == 2 {
				n += 3
			}
		case 28:
			sum -= 1
			if n > 72+sum {
				n = n*3/4 - 28
			}
			if n%30 == 1 && sum%31 == 2 {
				n += 4
			}
		case 29:
			sum -= 2
			if n > 71+sum {
				n = n*3/4 - 29
			}
			if n%31 == 1 && sum%32 == 2 {
				n += 5
			}
		case 30:
			sum -= 3
			if n > 70+sum {
				n = n*3/4 - 30
			}
			if n%32 == 1 && sum%33 == 2 {
				n += 1
			}
		case 31:
			sum -= 4
			if n > 69+sum {
				n = n*3/4 - 31
			}
			if n%33 == 1 && sum%34 == 2 {
				n += 2
			}
		case 32:
			sum -= 5
			if n > 68+sum {
				n = n*3/4 - 32
			}
			if n%34 == 1 && sum%35 == 2 {
				n += 3
			}
		case 33:
			sum -= 6
			if n > 67+sum {
				n = n*3/4 - 33
			}
			if n%35 == 1 && sum%36 == 2 {
				n += 4
			}
		case 34:
			sum -= 7
			if n > 66+sum {
				n = n*3/4 - 34
			}
			if n%36 == 1 && sum%37 == 2 {
				n += 5
			}
		case 35:
			sum -= 1
			if n > 65+sum {
				n = n*3/4 - 35
			}
			if n%37 == 1 && sum%38 == 2 {
				n += 1
			}
		default:
			sum -= 7
		}
	}
	return sum*1000 + n
}

// merged goes on with its loop only from within the long statement in the middle, at which the loop is entered.
func merged(m *machine, n int) int {
	sum := 0
	old := []int{1, 2}
	for ; n > 0; n-- {
		if n%4 != 3 && m.tick(2) != nil {
			return -1
		}
		if len(old) > 1 && n%3 != 1 {
			switch (n + sum) % 41 {
			case 0:
				if n%3 == 1 {
					old = append(old[:0], n*2, n-0)
					sum += len(old) * 1
					continue
				}
				sum ^= n + 0
			case 1:
				if n%4 == 1 {
					old = append(old[:1], n*3, n-1)
					sum += len(old) * 2
					continue
				}
				sum ^= n + 5
			case 2:
				if n%5 == 1 {
					old = append(old[:0], n*4, n-2)
					sum += len(old) * 3
					continue
				}
				sum ^= n + 10
			case 3:
				if n%6 == 1 {
					old = append(old[:1], n*5, n-3)
					sum += len(old) * 4
					continue
				}
				sum ^= n + 15
			case 4:
				if n%7 == 1 {
					old = append(old[:0], n*6, n-4)
					sum += len(old) * 5
					continue
				}
				sum ^= n + 20
			case 5:
				if n%8 == 1 {
					old = append(old[:1], n*7, n-5)
					sum += len(old) * 6
					continue
				}
				sum ^= n + 25
			case 6:
				if n%9 == 1 {
					old = append(old[:0], n*8, n-6)
					sum += len(old) * 7
					continue
				}
				sum ^= n + 30
			case 7:
				if n%10 == 1 {
					old = append(old[:1], n*9, n-7)
					sum += len(old) * 8
					continue
				}
				sum ^= n + 35
			case 8:
				if n%11 == 1 {
					old = append(old[:0], n*10, n-8)
					sum += len(old) * 9
					continue
				}
				sum ^= n + 40
			case 9:
				if n%3 == 1 {
					old = append(old[:1], n*11, n-9)
					sum += len(old) * 10
					continue
				}
				sum ^= n + 45
			case 10:
				if n%4 == 1 {
					old = append(old[:0], n*12, n-10)
					sum += len(old) * 11
					continue
				}
				sum ^= n + 50
			case 11:
				if n%5 == 1 {
					old = append(old[:1], n*13, n-11)
					sum += len(old) * 12
					continue
				}
				sum ^= n + 55
			case 12:
				if n%6 == 1 {
					old = append(old[:0], n*14, n-12)
					sum += len(old) * 13
					continue
				}
				sum ^= n + 60
			case 13:
				if n%7 == 1 {
					old = append(old[:1], n*15, n-13)
					sum += len(old) * 14
					continue
				}
				sum ^= n + 65
			case 14:
				if n%8 == 1 {
					old = append(old[:0], n*16, n-14)
					sum += len(old) * 15
					continue
				}
				sum ^= n + 70
			case 15:
				if n%9 == 1 {
					old = append(old[:1], n*17, n-15)
					sum += len(old) * 16
					continue
				}
				sum ^= n + 75
			case 16:
				if n%10 == 1 {
					old = append(old[:0], n*18, n-16)
					sum += len(old) * 17
					continue
				}
				sum ^= n + 80
			case 17:
				if n%11 == 1 {
					old = append(old[:1], n*19, n-17)
					sum += len(old) * 18
					continue
				}
				sum ^= n + 85
			case 18:
				if n%3 == 1 {
					old = append(old[:0], n*20, n-18)
					sum += len(old) * 19
					continue
				}
				sum ^= n + 90
			case 19:
				if n%4 == 1 {
					old = append(old[:1], n*21, n-19)
					sum += len(old) * 20
					continue
				}
				sum ^= n + 95
			case 20:
				if n%5 == 1 {
					old = append(old[:0], n*22, n-20)
					sum += len(old) * 21
					continue
				}
				sum ^= n + 100
			case 21:
				if n%6 == 1 {
					old = append(old[:1], n*23, n-21)
					sum += len(old) * 22
					continue
				}
				sum ^= n + 105
			case 22:
				if n%7 == 1 {
					old = append(old[:0], n*24, n-22)
					sum += len(old) * 23
					continue
				}
				sum ^= n + 110
			case 23:
				if n%8 == 1 {
					old = append(old[:1], n*25, n-23)
					sum += len(old) * 24
					continue
				}
				sum ^= n + 115
			case 24:
				if n%9 == 1 {
					old = append(old[:0], n*26, n-24)
					sum += len(old) * 25
					continue
				}
				sum ^= n + 120
			case 25:
				if n%10 == 1 {
					old = append(old[:1], n*27, n-25)
					sum += len(old) * 26
					continue
				}
				sum ^= n + 125
			case 26:
				if n%11 == 1 {
					old = append(old[:0], n*28, n-26)
					sum += len(old) * 27
					continue
				}
				sum ^= n + 130
			case 27:
				if n%3 == 1 {
					old = append(old[:1], n*29, n-27)
					sum += len(old) * 28
					continue
				}
				sum ^= n + 135
			case 28:
				if n%4 == 1 {
					old = append(old[:0], n*30, n-28)
					sum += len(old) * 29
					continue
				}
				sum ^= n + 140
			case 29:
				if n%5 == 1 {
					old = append(old[:1], n*31, n-29)
					sum += len(old) * 30
					continue
				}
				sum ^= n + 145
			case 30:
				if n%6 == 1 {
					old = append(old[:0], n*32, n-30)
					sum += len(old) * 31
					continue
				}
				sum ^= n + 150
			case 31:
				if n%7 == 1 {
					old = append(old[:1], n*33, n-31)
					sum += len(old) * 32
					continue
				}
				sum ^= n + 155
			case 32:
				if n%8 == 1 {
					old = append(old[:0], n*34, n-32)
					sum += len(old) * 33
					continue
				}
				sum ^= n + 160
			case 33:
				if n%9 == 1 {
					old = append(old[:1], n*35, n-33)
					sum += len(old) * 34
					continue
				}
				sum ^= n + 165
			case 34:
				if n%10 == 1 {
					old = append(old[:0], n*36, n-34)
					sum += len(old) * 35
					continue
				}
				sum ^= n + 170
			case 35:
				if n%11 == 1 {
					old = append(old[:1], n*37, n-35)
					sum += len(old) * 36
					continue
				}
				sum ^= n + 175
			case 36:
				if n%3 == 1 {
					old = append(old[:0], n*38, n-36)
					sum += len(old) * 37
					continue
				}
				sum ^= n + 180
			case 37:
				if n%4 == 1 {
					old = append(old[:1], n*39, n-37)
					sum += len(old) * 38
					continue
				}
				sum ^= n + 185
			case 38:
				if n%5 == 1 {
					old = append(old[:0], n*40, n-38)
					sum += len(old) * 39
					continue
				}
				sum ^= n + 190
			case 39:
				if n%6 == 1 {
					old = append(old[:1], n*41, n-39)
					sum += len(old) * 40
					continue
				}
				sum ^= n + 195
			}
			if sum > 100000 {
				old = old[:1]
				continue
			}
		}
		old = append(old, n)
		m.note("sum %d", sum)
		if n%5 == 4 {
			m.note("old %d", len(old))
		}
	}
	return sum
}

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
