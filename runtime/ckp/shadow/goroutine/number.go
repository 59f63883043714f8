package goroutine

import "runtime"

// Number returns the number of the calling goroutine, as the header of its stack trace
// tells it ("goroutine 12 [running]:"). It takes microseconds.
func Number() uint64 {
	var buf [40]byte
	n := runtime.Stack(buf[:], false)
	var id uint64
	for _, c := range buf[len("goroutine "):n] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uint64(c-'0')
	}
	return id
}
