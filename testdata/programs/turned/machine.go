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
