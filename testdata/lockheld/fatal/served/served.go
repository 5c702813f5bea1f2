// Package served panics where something fails.
package served

import (
	"log"
	"net/http"

	"example.com/operators/lockheld/fatal/start"
)

// A Handler is called by a server, which recovers.
type Handler struct{ Set func() error }

// ServeHTTP panics by a logger.
func (h *Handler) ServeHTTP(http.ResponseWriter, *http.Request) {
	if err := start.Served(h.Set); err != nil {
		log.Panic(err)
	}
}

// Must ends the process.
func Must(set func() error) {
	if err := start.Must(set); err != nil {
		log.Fatal(err)
	}
}
