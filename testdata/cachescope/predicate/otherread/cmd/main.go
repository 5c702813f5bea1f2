// Command cmd runs the controllers of package otherread.
package main

import (
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/cachescope/predicate/otherread"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := otherread.Setup(mgr); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}
