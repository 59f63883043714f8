package rewrite

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// To the compiler, what becomes of one variable of an environment can become of all of them: it
// doesn't tell fields apart. If a literal hands one of its variables to someone who keeps it, a
// cell beside it would be on the heap:
//
//	err := error(nil)
//	s.each(func(x item) bool { err = s.log.add(x); return err == nil })
//
// So a literal in the method that fills its environment captures the variables themselves, besides
// the environment, and that method has them as parameters:
//
//	s.each((&walk_closure1{err: err, s: s}).value(err, s))
//
//	func (env_2 *walk_closure1) value(err_2 *error, s_2 *store) func(x item) bool {
//		env_2.fill(err_2, s_2)
//		(the func value that env_2 is the address of)
//	}
//
//	func (env_2 *walk_closure1) fill(err_2 *error, s_2 *store) {
//		fun := func(x item) bool {
//			env, err_2, s_2 := env_2, err_2, s_2
//			...
//		}
//		(as in the documentation of the package)
//	}
//
// What the compiler makes of such a literal finds them where the func value leads to, behind the
// entry point, in the order in which they are named first, as in a struct
// (cmd/compile/internal/typecheck, ClosureStructIter). There the environment has them: the
// parameters do nothing but to tell the compiler what becomes of them. One of more than 128 bytes,
// which the compiler would not capture as a copy, is a variable of the environment only; so is one
// that may be as large, for its type parameters.
//
// In a process that goes on the variables are those of the environment of the frame.

// A copied is a variable of an environment that its literal has a copy of.
type copied struct {
	name  string // of the copy
	field string
	text  string // of the type
}

// copiedFirst returns the captured variables, those first that the literal can have copies of, and
// how many they are.
func (c *function) copiedFirst(captured []*types.Var) ([]*types.Var, int) {
	var all, others []*types.Var
	for _, v := range captured {
		own := c.variables[v]
		if c.p.facts.byReference(v) || own != nil && own.method != "" || isCopied(v.Type()) {
			all = append(all, v)
		} else {
			others = append(others, v)
		}
	}
	return append(all, others...), len(all)
}

// isCopied reports whether the compiler captures a variable of a type that is not assigned as a
// copy, on all systems.
func isCopied(t types.Type) bool {
	const most = 128 // cmd/compile/internal/escape, flowClosure
	if isTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	}
	return !hasTypeParam(t, nil) && types.SizesFor("gc", "amd64").Sizeof(t) <= most
}

// captured begins the struct of an environment and makes the variables by which
// child, the function over it, reaches what it captures. types are the types of
// the captured variables.
func (c *function) captured(b *strings.Builder, child *function, l *lifted, types []string) {
	child.env = &variable{name: child.localName("env"), text: "*" + l.name + c.p.typeArguments(l.typeParams), param: true}
	child.env.carrier, child.env.access = child.env, child.env.name
	child.all = append(child.all, child.env)
	params, err := c.typeParameters(l.typeParams)
	if err != nil {
		c.p.refuse(child.node, "a function literal in code whose type parameters can't be written here: "+err.Error(), "")
	}
	fmt.Fprintf(b, "type %s%s struct {\n", l.name, params)
	c.writeBeginning(b, l)
	taken := map[string]bool{"code": true, "self": true, "dictionary": true, "of": true, "value": true, "fill": true, "call": true, "Call": true, "bind": true, "Func": true, "exit": true, "calls": true, "over": true, "outer": true, "iterate": true}
	for i, v := range l.captured {
		field := v.Name()
		for taken[field] || resultField.MatchString(field) {
			field += "_"
		}
		taken[field] = true
		l.fields = append(l.fields, field)
		w := &variable{name: field, typ: v.Type(), text: types[i], carrier: child.env}
		w.access = child.env.name + "." + field
		if own := c.variables[v]; own != nil && own.method != "" { // a local function
			w.typ, w.text, w.method = nil, own.text, own.method
		}
		t := w.text
		if c.p.facts.byReference(v) {
			t = "*" + t
		}
		if l.within && i < l.copied {
			w.access = child.localName(field)
			child.captures = append(child.captures, copied{w.access, field, t})
		}
		if c.p.facts.byReference(v) {
			w.cell = true
			w.address = w.access
			w.access = "(*" + w.access + ")"
		}
		child.variables[v] = w
		if i == l.copied {
			l.writeDictionary(b, c.shadow())
		}
		fmt.Fprintf(b, "%s %s\n", field, t)
	}
	if l.copied == len(l.captured) {
		l.writeDictionary(b, c.shadow())
	}
}

