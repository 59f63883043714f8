package rewrite

import (
	"go/constant"
	"go/types"
	"strconv"
)

// A variable that is declared with a number which is known, and has no other value, is what the
// compiler takes for a constant: it keeps it nowhere, and what is made with that length is known to
// have it. It would be one no longer if it were taken from a frame. So it is in none, but has its
// number from the beginning.
//
//	n := 1000                     var n int = 1000
//	for i := 0; i < n; i++ {      n = 1000
//
// Such a variable is not used again for another one.

// number returns how a number of a type is written, or nothing if it is none, or the type is not
// one of real numbers.
func number(v constant.Value, t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	if v == nil || !ok {
		return ""
	}
	switch info := b.Info(); {
	case info&types.IsInteger != 0:
		if v = constant.ToInt(v); v.Kind() == constant.Int {
			return v.ExactString()
		}
	case info&types.IsFloat != 0:
		if v = constant.ToFloat(v); v.Kind() == constant.Int || v.Kind() == constant.Float {
			size := 64
			f, _ := constant.Float64Val(v)
			if b.Kind() == types.Float32 {
				single, _ := constant.Float32Val(v)
				f, size = float64(single), 32
			}
			return strconv.FormatFloat(f, 'g', -1, size)
		}
	}
	return ""
}

// numberOf returns the number that a variable has for as long as it is there, if it is one.
func (f *facts) numberOf(v types.Object) string {
	if f.assigned[v] || f.addressed[v] || f.lent[v] {
		return ""
	}
	return f.numbers[v]
}
