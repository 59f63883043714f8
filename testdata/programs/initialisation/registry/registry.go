// Package registry knows which packages have been initialised.
package registry

var Names []string

func Add(name string) int {
	Names = append(Names, name)
	return len(Names)
}
