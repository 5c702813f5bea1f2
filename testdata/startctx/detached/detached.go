// Package detached has Runnables and constructors that leave goroutines behind.
package detached

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func work() {}

type directory struct {
	client.Client
	known int
}

func newDirectory(c client.Client) *directory {
	d := &directory{Client: c}
	refresh := func() { _ = d.refresh() }
	go wait.Forever(refresh, time.Minute) // want detached "the goroutine of newDirectory never stops and calls the API server on every replica, not only on the leader; add it to the manager as a Runnable" @23 "wait.Forever never returns"
	return d
}

func newBound(ctx context.Context, c client.Client) *directory {
	d := &directory{Client: c}
	go wait.Until(func() { _ = d.refresh() }, time.Minute, ctx.Done()) // ok: the caller can stop it
	return d
}

type gauge struct{ last time.Time }

func newGauge() *gauge {
	g := &gauge{}
	go wait.Forever(func() { g.last = time.Now() }, time.Minute) // ok: it keeps to itself
	return g
}

func (d *directory) refresh() error {
	var pods corev1.PodList
	if err := d.List(context.Background(), &pods); err != nil {
		return err
	}
	d.known = len(pods.Items)
	return nil
}
