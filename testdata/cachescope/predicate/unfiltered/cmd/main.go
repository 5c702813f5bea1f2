// Command cmd runs the controllers of package unfiltered.
package main

import (
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/cachescope/predicate/unfiltered"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := unfiltered.Setup(mgr); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}
