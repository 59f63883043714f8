package main

// Texts: distances, searches, codes, scanners and parsers.

import (
	"bufio"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
)

func levenshteinPage() any {
	a, b := strings.Repeat("kitten", 60), strings.Repeat("sitting", 55)
	return levenshtein(a, b)
}

func kmpPage() any {
	t, p := strings.Repeat("abababac", 20000), "ababac"
	return kmp(t, p)
}

func huffmanPage() any {
	return huffman(strings.Repeat("the quick brown fox jumps over the lazy dog ", 400))
}

func sortwordsPage() any {
	x := rng(4)
	var w []string
	for i := 0; i < 12000; i++ {
		b := make([]byte, 4)
		for j := range b {
			b[j] = 'a' + byte(x.next()%26)
		}
		w = append(w, string(b))
	}
	sort.Slice(w, func(i, j int) bool { return w[i] < w[j] })
	return w[100]
}

func levenshtein(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur := make([]int, len(b)+1)
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			c := 1
			if a[i-1] == b[j-1] {
				c = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+c)
		}
		prev = cur
	}
	return prev[len(b)]
}

func kmp(t, p string) int {
	f := make([]int, len(p))
	for i, k := 1, 0; i < len(p); i++ {
		for k > 0 && p[k] != p[i] {
			k = f[k-1]
		}
		if p[k] == p[i] {
			k++
		}
		f[i] = k
	}
	n, k := 0, 0
	for i := 0; i < len(t); i++ {
		for k > 0 && p[k] != t[i] {
			k = f[k-1]
		}
		if p[k] == t[i] {
			k++
		}
		if k == len(p) {
			n++
			k = f[k-1]
		}
	}
	return n
}

type hnode struct {
	n           int
	c           byte
	left, right *hnode
}

type hheap []*hnode

func (h hheap) Len() int { return len(h) }

func (h hheap) Less(i, j int) bool {
	if h[i].n != h[j].n {
		return h[i].n < h[j].n
	}
	return h[i].c < h[j].c
}

func (h hheap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *hheap) Push(x any) { *h = append(*h, x.(*hnode)) }

func (h *hheap) Pop() any { o := *h; x := o[len(o)-1]; *h = o[:len(o)-1]; return x }

func huffman(s string) int {
	var freq [256]int
	for i := 0; i < len(s); i++ {
		freq[s[i]]++
	}
	h := &hheap{}
	for c, n := range freq {
		if n > 0 {
			heap.Push(h, &hnode{n: n, c: byte(c)})
		}
	}
	for h.Len() > 1 {
		a, b := heap.Pop(h).(*hnode), heap.Pop(h).(*hnode)
		heap.Push(h, &hnode{n: a.n + b.n, c: min(a.c, b.c), left: a, right: b})
	}
	codes := map[byte]string{}
	var walk func(n *hnode, p string)
	walk = func(n *hnode, p string) {
		if n.left == nil {
			codes[n.c] = p
			return
		}
		walk(n.left, p+"0")
		walk(n.right, p+"1")
	}
	root := (*h)[0]
	walk(root, "")
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteString(codes[s[i]])
	}
	e := b.String()
	out, cur := 0, root
	for _, c := range e {
		if c == '0' {
			cur = cur.left
		} else {
			cur = cur.right
		}
		if cur.left == nil {
			out = out*31 + int(cur.c)
			cur = root
		}
	}
	return out
}

func jsonPage() any {
	s := `{"a":[1,2,3,{"b":"xyz","c":null}],"d":{"e":true,"f":-12.5e3}}`
	n := 0
	for i := 0; i < 1500; i++ {
		p := parser{s: s}
		v, err := p.value()
		if err != nil {
			return err
		}
		n += size(v)
	}
	return n
}

func lz77Page() any { return lz(strings.Repeat("abracadabra alakazam ", 300)) }

func wordsPage() any {
	text := strings.Repeat("It was the best of times, it was the worst of times;\n", 1500)
	sc := bufio.NewScanner(strings.NewReader(text))
	n := map[string]int{}
	for sc.Scan() {
		for _, w := range strings.FieldsFunc(strings.ToLower(sc.Text()), func(r rune) bool { return r < 'a' || r > 'z' }) {
			n[w]++
		}
	}
	var keys []string
	for k := range n {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return fmt.Sprint(keys[0], n[keys[0]], len(keys))
}

func lexerPage() any {
	src := strings.Repeat("func main(x int) { return x + 42*(y-\"str\") // c\n }", 700)
	l := &lexer{r: bufio.NewReader(strings.NewReader(src))}
	h := 0
	for {
		t, err := l.next()
		if err == io.EOF {
			return h
		}
		if err != nil {
			return err
		}
		h = h*31 + int(t.kind) + len(t.text)
	}
}

func regexPage() any {
	n := 0
	for i := 0; i < 300; i++ {
		if match("a*b.*c$", strings.Repeat("a", 20)+"b"+strings.Repeat("xyz", i%40)+"c") {
			n++
		}
	}
	return n
}

type parser struct {
	s string
	i int
}

var errSyntax = errors.New("syntax")

func (p *parser) ws() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\n') {
		p.i++
	}
}

