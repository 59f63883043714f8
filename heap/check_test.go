package heap

import (
	"reflect"
	"testing"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func check(t testing.TB, ok bool, what ...any) {
	t.Helper()
	if !ok {
		t.Fatal(append([]any{"not so:"}, what...)...)
	}
}

func equal(t testing.TB, want, got any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("want %#v, got %#v", want, got)
	}
}
