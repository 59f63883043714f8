package closure_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/instrument/closure"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// TestMachine computes the closure of a machine as generators of scanners write them, which has
// thousands of goto statements: that takes about as long as to load it.
func TestMachine(t *testing.T) {
	const states = 40
	var b strings.Builder
	b.WriteString("package main\n\nfunc scan(text []byte) (i, n int) {\n\tvar c, last byte\n")
	for s := range states {
		fmt.Fprintf(&b, "state%d:\n\tif i == len(text) {\n\t\tgoto done\n\t}\n\tc = text[i]\n\ti++\n\tswitch {\n", s)
		for k := range 20 {
			fmt.Fprintf(&b, "\tcase c >= %d && c <= %d || c == last:\n\t\tgoto state%d\n", k*12, k*12+5, (s*7+k)%states)
		}
		b.WriteString("\t}\n\tlast = c\n\tn++\n")
	}
	b.WriteString("done:\n\treturn i, n\n}\n\nfunc main() { println(scan([]byte(\"abc\"))) }\n")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module machine\n\ngo 1.26\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(b.String()), 0o666))
	begin := time.Now()
	p, err := load.Load(context.Background(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}, ".")
	require.NoError(t, err)
	loaded := time.Now()
	closure.Of(p, true)
	t.Logf("loaded in %v, closure in %v", loaded.Sub(begin), time.Since(loaded))
	require.Less(t, time.Since(loaded), 10*loaded.Sub(begin))
}
