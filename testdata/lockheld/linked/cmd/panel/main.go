// Command panel does not wait for its clients forever.
package main

import (
	"net/http"
	"time"

	"example.com/operators/lockheld/linked/panels"
)

func main() {
	b := new(panels.Board)
	go b.Add("a")
	mux := http.NewServeMux()
	mux.Handle("/", b)
	mux.HandleFunc("/healthz", b.Health)
	server := http.Server{Addr: ":8080", Handler: mux, WriteTimeout: time.Second}
	_ = server.ListenAndServe()
}
