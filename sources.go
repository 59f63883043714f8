// Package ckpgen carries the sources of the packages that programs with checkpoints link, or with
// counters. The command has them with it wherever it was installed from, so it can build programs
// whose modules do not know ckpgen, without a network.
//
// Those packages import each other and the standard library, and nothing else.
package ckpgen

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed runtime/ckp/*.go runtime/ckp/blocking/*.go runtime/ckp/pack/*.go runtime/ckp/quiet/*.go runtime/ckp/section/*.go runtime/ckp/shadow/*.go runtime/ckp/stored/*.go runtime/ckp/variables/*.go runtime/ckp/visits/*.go heap/*.go heap/delta/*.go heap/dirty/*.go hugepages/*.go store/*.go
//go:embed runtime/ckp/shadow/goroutine/*
var files embed.FS

// Module is the path of this module, which is that of this package.
const Module = "github.com/ckpgen/ckpgen"

// Assembly is the path in the module of the one package that has assembly.
const Assembly = "runtime/ckp/shadow/goroutine"

// Sources returns the files of the packages that a program with checkpoints links, by
// their path in the module, without tests. The import path that a package has is what
// rename makes of its path in the module.
func Sources(rename func(folder string) string) (map[string][]byte, error) {
	sources := make(map[string][]byte)
	folders := make(map[string]bool)
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		sources[name] = text
		folders[path.Dir(name)] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("sources of the runtime: %w", err)
	}
	// Not only imports: the packages know their own functions in a stack by name.
	var pairs []string
	for folder := range folders {
		for _, end := range []string{`"`, "."} {
			pairs = append(pairs, Module+"/"+folder+end, rename(folder)+end)
		}
	}
	pairs = append(pairs, Module+"/", rename("")+"/")
	renamed := strings.NewReplacer(pairs...)
	for name, text := range sources {
		sources[name] = []byte(renamed.Replace(string(text)))
	}
	return sources, nil
}
