// Command cmd has a manager without options.
package main

import (
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/cachescope/implicit/plain"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := plain.Setup(mgr); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}
