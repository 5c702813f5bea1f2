// Command cmd runs the controllers of package shared.
package main

import (
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/cachescope/predicate/shared"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := shared.Setup(mgr); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}
