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

func serve(path string) {
	w := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	fmt.Print(w.Code, " ", w.Body)
}

// handlers registers handlers, and calls them after a checkpoint.
func handlers() {
	calls := 0
	late := new(counter)
	mux := http.DefaultServeMux
	http.HandleFunc("GET /late", func(w http.ResponseWriter, r *http.Request) { calls++; fmt.Fprintln(w, "late", calls) })
	mux.Handle("/counter/{name...}", late)
	serve("/early/a")
	serve("/late")
	ckp.Checkpoint()
	serve("/early/b")
	serve("/late")
	serve("/counter/x/y")
	serve("/none")
	ckp.Checkpoint()
	serve("/counter/")
	fmt.Println(early.n, late.n, calls, mux == http.DefaultServeMux)

	// Handlers of another multiplexer in its place, which is changed through the address of the variable, too.
	place := &http.DefaultServeMux
	http.DefaultServeMux = http.NewServeMux()
	http.Handle("/another", late)
	ckp.Checkpoint()
	serve("/another")
	serve("/late")
	fmt.Println(mux == http.DefaultServeMux, *place == http.DefaultServeMux)
	*place = mux
	ckp.Checkpoint()
	serve("/another")
	serve("/late")
	fmt.Println(mux == http.DefaultServeMux, place == &http.DefaultServeMux)
}
