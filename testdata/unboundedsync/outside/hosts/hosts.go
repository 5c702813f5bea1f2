// Package hosts runs commands on other machines, and calls gRPC servers, for no longer than it has time for.
package hosts

import (
	"context"
	"time"

	"golang.org/x/crypto/ssh"
	"google.golang.org/grpc"
	ctrl "sigs.k8s.io/controller-runtime"
)

type in struct{}
type out struct{}

type databaseClient interface {
	Bounce(ctx context.Context, in *in, opts ...grpc.CallOption) (*out, error)
}

type reconciler struct {
	client  databaseClient
	session *ssh.Session
}

func newReconciler(target string, limit grpc.UnaryClientInterceptor, with func(*grpc.ClientConn) databaseClient) (*reconciler, error) {
	conn, err := grpc.NewClient(target, grpc.WithUnaryInterceptor(limit))
	if err != nil {
		return nil, err
	}
	return &reconciler{client: with(conn)}, nil
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if _, err := r.client.Bounce(context.Background(), &in{}); err != nil { // ok: the interceptor may give it a deadline
		return ctrl.Result{}, err
	}
	time.AfterFunc(time.Minute, func() { r.session.Close() })
	return ctrl.Result{}, r.session.Run("reboot") // ok: it is closed after a time
}

var _ = newReconciler
