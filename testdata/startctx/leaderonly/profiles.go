package leaderonly

import (
	"context"
	"net/http"
	"net/http/pprof"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func serveProfiles(mgr ctrl.Manager) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.Handle("/debug/pprof/heap", pprof.Handler("heap"))
	server := &http.Server{Addr: "localhost:6060", Handler: mux}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { // ok: these are the profiles of this process
		go func() {
			<-ctx.Done()
			_ = server.Close()
		}()
		return server.ListenAndServe()
	}))
}

func serveStateToo(mgr ctrl.Manager, state http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("/state", state)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	server := &http.Server{Addr: ":6060", Handler: mux}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { // want leaderonly "this RunnableFunc runs on the leader alone, and Server.ListenAndServe serves clients (line 36): on the other replicas it never runs" @36 "every replica needs this"
		go func() {
			<-ctx.Done()
			_ = server.Close()
		}()
		return server.ListenAndServe()
	}))
}

func serveOnly(mgr ctrl.Manager, state http.Handler) error {
	server := &http.Server{Addr: ":6060", Handler: state}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { // want leaderonly "this RunnableFunc runs on the leader alone, and Server.ListenAndServe serves clients (line 47): on the other replicas it never runs" @47 "every replica needs this"
		go func() {
			<-ctx.Done()
			_ = server.Close()
		}()
		return server.ListenAndServe()
	}))
}
