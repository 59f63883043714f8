// Pages is programs of a page each, as they are written every day: none calls a checkpoint
// function, and all are deterministic. An argument says which one is run, and a second one how
// often, if not once; with none it lists them, and runs none.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// pages are the programs by name, what they are, and what returns their result.
var pages = []struct {
	name, what string
	run        func() any
}{
	{"fft", "Fourier transform, recursive", fftPage},
	{"lu", "determinant by elimination", luPage},
	{"cg", "conjugate gradients", cgPage},
	{"montecarlo", "Monte Carlo", montecarloPage},
	{"perceptron", "perceptron learns", perceptronPage},
	{"kmeans", "k-means", kmeansPage},
	{"bigint", "factorial of many digits", bigintPage},
	{"crc", "cyclic redundancy check", crcPage},
	{"levenshtein", "Levenshtein distance", levenshteinPage},
	{"kmp", "Knuth, Morris and Pratt's search", kmpPage},
	{"huffman", "Huffman code", huffmanPage},
	{"lz77", "Lempel and Ziv's references", lz77Page},
	{"words", "words counted", wordsPage},
	{"lexer", "lexer", lexerPage},
	{"json", "JSON parsed", jsonPage},
	{"regex", "regular expressions, recursive", regexPage},
	{"sortwords", "words sorted", sortwordsPage},
	{"dijkstra", "Dijkstra's paths", dijkstraPage},
	{"unionfind", "union and find", unionfindPage},
	{"bfs", "search in breadth on a grid", bfsPage},
	{"chain", "product of a chain of matrices", chainPage},
	{"knapsack", "knapsack", knapsackPage},
	{"trie", "trie of maps", triePage},
	{"lru", "LRU cache", lruPage},
	{"treap", "treap, generic", treapPage},
	{"skiplist", "skip list", skiplistPage},
	{"hashmap", "table with chains", hashmapPage},
	{"generics", "map, filter and reduce", genericsPage},
	{"shapes", "methods of interfaces", shapesPage},
	{"sudoku", "Sudoku", sudokuPage},
	{"permutations", "permutations", permutationsPage},
	{"queens", "queens by bits, a literal", queensPage},
	{"dlx", "exact cover by dancing links", dlxPage},
	{"life", "game of life", lifePage},
	{"raytrace", "rays traced", raytracePage},
	{"eventsim", "queue simulated by events", eventsimPage},
	{"genetic", "genetic algorithm", geneticPage},
	{"vm", "virtual machine", vmPage},
	{"pipeline", "pipeline of goroutines", pipelinePage},
}

func main() {
	runs := 1
	if len(os.Args) > 2 {
		n, err := strconv.Atoi(os.Args[2])
		if err != nil || n < 1 {
			fmt.Fprintf(os.Stderr, "pages: %q is no number of runs\n", os.Args[2])
			os.Exit(1)
		}
		runs = n
	}
	for _, p := range pages {
		switch {
		case len(os.Args) < 2:
			fmt.Printf("%s\t%s\n", p.name, p.what)
		case p.name == os.Args[1]:
			for range runs - 1 {
				p.run()
			}
			fmt.Println(p.run())
		}
	}
}
