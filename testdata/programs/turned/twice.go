package main

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
