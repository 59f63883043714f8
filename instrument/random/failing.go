package random

import "fmt"

// failing emits a function that returns an error, or none, with checkpoints before, after and in
// deferred calls, and calls of it whose error is tested in the ways that there are.
func (g *generator) failing() string {
	id := g.fresh()
	f, err := fmt.Sprint("f", id), fmt.Sprint("err", id)
	t := g.number()
	inner := g.literalWith(g.fun([]*typ{g.int()}, []*typ{t}, false), 1)
	named := g.chance(50)
	results := "(" + t.text + ", error)"
	if named {
		results = fmt.Sprintf("(r %s, %s error)", t.text, err)
	}
	g.emit("%s := func(k int) %s {\nstep()\n%s := errors.New(\"failure %d\")", f, results, "failure", id)
	for i := range g.n(3) {
		switch k := g.n(6); {
		case k == 0:
			g.emit("defer point()")
		case k == 1:
			g.emit("for i := range pt(k & 3) {\ndefer pt(i)\n}")
		case k == 2 && named:
			g.emit("defer func() {\nif pt(k)&3 == 2 {\n%s = errors.Join(%s, failure)\n}\n}()", err, err)
		case k == 3 && named:
			g.emit("defer func() {\nif x := recover(); x != nil {\nr, %s = pt(r), fmt.Errorf(\"recovered %%v\", x)\n}\n}()", err)
		case k == 4 && named:
			g.emit("see%[3]d := func() error { return pt(%[1]s) }\ndefer func() { fmt.Println(\"seen %[2]d\", see%[3]d()) }()", err, id, i)
		default:
			g.emit("defer func() {\n%s\n}()", pick(g, []string{"point()", "fmt.Println(pt(k))", "pt(failure)"}))
		}
	}
	g.emit("v := (%s)(k)", inner)
	switch g.n(3) {
	case 0:
		g.emit("if k&1 == 1 {\nreturn v, failure\n}\nreturn pt(v), nil")
	case 1:
		g.emit("if pt(k)&1 == 1 {\nreturn 0, fmt.Errorf(\"%%d: %%w\", k, pt(failure))\n}\nreturn v, nil")
	default:
		if named {
			g.emit("r = v\nif k&1 == 1 {\n%s = pt(failure)\n}\nreturn", err)
		} else {
			g.emit("return pair(v, []error{nil, failure}[k&1])")
		}
	}
	g.emit("}")
	call := f + "(i)"
	switch g.n(4) {
	case 0:
		call = "pair(" + call + ")"
	case 1:
		call = fmt.Sprintf("pair[%s, error](%s)", t.text, call)
	case 2:
		call = fmt.Sprintf("func(k int) (%s, error) { return %s(k) }(i)", t.text, f)
	}
	tests := func() {
		switch g.n(6) {
		case 0:
			g.emit("v, err := %s\nif err != nil {\nfmt.Println(\"failed %d\", v, err)\ncontinue\n}\nfmt.Println(\"right %d\", v)", call, id, id)
		case 1:
			g.emit("if v, err := %s; err != nil {\nfmt.Println(\"failed %d\", pt(v), err)\n} else {\nfmt.Println(\"right %d\", v)\n}", call, id, id)
		case 2:
			g.emit("if v, err := %s; err == nil {\nfmt.Println(\"right %d\", pt(v))\n} else if i > 2 {\nfmt.Println(\"failed %d\", err)\n}", call, id, id)
		case 3:
			g.emit("var err error\nif _, err = %s; err == nil {\nfmt.Println(\"right %d\")\n} else {\nfmt.Println(\"failed %d\", pt(err))\n}", call, id, id)
		case 4:
			g.emit("_, err := %s\nif err != nil || i == 2 {\nfmt.Println(\"failed or two %d\", err)\nbreak\n}", call, id)
		default:
			g.emit("v, err := %s\nif err != nil && pt(i) != 3 {\nfmt.Println(\"failed and not three %d\", err, v)\n}", call, id)
		}
	}
	switch g.n(3) {
	case 0:
		g.emit("for i := range %d {", 1+g.n(4))
		tests()
		g.emit("}")
	case 1: // once, and no loop
		g.emit("func(i int) {\nswitch {\ncase true:")
		g.emit("_, err := %s\nif err != nil {\nfmt.Println(\"failed once %d\", err)\nreturn\n}\nfmt.Println(\"right once %d\")", call, id, id)
		g.emit("}\n}(%d)", g.n(4))
	default:
		g.emit("for i := 0; i < %d; i++ {", 2+g.n(3))
		tests()
		g.emit("if pt(i) == 1 {\ncontinue\n}")
		g.emit("}")
	}
	return "x"
}
