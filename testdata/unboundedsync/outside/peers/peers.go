// Package peers has a reconciler that calls the methods of gRPC clients, and runs commands on other machines.
package peers

import (
	"context"
	"crypto/tls"
	"time"

	"golang.org/x/crypto/ssh"
	"google.golang.org/grpc"
	ctrl "sigs.k8s.io/controller-runtime"
)

type in struct{}
type out struct{}

// databaseClient has the shape of what is generated for a service.
type databaseClient interface {
	Bounce(ctx context.Context, in *in, opts ...grpc.CallOption) (*out, error)
}

type reconciler struct {
	conn    *grpc.ClientConn
	client  databaseClient
	session *ssh.Session
	config  *tls.Config
}

func newReconciler(target string, with func(*grpc.ClientConn) databaseClient) (*reconciler, error) {
	conn, err := grpc.NewClient(target)
	if err != nil {
		return nil, err
	}
	return &reconciler{conn: conn, client: with(conn)}, nil
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.bounce(ctx); err != nil { // ok: it ends with the context
		return ctrl.Result{}, err
	}
	bounded, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.bounce(bounded); err != nil { // ok: it has a deadline
		return ctrl.Result{}, err
	}
	endless := context.Background()
	if err := r.bounce(endless); err != nil { // want outside "r.client.Bounce (peers.go:62) waits for a server to answer and cannot be stopped: context.Background() never ends; one that never does keeps the worker for good" @46 "context.Background() never ends"
		return ctrl.Result{}, err
	}
	defer r.session.Close()
	if err := r.session.Run("reboot"); err != nil { // want outside "r.session.Run waits for another machine to be done and cannot be stopped: it takes no context, and nothing in sight closes the connection meanwhile; one that never does keeps the worker for good"
		return ctrl.Result{}, err
	}
	conn, err := tls.Dial("tcp", req.Name, r.config) // want outside "tls.Dial waits for the other side to shake hands and cannot be stopped: it takes neither a context nor a timeout; one that never does keeps the worker for good"
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, conn.Close()
}

func (r *reconciler) bounce(ctx context.Context) error {
	_, err := r.client.Bounce(ctx, &in{})
	return err
}

var _ = newReconciler
