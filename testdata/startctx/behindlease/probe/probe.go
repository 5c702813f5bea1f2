// Package probe serves, and stands for leases, for who calls it.
package probe

import (
	"context"
	"net/http"

	"k8s.io/client-go/tools/leaderelection"
)

// Serve serves the health of the process.
func Serve() error {
	http.HandleFunc("/live", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	return http.ListenAndServe(":8081", nil)
}

// Lead stands for a lease until it is lost.
func Lead(ctx context.Context, config leaderelection.LeaderElectionConfig) {
	leaderelection.RunOrDie(ctx, config)
}

// Background stands for a lease beside its caller.
func Background(ctx context.Context, config leaderelection.LeaderElectionConfig) {
	go leaderelection.RunOrDie(ctx, config)
}
