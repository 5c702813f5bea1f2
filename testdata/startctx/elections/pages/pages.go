// Package pages serves pages in a program whose manager elects a leader.
package pages

import (
	"context"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type server struct{ http *http.Server }

func (s *server) Start(ctx context.Context) error { // want leaderonly "server has no NeedLeaderElection, so that a manager runs it on the leader alone, and s.http.ListenAndServe serves clients (line 20): on the other replicas it never runs" @20 "every replica needs this" @24 "it is handed to the manager here"
	go func() {
		<-ctx.Done()
		_ = s.http.Close()
	}()
	return s.http.ListenAndServe()
}

// AddTo hands the server to mgr.
func AddTo(mgr manager.Manager) error { return mgr.Add(&server{&http.Server{Addr: ":8080"}}) }

// Watch lists the pods again and again.
func Watch(mgr manager.Manager) {
	pods := mgr.GetClient()
	go func() { // want detached "Watch starts a goroutine that calls the API server and in which a loop waits for time.Sleep again and again (line 32): it runs on every replica, leader or not, and nothing stops it" @32 "this goes on forever"
		for {
			_ = pods.List(context.Background(), &corev1.PodList{})
			time.Sleep(time.Minute)
		}
	}()
}
