// Package node makes a manager that elects no leader, for the agents.
package node

import (
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/startctx/elections/agents"
)

// New makes it.
func New() (ctrl.Manager, error) {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{PprofBindAddress: "0"})
	if err != nil {
		return nil, err
	}
	return mgr, agents.AddTo(mgr)
}
