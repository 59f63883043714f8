package main

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
