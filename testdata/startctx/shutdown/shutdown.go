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

func (p *pair) Start(ctx context.Context) error { // want ignored "p.probes.ListenAndServe at line 19 does not end when ctx is done, so the manager cannot stop (*pair).Start; call p.probes.Shutdown then" @19 "(*pair).Start blocks here"
	return p.probes.ListenAndServe()
}

func (p *pair) stopMetrics() { p.metrics.Close() }
