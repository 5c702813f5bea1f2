package leaderonly

import (
	"context"
	"net/http"
	"net/http/pprof"

	ctrl "sigs.k8s.io/controller-runtime"
)

type profiles struct{}

func (profiles) Start(ctx context.Context) error { // ok: these are the profiles of this process
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.Handle("/debug/pprof/heap", pprof.Handler("heap"))
	server := &http.Server{Addr: "localhost:6060", Handler: mux}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return server.ListenAndServe()
}

type stateToo struct{ state http.Handler }

func (s *stateToo) Start(ctx context.Context) error { // want leaderonly "stateToo has no NeedLeaderElection method, so it runs on the leader only, but Server.ListenAndServe serves clients (line 36); add one that returns false" @36 "every replica needs this" @43 "it is added to the manager here"
	mux := http.NewServeMux()
	mux.Handle("/state", s.state)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	server := &http.Server{Addr: ":6060", Handler: mux}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return server.ListenAndServe()
}

func addProfiles(mgr ctrl.Manager) error {
	if err := mgr.Add(profiles{}); err != nil {
		return err
	}
	return mgr.Add(&stateToo{})
}
