// Package fmt is a user's own package of that name.
package fmt

import "github.com/ckpgen/ckpgen/runtime/ckp"

type hidden struct{ n int }

func (h *hidden) Go() int { ckp.Checkpoint(); h.n++; return h.n }
func (h hidden) Val() int { ckp.Checkpoint(); return h.n }

type Iface interface{ Go() int }

func New() Iface          { return &hidden{3} }
func Raw() *hidden        { return &hidden{5} }
func Say(s string) string { ckp.Checkpoint(); return "say " + s }

type Pub struct{ hidden }
type list = []hidden

func Len(l list) int { return len(l) }
func Lst() list      { return list{{1}} }

type alias = map[string]int

func Alias() alias { return alias{"a": 1} }

var Hook func(int) int
var Table = map[string]func() int{"x": func() int { ckp.Checkpoint(); return 7 }}

func init() { Hook = func(x int) int { ckp.Checkpoint(); return x * 2 } }
