package shadow

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDescribed(t *testing.T) {
	f := &Function{Text: "main.f_literal1\nmain.f_rest1\nmain.f.func1\nexample.org/main.go\n12\nc0ffee\ntdr\n" +
		"v x_2 x\nv n_cell *n\nv range1 \np 13 5 0 0 poll\np 14 37 14 16 list[i + 1].step\n"}
	want := &Description{
		Name: "main.f_literal1", Rest: "main.f_rest1", Title: "main.f.func1", File: "example.org/main.go", Line: 12, Fingerprint: "c0ffee",
		Traced: true, Defers: true, Reflected: true,
		Renamed: []Field{{"x_2", "x"}, {"n_cell", "*n"}, {"range1", ""}},
		Points:  []Point{{Line: 13, Column: 5, Call: "poll"}, {Line: 14, Column: 37, First: 14, Last: 16, Call: "list[i + 1].step"}},
	}
	assert.Equal(t, want, f.Described())
	assert.Same(t, f.Described(), f.Described())
	name, rest := f.names()
	assert.Equal(t, []string{want.Name, want.Rest}, []string{name, rest})

	plain := &Function{Text: "main.g\n\n\nexample.org/main.go\n3\nf00\n\n"}
	assert.Equal(t, &Description{Name: "main.g", File: "example.org/main.go", Line: 3, Fingerprint: "f00"}, plain.Described())
	assert.Equal(t, "main.g", plain.String())
}
