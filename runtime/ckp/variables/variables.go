// Package variables knows the environment variables of ckpgen, all of which begin with CKP_, so
// that a misspelt one is told.
package variables

import (
	"slices"
	"strings"
)

const prefix = "CKP_"

// users are those that users set.
var users = []string{"CKP_DIR", "CKP_INTERVAL", "CKP_EXIT_AFTER", "CKP_TORTURE", "CKP_KEEP", "CKP_EARLY", "CKP_INCREMENTS", "CKP_COMPRESS"}

// internal are those by which launchers and processes tell each other what they need to know.
var internal = []string{"CKP_RANK", "CKP_SIZE", "CKP_EPOCH", "CKP_RESTORE", "CKP_RUNDIR", "CKP_CONTROL", "CKP_AGAIN", "CKP_BATON", "CKP_TALLY", "CKP_PLAIN"}

// Plain reports whether a launcher has told that this program takes no checkpoints.
func Plain() bool {
	told, _ := Lookup("CKP_PLAIN")
	return told != ""
}

// Unknown returns what there is to say of variables in an environment, as of [os.Environ], that
// look like those of ckpgen and are none, or "".
func Unknown(environ []string) string {
	var names []string
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, prefix) && !slices.Contains(users, name) && !slices.Contains(internal, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	is := " is set and means nothing; the variables of ckpgen are "
	if len(names) > 1 {
		is = " are set and mean nothing; the variables of ckpgen are "
	}
	return strings.Join(names, ", ") + is + strings.Join(users, ", ")
}
