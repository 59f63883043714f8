//go:build !amd64

package main

var width = 4

func done() (int, error) { return width, nil }

func fast(n int) int { return same(n) + same(n) + same(n) }

func counter(n int) func() int { return func() int { return same(n + 1) } }

func step() func(int) int { return func(n int) int { return 1 + same(n) } }
