// Package goroutine tells goroutines apart. It is a package of its own for the sake of its
// assembly: that needs a folder that exists, which a package that is added to the standard
// library by an overlay does not have. So it is put into one that does.
package goroutine
