package heap_test

import (
	"bytes"
	"fmt"

	"github.com/ckpgen/ckpgen/heap"
)

type person struct {
	Name   string
	Friend *person
}

// A ring of two is saved, looked at without the program, and rebuilt with its identity.
func Example() {
	saved := &person{Name: "Ada"}
	saved.Friend = &person{Name: "Charles", Friend: saved}

	snapshot, err := heap.Capture([]heap.Root{{Name: "someone", Ptr: &saved}}, heap.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if _, err := snapshot.WriteTo(&file); err != nil {
		fmt.Println(err)
		return
	}

	image, err := heap.Parse(file.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	pointer, _ := image.Root("someone")
	ada, _ := pointer.Elem()
	name, _ := ada.Field("Name")
	fmt.Println(name)

	var rebuilt *person
	if err := image.Rebuild([]heap.Root{{Name: "someone", Ptr: &rebuilt}}, heap.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rebuilt.Friend.Name, rebuilt.Friend.Friend == rebuilt, rebuilt == saved)
	// Output:
	// "Ada"
	// Charles true false
}
