package main

import (
	"fmt"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
)

// integers are large: package big keeps them in words of the machine.
type integers struct {
	factorial, power, negative, zero, bit *big.Int
	fib                                   [2]big.Int
	byValue                               []big.Int
	rat                                   *big.Rat
	exact                                 map[string]*big.Int
	words                                 []big.Word // of factorial
	any                                   any
}

func newIntegers() *integers {
	n := &integers{factorial: big.NewInt(1), power: big.NewInt(3), negative: big.NewInt(-1), zero: new(big.Int), bit: big.NewInt(1), rat: big.NewRat(1, 3), exact: map[string]*big.Int{}}
	n.fib[1].SetInt64(1)
	n.byValue = make([]big.Int, 3)
	for i := range 40 {
		n.factorial.Mul(n.factorial, big.NewInt(int64(i+1)))
	}
	return n
}

func (b *integers) step(n int) {
	for i := range 13 {
		b.factorial.Mul(b.factorial, big.NewInt(int64(41+13*n+i)))
		b.power.Mul(b.power, b.power).Mod(b.power, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 521), big.NewInt(1)))
		b.negative.Mul(pt(b.negative), big.NewInt(1000003))
		b.bit.Lsh(b.bit, 31) // at each place of a word
		b.fib[0].Add(&b.fib[0], &b.fib[1])
		b.fib[0], b.fib[1] = b.fib[1], b.fib[0]
		b.rat.Add(b.rat, big.NewRat(int64(i+1), int64(7*n+i+5)))
		b.byValue[i%3].SetBit(&b.byValue[i%3], 32*i, 1)
		name := fmt.Sprint(n, i)
		b.exact[name] = new(big.Int).Exp(big.NewInt(7), big.NewInt(int64(i)), nil)
	}
	b.words = b.factorial.Bits()
	b.any = new(big.Int).Set(b.factorial)
}

func (b *integers) end() string {
	again := new(big.Int).SetBits(b.words)
	return fmt.Sprint(b.factorial, b.power, b.negative, b.zero, b.bit, &b.fib[0], &b.fib[1], b.byValue[0].Text(16), b.byValue[1].Text(16), b.byValue[2].Text(16), b.rat,
		again.Cmp(b.factorial), &b.words[0] == &b.factorial.Bits()[0], b.any, b.exact, b.factorial.TrailingZeroBits(), b.negative.BitLen())
}

// fractions are large, too, and begin at the other end of their words.
type fractions struct {
	precs []*big.Float
	pi    *big.Float
	zero  big.Float
	inf   *big.Float
}

func newFractions() *fractions {
	f := &fractions{pi: new(big.Float).SetPrec(300).SetInt64(3), inf: new(big.Float).SetInf(true)}
	for _, prec := range []uint{1, 24, 31, 32, 33, 53, 63, 64, 65, 95, 96, 97, 128, 200, 1000} {
		f.precs = append(f.precs, new(big.Float).SetPrec(prec).SetMode(big.ToNegativeInf).SetFloat64(1.25))
	}
	return f
}

func (f *fractions) step(n int) {
	third := new(big.Float).SetPrec(300).Quo(big.NewFloat(1), big.NewFloat(float64(2*n+3)))
	if n%2 == 0 {
		third.Neg(third)
	}
	f.pi.Add(f.pi, third)
	for i, x := range f.precs {
		x.Mul(pt(x), big.NewFloat(float64(i)+0.7))
		x.Add(x, third)
	}
}

func (f *fractions) end() string {
	s := fmt.Sprint(f.pi.Text('p', 0), f.inf, &f.zero)
	for _, x := range f.precs {
		i, exact := x.Int(nil)
		s += fmt.Sprint(" ", x.Text('p', 0), " ", x.Prec(), x.MinPrec(), x.Acc(), i, exact)
	}
	return s
}

// generators of random numbers.
type generators struct {
	old    *rand.Rand
	pcg    *randv2.Rand
	chacha *randv2.Rand
	source *randv2.ChaCha8
	zipf   *randv2.Zipf
	sum    uint64
}

func newGenerators() *generators {
	g := &generators{old: rand.New(rand.NewSource(7)), pcg: randv2.New(randv2.NewPCG(1, 2)), source: randv2.NewChaCha8([32]byte([]byte("chacha8: 32-byte seed for a test")))}
	g.chacha = randv2.New(g.source)
	g.zipf = randv2.NewZipf(g.pcg, 1.5, 2, 1000)
	return g
}

func (g *generators) step(n int) {
	for range 9 {
		g.sum = g.sum*31 + uint64(g.old.Int63()) ^ g.pcg.Uint64() ^ pt(g.chacha.Uint64())
		g.sum += g.zipf.Uint64() + uint64(g.old.Intn(1000)) + uint64(g.pcg.IntN(77)) + uint64(g.chacha.Uint32())
	}
	b := make([]byte, 5+n)
	g.source.Read(b) // leaves a part of a word for the next
	g.old.Read(b[:3])
	for _, x := range b {
		g.sum = g.sum*257 + uint64(x)
	}
}

func (g *generators) end() string {
	return fmt.Sprint(g.sum, g.old.Perm(5), g.pcg.Perm(5), g.chacha.Float64(), g.old.NormFloat64(), g.pcg.ExpFloat64())
}
