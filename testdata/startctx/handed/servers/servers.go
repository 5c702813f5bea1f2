// Package servers serves.
package servers

import (
	"context"
	"net/http"
)

// A Metrics server is needed on every replica.
type Metrics struct{ Server http.Server }

func (m *Metrics) Start(ctx context.Context) error { // want leaderonly "Metrics has no NeedLeaderElection, so that a manager runs it on the leader alone, and m.Server.ListenAndServe serves clients (servers.go:17): on the other replicas it never runs" @17 "every replica needs this" @setup.go:29 "it is handed to the manager here"
	go func() {
		<-ctx.Done()
		_ = m.Server.Close()
	}()
	return m.Server.ListenAndServe()
}

// An Everywhere says so.
type Everywhere struct{ Metrics }

func (*Everywhere) NeedLeaderElection() bool { return false }
