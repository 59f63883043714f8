// Eigen decomposes matrices, fits a curve and integrates, with the libraries of gonum.
package main

import (
	"fmt"
	"math"
	"math/rand"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"
)

func main() {
	random := rand.New(rand.NewSource(1))
	const n = 24
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			symmetric.SetSym(i, j, random.NormFloat64())
		}
	}
	var eigen mat.EigenSym
	fmt.Println(eigen.Factorize(symmetric, true))
	values := eigen.Values(nil)
	for _, v := range values {
		fmt.Printf("%.9f\n", v)
	}
	fmt.Printf("%.6f %.6f\n", floats.Sum(values), stat.StdDev(values, nil))

	a := mat.NewDense(130, 130, nil)
	for i := range 130 {
		for j := range 130 {
			a.Set(i, j, random.Float64())
		}
	}
	var product mat.Dense
	product.Mul(a, a.T())
	fmt.Printf("%.6f\n", mat.Trace(&product))

	result, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { return math.Pow(1-x[0], 2) + 100*math.Pow(x[1]-x[0]*x[0], 2) },
	}, []float64{-1.2, 1}, &optimize.Settings{FuncEvaluations: 400}, &optimize.NelderMead{})
	fmt.Printf("%.6f %v\n", result.X, err)

	fmt.Printf("%.9f\n", quad.Fixed(math.Exp, 0, 1, 50, nil, 0))

	g := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
	for i := range int64(30) {
		for range 3 {
			if j := random.Int63n(30); j != i {
				g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(i), simple.Node(j), float64(random.Intn(20)+1)))
			}
		}
	}
	shortest := path.DijkstraAllPaths(g)
	for i := range int64(30) {
		fmt.Print(shortest.Weight(0, i), " ")
	}
	fmt.Println()
}
