package bsp

import "github.com/ckpgen/ckpgen/runtime/ckp/shadow"

type decision uint8

const (
	none decision = iota
	saveAndGo
	saveAndStop
)

func arrived() bool { return shadow.Arrived() }

func due() decision { return none }

func (p *process) save(d decision) {
	p.st.Elapsed = Time()
	p.st.keep()
}
