// Chess plays against itself, with the rules of a public module.
package main

import (
	"fmt"

	"github.com/corentings/chess/v2"
)

var worth = map[chess.PieceType]int{chess.Pawn: 100, chess.Knight: 300, chess.Bishop: 310, chess.Rook: 500, chess.Queen: 900}

// score is the balance of the pieces, for who is to move.
func score(p *chess.Position) int {
	s := 0
	for _, pc := range p.Board().SquareMap() {
		v := worth[pc.Type()]
		if pc.Color() != p.Turn() {
			v = -v
		}
		s += v
	}
	return s
}

// search is the alpha-beta algorithm.
func search(p *chess.Position, depth, alpha, beta int, nodes *int) int {
	*nodes++
	if depth == 0 {
		return score(p)
	}
	for _, m := range p.ValidMoves() {
		if v := -search(p.Update(&m), depth-1, -beta, -alpha, nodes); v > alpha {
			alpha = v
			if alpha >= beta {
				return alpha
			}
		}
	}
	return alpha
}

func main() {
	g := chess.NewGame()
	for ply := range 5 {
		best, at := -1<<30, chess.Move{}
		nodes := 0
		for _, m := range g.Position().ValidMoves() {
			if v := -search(g.Position().Update(&m), 1, -1<<30, 1<<30, &nodes); v > best {
				best, at = v, m
			}
		}
		fmt.Println(ply, at.String(), best, nodes)
		if err := g.Move(&at, nil); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(g.Position().Board().Draw(), g.FEN())
}
