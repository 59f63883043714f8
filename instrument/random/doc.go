// Package random writes Go programs.
package random
