package main

type op interface{ exec(*machine) }

// A machine executes operations, some of which take long. Its loops poll behind the call of one.
type machine struct {
	pc, a, b int
	code     []op
}

type (
	adds  int
	jumps struct{ to, below int }
	waits int
)

func (n adds) exec(m *machine) {
	m.a += int(n)
	m.pc++
}

func (j jumps) exec(m *machine) {
	if m.pc++; m.a < j.below {
		m.pc = j.to
	}
}

func (n waits) exec(m *machine) {
	if m.pc++; m.a%int(n) == 0 {
		hanoi(3, "a", "b", "c", func(string, string) { m.b++ })
	}
}

func (m *machine) run() {
	for m.pc < len(m.code) {
		m.code[m.pc].exec(m)
	}
}

func execute() *machine {
	m := &machine{code: []op{adds(1), adds(2), waits(50), jumps{0, 2000}}}
	m.run()
	return m
}
