package heap

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// A few types of package crypto hold what the instructions of one processor want: the same type has
// other contents elsewhere, and a cipher would compute something else. The image notes for which
// machine the values are, as the tag of the first field, and a rebuild of such a value on another
// is refused.

// boundTo returns the machines that values of a struct type are for; "" for all.
func boundTo(name string) string {
	name, ok := strings.CutPrefix(name, "crypto/internal/fips140/")
	if !ok {
		return ""
	}
	if strings.HasPrefix(name, "v") { // a version that was certified
		_, name, _ = strings.Cut(name, "/")
	}
	switch name {
	case "aes.block", "aes.Block", "aes.blockExpanded", "aes/gcm.GCM", // expanded keys
		"nistec.P256Point", "nistec.p256Element":
		return runtime.GOARCH
	case "bigmod.Nat", "bigmod.Modulus": // numbers in words
		return fmt.Sprint("words of ", strconv.IntSize, " bits")
	}
	return ""
}

// unbound returns a *TypeChangedError if values of the type are, or have, what is bound to another
// machine.
func (t *Type) unbound() error {
	if is := boundTo(t.Name); is != "" && len(t.Fields) > 0 && t.Fields[0].tag != is {
		return &TypeChangedError{Type: t.Name, Was: "contents for " + t.Fields[0].tag, Is: "contents for " + is}
	}
	if t.Kind == reflect.Array && t.Len > 0 {
		return t.Elem.unbound()
	}
	for i := range t.Fields {
		if err := t.Fields[i].Type.unbound(); err != nil {
			return err
		}
	}
	return nil
}
