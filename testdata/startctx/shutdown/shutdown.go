// Package shutdown has servers, and shuts some of them down.
package shutdown

import (
	"context"
	"net/http"

	ctrl "sigs.k8s.io/controller-runtime"
)

func add(mgr ctrl.Manager, p *pair) error { return mgr.Add(p) }

// pair has two servers, and shuts one of them down.
type pair struct{ metrics, probes *http.Server }

func (p *pair) NeedLeaderElection() bool { return false }

func (p *pair) Start(ctx context.Context) error { // want ignored "(*pair).Start ignores its context, but p.probes.ListenAndServe serves until it is shut down at line 19: the manager cannot stop it; return when the context is done" @19 "(*pair).Start blocks here"
	return p.probes.ListenAndServe()
}

func (p *pair) stopMetrics() { p.metrics.Close() }
