// Served registers handlers with a package variable of the standard library, and calls them after a checkpoint.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type counter struct{ n int }

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.n++
	fmt.Fprintln(w, "counter", c.n, r.PathValue("name"))
}

var early = new(counter)

func init() { http.Handle("/early/{name}", early) }

func get(path string) {
	w := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	fmt.Print(w.Code, " ", w.Body)
}

func handlers() {
	calls := 0
	late := new(counter)
	mux := http.DefaultServeMux
	http.HandleFunc("GET /late", func(w http.ResponseWriter, r *http.Request) { calls++; fmt.Fprintln(w, "late", calls) })
	mux.Handle("/counter/{name...}", late)
	get("/early/a")
	get("/late")
	ckp.Checkpoint()
	get("/early/b")
	get("/late")
	get("/counter/x/y")
	get("/none")
	ckp.Checkpoint()
	get("/counter/")
	fmt.Println(early.n, late.n, calls, mux == http.DefaultServeMux)
}

func main() { handlers() }
