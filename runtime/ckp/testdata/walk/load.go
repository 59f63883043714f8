//go:build !changed

package main

type load struct{}
