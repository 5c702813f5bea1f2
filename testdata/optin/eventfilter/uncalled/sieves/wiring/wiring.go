// Package wiring sets two controllers up.
package wiring

import (
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/optin/eventfilter/uncalled/sieves/counting"
	"example.com/operators/optin/eventfilter/uncalled/sieves/settled"
)

// Run runs them.
func Run() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := (&settled.Reconciler{Client: mgr.GetClient()}).Setup(mgr); err != nil {
		panic(err)
	}
	if err := (&counting.Reconciler{Client: mgr.GetClient()}).Setup(mgr); err != nil {
		panic(err)
	}
	_ = counting.Predicates()
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		panic(err)
	}
}