// writeBeginning writes the first fields of an environment, those of what a func value leads to.
// The code of all instances of a generic type that are alike to the compiler is the same: whose
// func value it is its name does not tell. That is told by a nil pointer of the type.
func (c *function) writeBeginning(b *strings.Builder, l *lifted) {
	fmt.Fprintf(b, "code %s.Entry\nself *%s\n", c.shadow(), l.name+c.p.typeArguments(l.typeParams))
	switch {
	case len(l.typeParams) == 0:
	case l.within:
		fmt.Fprintf(b, "of %s\n", c.p.any())
	default:
		fmt.Fprintf(b, "dictionary %s.Entry\nof %s\n", c.shadow(), c.p.any())
	}
}

// writeDictionary writes the field for the dictionary in which the code of a generic literal finds
// its type arguments. The compiler has it behind all that the literal captures.
func (l *lifted) writeDictionary(b *strings.Builder, shadow string) {
	if l.within && len(l.typeParams) > 0 {
		fmt.Fprintf(b, "dictionary %s.Entry\n", shadow)
	}
}

// over makes c the code over an environment, of type sig, and returns how it begins. A method that
// can be at a checkpoint is never so small that the compiler writes it into the code of the method
// value, nor is a large one, so that each call would be two: it is a literal, where a func value is
// made.
func (c *function) over(l *lifted, sig string) (header string) {
	self := l.name + c.p.typeArguments(l.typeParams)
	if !l.within {
		c.recv, c.self = "*"+self, l.entry()
		return fmt.Sprintf("func (%s *%s) %s", c.env.name, self, l.entry())
	}
	c.self = "new(" + self + ").Func().(" + sig + ")"
	env, fun := c.localName("env"), c.localName("fun")
	var params, first strings.Builder
	fmt.Fprintf(&first, "%[1]s := %[2]s\n_ = %[1]s\n", c.env.name, env)
	of := ""
	if len(l.typeParams) > 0 {
		of = c.localName("of")
		fmt.Fprintf(&first, "_ = %s\n", of)
	}
	for i, v := range c.captures {
		if i > 0 {
			params.WriteString(", ")
		}
		fmt.Fprintf(&params, "%s %s", v.name, v.text)
		fmt.Fprintf(&first, "%[1]s := %[1]s\n_ = %[1]s\n", v.name)
	}
	c.before = fmt.Sprintf("//go:noinline\nfunc (%s *%s) fill(%s) {\n", env, self, params.String())
	if of != "" {
		c.before += fmt.Sprintf("%s := %s((*%s)(nil))\n", of, c.p.any(), self)
	}
	c.first = first.String()
	c.after = "//line <ckpgen>:1:1\n" + c.fill(l, fun, env, env, of) + "}\n" + c.filled(env, self, "fill", params.String(), c.captures, sig)
	return fun + " := func"
}

// takeCopies returns the statements by which the copies are those of the environment of a frame fr,
// if the frame has one.
func (c *function) takeCopies(fr string) string {
	if len(c.captures) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "if %s.%s != nil {\n", fr, c.env.name)
	for _, v := range c.captures {
		fmt.Fprintf(&b, "%s = %s.%s.%s\n", v.name, fr, c.env.name, v.field)
	}
	return b.String() + "}\n"
}

// writeFunc writes what makes the func value, of type sig, of an environment: for the program, and
// for the runtime.
func (c *function) writeFunc(b *strings.Builder, l *lifted, sig string) {
	self, recv := l.name+c.p.typeArguments(l.typeParams), c.p.freeName("env")
	fun := l.entry()
	if l.within || len(l.typeParams) > 0 {
		fun = "value(" + l.copiesIn(recv) + ")"
	}
	fmt.Fprintf(b, "func (%[1]s *%[2]s) Func() %[3]s { return %[1]s.%[4]s }\n\n", recv, self, c.p.any(), fun)
	if len(l.typeParams) == 0 {
		c.p.reg.envs = append(c.p.reg.envs, l.name)
	}
	if l.within {
		return
	}
	env, method := c.localName("env"), c.localName("method")
	if len(l.typeParams) > 0 {
		of := c.p.any() + "((*" + self + ")(nil))"
		fmt.Fprintf(b, "//go:noinline\nfunc (%[1]s *%[2]s) bind() {\n%[3]s := %[1]s.%[4]s\n%[5]s}\n%[6]s\n", env, self, method, l.entry(), c.fill(l, method, env, env, of),
			c.filled(env, self, "bind", "", nil, sig))
		return
	}
	l.value = c.p.packageName(l.name + "_value")
	at := c.localName("at")
	fmt.Fprintf(b, "func %[1]s(%[2]s %[3]s) %[4]s {\n%[5]s := %[2]s.%[6]s\n%[7]s := &%[2]s\n%[8]s%[9]s}\n\n", l.value, env, self, sig, method, l.entry(), at, c.fill(l, method, env, at, ""), c.asValue(at, sig))
}

