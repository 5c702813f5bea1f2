package setup

import (
	"context"
	"net/http"

	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/operators/startctx/inside/internal/pages"
)

func electedGiven(config *rest.Config, server *http.Server) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{LeaderElection: true, LeaderElectionID: "x"})
	if err != nil {
		return err
	}
	if err := mgr.Add(pages.Wrapped(server)); err != nil { // ok
		return err
	}
	if err := mgr.Add(started(server)); err != nil {
		return err
	}
	return mgr.Add(pages.Given(server))
}

func aloneGiven(config *rest.Config, server *http.Server) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{LeaderElection: false})
	if err != nil {
		return err
	}
	return mgr.Add(pages.Alone(server))
}

func started(server *http.Server) manager.Runnable {
	return pages.Everywhere(manager.RunnableFunc(func(ctx context.Context) error { // ok: the wrapper says where it runs
		go func() {
			<-ctx.Done()
			_ = server.Close()
		}()
		return pages.Started(server).Start(ctx)
	}))
}

func servedBeside(server *http.Server) manager.Runnable {
	return pages.Everywhere(manager.RunnableFunc(func(ctx context.Context) error { // ok
		go func() {
			<-ctx.Done()
			_ = server.Close()
		}()
		return server.ListenAndServe()
	}))
}
