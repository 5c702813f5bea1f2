// Command cmd runs the controllers of package agent.
package main

import (
	"os"

	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/cachescope/predicate/agent"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := agent.Setup(mgr, os.Getenv("NODE_NAME")); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}
