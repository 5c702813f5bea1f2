// Command cmd runs the controllers of package twonames.
package main

import (
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/cachescope/predicate/twonames"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := twonames.Setup(mgr); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}
