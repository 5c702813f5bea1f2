// Package pages serves pages in a program whose manager elects a leader.
package pages

import (
	"context"
	"net/http"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type server struct{ http *http.Server }

func (s *server) Start(ctx context.Context) error { // want leaderonly "server has no NeedLeaderElection, so that a manager runs it on the leader alone, and s.http.ListenAndServe serves clients (line 18): on the other replicas it never runs" @18 "every replica needs this" @22 "it is handed to the manager here"
	go func() {
		<-ctx.Done()
		_ = s.http.Close()
	}()
	return s.http.ListenAndServe()
}

// AddTo hands the server to mgr.
func AddTo(mgr manager.Manager) error { return mgr.Add(&server{&http.Server{Addr: ":8080"}}) }
