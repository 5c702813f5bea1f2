package main

import (
	"flag"
	"os"
	"time"

	"example.com/pages/bug/rebalance/controllers"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
)

var setupLog = ctrl.Log.WithName("setup")

func main() {
	var probes string
	var period time.Duration
	flag.StringVar(&probes, "health-probe-bind-address", ":8081", "")
	flag.DurationVar(&period, "rebalance-period", 5*time.Minute, "")
	flag.Parse()
	ctrl.SetLogger(klog.NewKlogr())

	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		HealthProbeBindAddress: probes,
		LeaderElection:         true,
		LeaderElectionID:       "shards.search.example.com",
	})
	if err != nil {
		setupLog.Error(err, "unable to start manager")
		os.Exit(1)
	}
	r := &controllers.ShardReconciler{Client: mgr.GetClient(), Log: ctrl.Log.WithName("shards"), Period: period, Max: 8}
	if err := r.SetupWithManager(mgr); err != nil {
		setupLog.Error(err, "unable to create controller")
		os.Exit(1)
	}
	if err := mgr.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		setupLog.Error(err, "unable to set up health check")
		os.Exit(1)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		setupLog.Error(err, "problem running manager")
		os.Exit(1)
	}
}
