// Package turns starts a goroutine in each turn of a loop, or in each run of a function.
package turns

import (
	"context"
	"net"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type uplink struct{ address string }

// Add hands the manager all of them.
func Add(mgr manager.Manager, client kubernetes.Interface) error {
	for _, r := range []manager.Runnable{&uplink{}, (*ending)(&uplink{}), (*turning)(&uplink{}), (*once)(&uplink{}), &router{client: client}} {
		if err := mgr.Add(r); err != nil {
			return err
		}
	}
	return nil
}

func (u *uplink) dial(ctx context.Context) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "tcp", u.address)
}

func (u *uplink) serve(context.Context, net.Conn) {}

// Start leaves one that pings behind for each connection.
func (u *uplink) Start(ctx context.Context) error {
	for ctx.Err() == nil {
		conn, err := u.dial(ctx)
		if err != nil {
			continue
		}
		go u.ping(ctx, conn) // want pilesup "each turn of this loop leaves this goroutine behind: (*uplink).ping goes on until ctx ends, which outlasts the turn; let it end with the turn, too" @47 "this goes on"
		u.serve(ctx, conn)
	}
	return nil
}

// ping goes on when the connection is gone.
func (u *uplink) ping(ctx context.Context, conn net.Conn) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
			_, _ = conn.Write([]byte("ping"))
		}
	}
}

type ending uplink

// Start has one that ends with its connection.
func (u *ending) Start(ctx context.Context) error {
	for {
		conn, err := (*uplink)(u).dial(ctx)
		if err != nil {
			return err
		}
		go u.ping(ctx, conn) // ok
		(*uplink)(u).serve(ctx, conn)
	}
}

func (u *ending) ping(ctx context.Context, conn net.Conn) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
			if _, err := conn.Write([]byte("ping")); err != nil {
				return
			}
		}
	}
}

type turning uplink

// Start gives each a context of its turn.
func (u *turning) Start(ctx context.Context) error {
	for ctx.Err() == nil {
		turn, cancel := context.WithCancel(ctx)
		conn, err := (*uplink)(u).dial(ctx)
		if err == nil {
			go (*uplink)(u).ping(turn, conn) // ok
			(*uplink)(u).serve(ctx, conn)
		}
		cancel()
	}
	return nil
}

type once uplink

// Start has one for the first connection.
func (u *once) Start(ctx context.Context) error {
	started := false
	for ctx.Err() == nil {
		conn, err := (*uplink)(u).dial(ctx)
		if err != nil {
			continue
		}
		if !started {
			started = true
			go (*uplink)(u).ping(ctx, conn) // ok
		}
		(*uplink)(u).serve(ctx, conn)
	}
	return nil
}

type router struct {
	client   kubernetes.Interface
	selector func(context.Context) (string, error)
	running  bool
}

func (r *router) Start(ctx context.Context) error {
	go wait.UntilWithContext(ctx, r.look, time.Minute)
	wait.UntilWithContext(ctx, r.refresh, time.Minute)
	return nil
}

// refresh runs a new informer each time that it can.
func (r *router) refresh(ctx context.Context) {
	if _, err := r.selector(ctx); err != nil {
		return
	}
	informer := informers.NewSharedInformerFactory(r.client, 0).Core().V1().Secrets().Informer()
	go informer.Run(ctx.Done()) // want pilesup "each run of (*router).refresh, which wait.UntilWithContext starts again and again (line 128), leaves this goroutine behind: informer.Run goes on until what outlasts the run ends; wait for that here, too" @128 "it is started again and again here"
}

// look runs one.
func (r *router) look(ctx context.Context) {
	if r.running {
		return
	}
	r.running = true
	informer := informers.NewSharedInformerFactory(r.client, 0).Core().V1().Pods().Informer()
	go informer.Run(ctx.Done()) // ok
}
