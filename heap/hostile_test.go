package heap

import (
	"bytes"
	"math/rand"
	"testing"
	"time"
)

// TestHostile changes images with an eye for what hurts: words become other
// words of the image, references, huge numbers; checksums are right.
func TestHostile(t *testing.T) {
	good := imageOf(t, newWorld())
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	end := time.Now().Add(2 * time.Second)
	tried, accepted := 0, 0
	for time.Now().Before(end) {
		b := bytes.Clone(good)
		for range 1 + r.Intn(3) {
			at := r.Intn(len(b))
			switch r.Intn(6) {
			case 0:
				b[at] = byte(r.Intn(256))
			case 1:
				b[at] = byte(r.Intn(16))
			case 2: // a word from elsewhere
				at, from := at&^7, r.Intn(len(b)-8)&^7
				if at+8 <= len(b) {
					copy(b[at:at+8], good[from:])
				}
			case 3: // a reference
				if at &^= 7; at+8 <= len(b) {
					le.PutUint64(b[at:], reference(r.Intn(9), uint64(r.Intn(70))))
				}
			case 4:
				if at &^= 7; at+8 <= len(b) {
					le.PutUint64(b[at:], []uint64{1 << 63, 1<<64 - 1, 1 << 46, 1 << 31, 1 << 40, 7, 0}[r.Intn(7)])
				}
			case 5:
				b[at] ^= 1 << r.Intn(8)
			}
		}
		tried++
		if endure(t, reseal(b), new(world)) {
			accepted++
		}
	}
	t.Logf("%d images, %d accepted", tried, accepted)
}
