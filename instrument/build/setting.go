package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os/exec"
	"runtime"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// oldest is the oldest version of Go that compiles the runtime.
const oldest = "go1.26"

// A setting is what the go command says of where and how it builds.
type setting struct {
	GOVERSION, GOROOT, GOMODCACHE, GOFLAGS, GOMOD, GOWORK string

	text []byte // all the variables on which depends what belongs to a program
}

// suits returns an error if a version of Go can't build programs with checkpoints, or not with a
// ckpgen that was built with another version: this knows the language and the standard library of
// its own, and of those before. Versions in development are taken for the right ones.
func suits(goVersion, own string) error {
	v, _, _ := strings.Cut(goVersion, " ")
	own, _, _ = strings.Cut(own, " ")
	switch {
	case !version.IsValid(v):
	case version.Compare(v, oldest) < 0:
		return fmt.Errorf("programs with checkpoints need %s or later, and this is %s; set GOTOOLCHAIN=%s.0 or later, or install it", oldest, goVersion, oldest)
	case version.IsValid(own) && version.Compare(version.Lang(v), version.Lang(own)) > 0:
		return fmt.Errorf("this ckpgen was built with %[2]s and may not know what is new in %[1]s, which builds here; build ckpgen with that: GOTOOLCHAIN=%[1]s go install %[3]s/cmd/ckpgen@latest, or GOTOOLCHAIN=%[1]s go build ./cmd/ckpgen in a checkout",
			v, own, load.Module)
	}
	return nil
}

// settle asks the go command.
func settle(ctx context.Context, dir string, env []string) (*setting, error) {
	text, err := goOutput(ctx, dir, env, "env", "-json", "GOVERSION", "GOROOT", "GOMODCACHE", "GOFLAGS", "GOMOD", "GOWORK",
		"GOOS", "GOARCH", "CGO_ENABLED", "GOEXPERIMENT", "GOFIPS140")
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(exit.Stderr) > 0 {
			return nil, err // it has said why
		}
		return nil, fmt.Errorf("go env: %w; ckpgen needs the go command in PATH", err)
	}
	set := &setting{text: text}
	if err := json.Unmarshal(text, set); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	if err := suits(set.GOVERSION, runtime.Version()); err != nil {
		return nil, err
	}
	for _, flag := range strings.Fields(set.GOFLAGS) {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if (strings.HasPrefix(name, "cover") || name == "toolexec") && value != "false" {
			return nil, &UsageError{fmt.Sprintf("-%s can't be used in GOFLAGS; give it as a flag", name)}
		}
		if why, ok := impossible[name]; ok && value != "false" {
			return nil, &UsageError{fmt.Sprintf("-%s can't be used here: %s; take it out of GOFLAGS", name, why)}
		}
	}
	return set, nil
}
