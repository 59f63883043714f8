package variables

import (
	"os"
	"slices"
	"sync"
)

// The variables tell one process what to do, and are inherited by those that it starts. A program
// that starts itself again, for a part of its work, would have a child that takes itself for the
// process of the job, and continues the parent's checkpoint. So a process takes them out of its
// environment before the program begins.

var (
	lock  sync.Mutex
	taken = make(map[string]string)
)

// Take takes the variables out of the environment of the process. [Lookup] and [Environ] still know
// them.
func Take() {
	lock.Lock()
	defer lock.Unlock()
	for _, name := range slices.Concat(users, internal) {
		if value, ok := os.LookupEnv(name); ok {
			taken[name] = value
			os.Unsetenv(name)
		}
	}
}

// Lookup is [os.LookupEnv], and knows what has been taken.
func Lookup(name string) (string, bool) {
	if value, ok := os.LookupEnv(name); ok {
		return value, true
	}
	lock.Lock()
	defer lock.Unlock()
	value, ok := taken[name]
	return value, ok
}

// Environ is [os.Environ] with what has been taken: the environment of a process that takes the
// place of this one.
func Environ() []string {
	env := os.Environ()
	lock.Lock()
	defer lock.Unlock()
	for _, name := range slices.Concat(users, internal) {
		if _, set := os.LookupEnv(name); set {
			continue
		}
		if value, ok := taken[name]; ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
