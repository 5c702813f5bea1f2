// Command elects has a manager that may elect a leader, and what other packages have for it.
package main

import (
	"flag"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	_ "example.com/operators/startctx/certs"
	_ "example.com/operators/startctx/detached"
	"example.com/operators/startctx/elections/pages"
	_ "example.com/operators/startctx/inside/setup"
	_ "example.com/operators/startctx/leaderonly/extension"
)

func main() {
	elect := flag.Bool("leader-elect", false, "one at a time")
	flag.Parse()
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), manager.Options{LeaderElection: *elect})
	if err != nil {
		panic(err)
	}
	if err := pages.AddTo(mgr); err != nil {
		panic(err)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		panic(err)
	}
}
