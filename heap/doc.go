// Package heap captures everything that can be reached from a set of variables,
// and rebuilds it in another process.
package heap
