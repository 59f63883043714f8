package heap

import (
	"math/big"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestOtherWords rebuilds numbers of math/big from images whose words are of the other size: an
// image of this machine in which the words were replaced. The numbers must be those that package
// big itself computes.
func TestOtherWords(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("the image is made of one with words of 64 bits")
	}
	rapid.Check(t, func(t *rapid.T) {
		type both struct {
			n, again *big.Int
			words    []big.Word // of n
			f        *big.Float
			single   big.Word
			array    [2]big.Word
			byName   map[string]big.Word
		}
		digits := rapid.SliceOfN(rapid.Uint32(), 0, 9).Draw(t, "digits")
		want := new(big.Int)
		for _, d := range digits {
			want.Lsh(want, 32).Or(want, big.NewInt(int64(d)))
		}
		mantissa := rapid.SliceOfN(rapid.Uint32(), 1, 9).Draw(t, "mantissa")
		mantissa[len(mantissa)-1] |= 1 << 31
		exp := rapid.IntRange(-100, 100).Draw(t, "exp")

		// As a machine with words of 32 bits has them. Its words are kept in those of this one.
		small := func(list []uint32) []big.Word {
			var words []big.Word
			for _, x := range list {
				words = append(words, big.Word(x))
			}
			return words
		}
		x := both{n: new(big.Int), f: new(big.Float), single: 7, array: [2]big.Word{8, 9}, byName: map[string]big.Word{"ten": 10}}
		var low []uint32
		for i := len(digits) - 1; i >= 0; i-- {
			low = append(low, digits[i])
		}
		for len(low) > 0 && low[len(low)-1] == 0 {
			low = low[:len(low)-1]
		}
		x.words = append(small(low), 0xdead)[:len(low)] // what is beyond the length does not count
		x.n.SetBits(x.words)
		x.again = x.n
		x.f.SetPrec(uint(32 * len(mantissa))).SetInt64(1)
		setMantissa(x.f, small(mantissa), exp)

		im := taken(t, []Root{{"x", &x}})
		for _, typ := range im.types {
			typ.narrow = typ.isWord()
		}
		var y both
		require.NoError(t, im.Rebuild([]Root{{"x", &y}}, Options{}))
		require.Equal(t, want.String(), y.n.String())
		require.Same(t, y.n, y.again)
		if len(low) > 0 {
			require.Same(t, &y.words[0], &y.n.Bits()[0])
			require.Len(t, y.words, (len(low)+1)/2)
		}
		m := new(big.Int)
		for i := len(mantissa) - 1; i >= 0; i-- {
			m.Lsh(m, 32).Or(m, big.NewInt(int64(mantissa[i])))
		}
		f := new(big.Float).SetPrec(x.f.Prec()).SetInt(m)
		f.SetMantExp(f, exp-32*len(mantissa))
		require.Zero(t, f.Cmp(y.f), "%v %v", f, y.f)
		require.Zero(t, new(big.Float).Sub(y.f, f).Sign())
		require.Equal(t, x.single, y.single)
		require.Equal(t, x.array, y.array)
		require.Equal(t, x.byName, y.byName)
	})
}

// setMantissa makes f a number with these words, which are not those of this machine.
func setMantissa(f *big.Float, words []big.Word, exp int) {
	v := reflect.ValueOf(f).Elem()
	*(*[]big.Word)(v.FieldByName("mant").Addr().UnsafePointer()) = words
	*(*int32)(v.FieldByName("exp").Addr().UnsafePointer()) = int32(exp)
}

// TestWordsRefused checks that what can't be converted is an error, and a word that is too large
// for its machine one, too.
func TestWordsRefused(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("the image is made of one with words of 64 bits")
	}
	var array [4]big.Word
	slice := []big.Word{1, 2, 3}
	for _, c := range []struct {
		root any
		why  string
	}{
		{&struct {
			a *[4]big.Word
			s []big.Word
		}{&array, array[1:3]}, "math/big"},
		{&struct {
			p *big.Word
			s []big.Word
		}{&slice[1], slice}, "*math/big.Word can't be rebuilt"},
		{&struct{ s []big.Word }{[]big.Word{^big.Word(0)}}, "a word of 32 bits"},
		{&struct{ s [][2]big.Word }{make([][2]big.Word, 3)}, "can't be rebuilt"},
	} {
		im := taken(t, []Root{{"x", c.root}})
		for _, typ := range im.types {
			typ.narrow = typ.isWord()
		}
		require.ErrorContains(t, im.Rebuild([]Root{{"x", c.root}}, Options{}), c.why)
	}
}
