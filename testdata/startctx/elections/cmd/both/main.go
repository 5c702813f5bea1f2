// Command both is a node's agent, or the controller, which elects a leader.
package main

import (
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/operators/startctx/elections/node"
)

func main() {
	mgr, err := node.New()
	if len(os.Args) > 1 {
		mgr, err = ctrl.NewManager(ctrl.GetConfigOrDie(), manager.Options{LeaderElection: true})
	}
	if err != nil {
		panic(err)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		panic(err)
	}
}
