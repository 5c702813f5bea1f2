// Package node makes a manager that elects no leader, for the agents.
package node

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/startctx/elections/agents"
)

// New makes it.
func New() (ctrl.Manager, error) {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{PprofBindAddress: "0"})
	if err != nil {
		return nil, err
	}
	return mgr, agents.AddTo(mgr)
}

// Watching makes it, and lists the pods again and again.
func Watching() (ctrl.Manager, error) {
	mgr, err := New()
	if err == nil {
		watch(mgr)
		agents.Watch(mgr)
	}
	return mgr, err
}

func watch(mgr ctrl.Manager) {
	pods := mgr.GetClient()
	go func() { // ok: the manager that is made here elects no leader
		for {
			_ = pods.List(context.Background(), &corev1.PodList{})
			time.Sleep(time.Minute)
		}
	}()
}