func (p *parser) value() (any, error) {
	p.ws()
	if p.i >= len(p.s) {
		return nil, io.ErrUnexpectedEOF
	}
	switch c := p.s[p.i]; {
	case c == '{':
		p.i++
		m := map[string]any{}
		for {
			p.ws()
			if p.s[p.i] == '}' {
				p.i++
				return m, nil
			}
			k, err := p.str()
			if err != nil {
				return nil, err
			}
			p.ws()
			if p.s[p.i] != ':' {
				return nil, errSyntax
			}
			p.i++
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			m[k] = v
			p.ws()
			if p.s[p.i] == ',' {
				p.i++
			}
		}
	case c == '[':
		p.i++
		var l []any
		for {
			p.ws()
			if p.s[p.i] == ']' {
				p.i++
				return l, nil
			}
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			l = append(l, v)
			p.ws()
			if p.s[p.i] == ',' {
				p.i++
			}
		}
	case c == '"':
		return p.str()
	case strings.HasPrefix(p.s[p.i:], "true"):
		p.i += 4
		return true, nil
	case strings.HasPrefix(p.s[p.i:], "null"):
		p.i += 4
		return nil, nil
	default:
		j := p.i
		for p.i < len(p.s) && strings.IndexByte("+-.eE0123456789", p.s[p.i]) >= 0 {
			p.i++
		}
		return strconv.ParseFloat(p.s[j:p.i], 64)
	}
}

func (p *parser) str() (string, error) {
	if p.s[p.i] != '"' {
		return "", fmt.Errorf("at %d: %w", p.i, errSyntax)
	}
	j := p.i + 1
	for p.i++; p.i < len(p.s); p.i++ {
		if p.s[p.i] == '"' {
			p.i++
			return p.s[j : p.i-1], nil
		}
	}
	return "", io.ErrUnexpectedEOF
}

func size(v any) int {
	switch v := v.(type) {
	case map[string]any:
		n := 1
		for k, x := range v {
			n += len(k) + size(x)
		}
		return n
	case []any:
		n := 1
		for _, x := range v {
			n += size(x)
		}
		return n
	case string:
		return len(v)
	}
	return 1
}

func lz(s string) int {
	out := 0
	for i := 0; i < len(s); {
		bl, bo := 0, 0
		for j := max(0, i-200); j < i; j++ {
			l := 0
			for i+l < len(s) && s[j+l] == s[i+l] && l < 60 {
				l++
			}
			if l > bl {
				bl, bo = l, i-j
			}
		}
		if bl > 3 {
			out += bo
			i += bl
		} else {
			out++
			i++
		}
	}
	return out
}

type token struct {
	kind byte
	text string
}

type lexer struct {
	r   *bufio.Reader
	buf []byte
}

func (l *lexer) next() (token, error) {
	for {
		c, err := l.r.ReadByte()
		if err != nil {
			return token{}, err
		}
		switch {
		case c == ' ' || c == '\n':
			continue
		case c == '/':
			d, err := l.r.ReadByte()
			if err != nil {
				return token{}, err
			}
			if d != '/' {
				l.r.UnreadByte()
				return token{'/', "/"}, nil
			}
			for {
				if d, err = l.r.ReadByte(); err != nil {
					return token{}, err
				}
				if d == '\n' {
					break
				}
			}
		case c >= 'a' && c <= 'z':
			return l.take('i', c, func(c byte) bool { return c >= 'a' && c <= 'z' })
		case c >= '0' && c <= '9':
			return l.take('n', c, isDigit)
		case c == '"':
			t, err := l.take('s', c, func(c byte) bool { return c != '"' })
			l.r.ReadByte()
			return t, err
		default:
			return token{c, string(c)}, nil
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) take(kind, c byte, f func(byte) bool) (token, error) {
	l.buf = append(l.buf[:0], c)
	for {
		c, err := l.r.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return token{}, err
		}
		if !f(c) {
			l.r.UnreadByte()
			break
		}
		l.buf = append(l.buf, c)
	}
	return token{kind, string(l.buf)}, nil
}

func match(re, s string) bool {
	for {
		if matchHere(re, s) {
			return true
		}
		if s == "" {
			return false
		}
		s = s[1:]
	}
}

func matchHere(re, s string) bool {
	switch {
	case re == "":
		return true
	case len(re) > 1 && re[1] == '*':
		for {
			if matchHere(re[2:], s) {
				return true
			}
			if s == "" || re[0] != '.' && re[0] != s[0] {
				return false
			}
			s = s[1:]
		}
	case re == "$":
		return s == ""
	case s != "" && (re[0] == '.' || re[0] == s[0]):
		return matchHere(re[1:], s[1:])
	}
	return false
}
