// Package setup hands over what an internal package has.
package setup

import (
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/startctx/inside/internal/pages"
)

func elected(config *rest.Config, lead bool) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{LeaderElection: lead, LeaderElectionID: "x"})
	if err != nil {
		return err
	}
	return mgr.Add(&pages.Local{})
}

func alone(config *rest.Config) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{LeaderElection: false})
	if err != nil {
		return err
	}
	return mgr.Add(&pages.Asserted{})
}
