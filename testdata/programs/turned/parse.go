package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

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
