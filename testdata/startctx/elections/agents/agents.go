// Package agents has what a manager without an election runs, in a program with another one that elects a leader.
package agents

import (
	"context"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type server struct{ http *http.Server }

func (s *server) Start(ctx context.Context) error { // ok: on each node
	go func() {
		<-ctx.Done()
		_ = s.http.Close()
	}()
	return s.http.ListenAndServe()
}

// AddTo hands the server to mgr.
func AddTo(mgr manager.Manager) error { return mgr.Add(&server{&http.Server{Addr: ":8080"}}) }

// Watch lists the pods of this node again and again.
func Watch(mgr manager.Manager) {
	pods := mgr.GetClient()
	go func() { // ok: no manager that this is for elects a leader
		for {
			_ = pods.List(context.Background(), &corev1.PodList{})
			time.Sleep(time.Minute)
		}
	}()
}