// fill returns the text that makes an environment of that name what a func value points to. at is
// its address; of is what tells the instance of a generic one. The method value, or literal, fun
// that tells the entry point is not used otherwise, but tells the compiler what may become of the
// environment in its code: it is in frames, and what a literal returns comes to who has called it.
// That the environment has its own address the compiler is not told, or an environment would be on
// the heap if anything is that it leads to.
func (c *function) fill(l *lifted, fun, env, at, of string) string {
	unsafe := c.importName("unsafe", "unsafe")
	text := ""
	if l.within || of != "" { // of the method of an environment without type parameters it knows that
		text = fmt.Sprintf("%[2]s.Called(*(*func() %[4]s)(%[3]s.Pointer(&%[1]s)))\n", fun, c.shadow(), unsafe, c.p.any())
	}
	text += fmt.Sprintf("%[2]s.code = **(**%[4]s.Entry)(%[5]s.Pointer(&%[1]s))\n*(*%[4]s.Entry)(%[5]s.Pointer(&%[2]s.self)) = %[4]s.Entry(%[5]s.Pointer(%[3]s))\n",
		fun, env, at, c.shadow(), unsafe)
	if of != "" {
		text += fmt.Sprintf("%[2]s.dictionary = *(*%[3]s.Entry)(%[4]s.Add(*(*%[4]s.Pointer)(%[4]s.Pointer(&%[1]s)), %[4]s.Offsetof(%[2]s.dictionary)))\n%[2]s.of = %[5]s\n",
			fun, env, c.shadow(), unsafe, of)
	}
	return text
}

// filled returns the method by which the func value of an environment is made: fill, which is given
// the variables that the literal captures, or bind, and then the address of the environment. The
// compiler writes it into the code around it. If these returned that address, and the literal
// called the function around it again, as in a search with a callback, the environment would be on
// the heap: what functions return that call each other is to the compiler's escape analysis seen by
// anybody. The name of that method tells the code of a literal, in fill, from that of a generic
// environment's method value, in bind, which is on the stack besides the method's.
func (c *function) filled(env, self, fill, params string, captures []copied, sig string) string {
	args := make([]string, len(captures))
	for i, v := range captures {
		args[i] = v.name
	}
	return fmt.Sprintf("func (%[1]s *%[2]s) value(%[4]s) %[5]s {\n%[1]s.%[3]s(%[6]s)\n%[7]s}\n", env, self, fill, params, sig, strings.Join(args, ", "), c.asValue(env, sig))
}

// asValue returns the text that returns the func value of an environment, of which a variable is
// the address.
func (c *function) asValue(at, sig string) string {
	return fmt.Sprintf("return *(*%s)(%s.Pointer(&%s))\n", sig, c.importName("unsafe", "unsafe"), at)
}

// environment returns an expression for a new environment of l.
func (c *function) environment(l *lifted) string {
	var fields []string
	for i := range l.captured {
		fields = append(fields, l.fields[i]+": "+c.capture(l.captured[i]))
	}
	fields = append(fields, l.more...)
	return l.name + c.p.typeArguments(l.typeParams) + "{" + strings.Join(fields, ", ") + "}"
}

// capture returns what an environment has of a variable.
func (c *function) capture(v *types.Var) string {
	byReference := c.p.facts.byReference(v)
	w := c.variables[v]
	switch {
	case w == nil && byReference:
		return "&" + v.Name()
	case w == nil:
		return v.Name()
	}
	c.use(w.carrier)
	if byReference {
		return w.address
	}
	return w.access
}

// copies returns the copied variables of l, as its literal takes them where it is written.
func (c *function) copies(l *lifted) string {
	if !l.within {
		return ""
	}
	var list []string
	for _, v := range l.captured[:l.copied] {
		list = append(list, c.capture(v))
	}
	return strings.Join(list, ", ")
}

// copiesIn returns the copied variables of an environment.
func (l *lifted) copiesIn(env string) string {
	if !l.within {
		return ""
	}
	list := slices.Clone(l.fields[:l.copied])
	for i := range list {
		list[i] = env + "." + list[i]
	}
	return strings.Join(list, ", ")
}
