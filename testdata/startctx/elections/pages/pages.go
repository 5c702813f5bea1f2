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

func (s *server) Start(ctx context.Context) error { // want leaderonly "server has no NeedLeaderElection method, so it runs on the leader only, but s.http.ListenAndServe serves clients (line 20); add one that returns false" @20 "every replica needs this" @24 "it is added to the manager here"
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
	go func() { // want detached "the goroutine of Watch never stops and calls the API server on every replica, not only on the leader; add it to the manager as a Runnable" @32 "the loop around time.Sleep has no exit"
		for {
			_ = pods.List(context.Background(), &corev1.PodList{})
			time.Sleep(time.Minute)
		}
	}()
}
