package shadow

// The text of a function has a line each for its name, the name of the rest of an iteration, title,
// file, line of the declaration, fingerprint, and properties: the letters d for Defers, r for
// Reflected, t for Traced and p for Passes. Lines behind these are
//
//	v field variable                      one of Renamed
//	p line column first last call         one of Points
//
// with single blanks between; the last word is what is left of a line. No name has a line break.

var describing lock

// Described returns the description of the function, the same one each time.
func (f *Function) Described() *Description {
	describing.Lock()
	defer describing.Unlock()
	if f.Description == nil {
		f.Description = parse(f.Text)
	}
	return f.Description
}

// String returns what people know the function by.
func (f *Function) String() string { return f.Described().String() }

// names returns the name of the function and of the rest of an iteration.
func (f *Function) names() (name, rest string) {
	if f.Text == "" {
		d := f.Described()
		return d.Name, d.Rest
	}
	name, text := cut(f.Text, '\n')
	rest, _ = cut(text, '\n')
	return name, rest
}

func (f *Function) name() string {
	name, _ := f.names()
	return name
}

// parse returns the description that a text is.
func parse(text string) *Description {
	d := new(Description)
	line := func() (l string) {
		l, text = cut(text, '\n')
		return l
	}
	d.Name, d.Rest, d.Title, d.File, d.Line, d.Fingerprint = line(), line(), line(), line(), number(line()), line()
	for _, property := range line() {
		switch property {
		case 'd':
			d.Defers = true
		case 'r':
			d.Reflected = true
		case 't':
			d.Traced = true
		case 'p':
			d.Passes = true
		}
	}
	for text != "" {
		kind, rest := cut(line(), ' ')
		word := func() (w string) {
			w, rest = cut(rest, ' ')
			return w
		}
		switch kind {
		case "v":
			d.Renamed = append(d.Renamed, Field{word(), rest})
		case "p":
			p := Point{Line: number(word()), Column: number(word()), First: number(word()), Last: number(word())}
			p.Call = rest
			d.Points = append(d.Points, p)
		}
	}
	return d
}

// cut returns what is in front of a separator, and what is behind it.
func cut(s string, separator byte) (before, after string) {
	for i := range len(s) {
		if s[i] == separator {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

func number(s string) (n int) {
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	return n
}
