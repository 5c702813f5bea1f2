// Package server has the HTTP side of the registry operator.
package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Server answers the registry's notifications.
type Server struct {
	Addr   string
	Reader client.Reader
}

// ListenAndServe serves until ctx ends.
func (s *Server) ListenAndServe(ctx context.Context) error {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /notify", s.notify)
	srv := &http.Server{Addr: s.Addr, Handler: mux, ReadHeaderTimeout: 3 * time.Second}
	done := make(chan error, 1)
	go func() {
		<-ctx.Done()
		stop, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		done <- srv.Shutdown(stop)
	}()
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-done
}

func (s *Server) notify(w http.ResponseWriter, req *http.Request) {
	var body struct {
		Repository string `json:"repository"`
	}
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	pods := &corev1.PodList{}
	if err := s.Reader.List(req.Context(), pods, client.MatchingLabels{"registry/repo": body.Repository}); err != nil {
		http.Error(w, "try again", http.StatusServiceUnavailable)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]int{"users": len(pods.Items)})
}
