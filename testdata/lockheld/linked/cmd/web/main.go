// Command web waits for its clients forever.
package main

import (
	"net/http"
	"time"

	"example.com/operators/lockheld/linked/pages"
)

func main() {
	b := new(pages.Board)
	go b.Add("a")
	mux := http.NewServeMux()
	mux.Handle("/", b)
	mux.HandleFunc("/healthz", b.Health)
	server := http.Server{Addr: ":8080", Handler: mux, ReadHeaderTimeout: time.Second}
	_ = server.ListenAndServe()
}
