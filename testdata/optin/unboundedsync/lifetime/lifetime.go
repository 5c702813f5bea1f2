// Package lifetime waits as long as the object lives, in functions that others call while it does.
package lifetime

import (
	"context"
	"errors"

	"k8s.io/client-go/tools/cache"
)

type informers struct {
	stop    <-chan struct{}
	started bool
	synced  cache.InformerSynced
}

func (i *informers) Start(stop <-chan struct{}) {
	i.stop = stop
	i.started = true
	cache.WaitForCacheSync(i.stop, i.synced) // ok: it starts, and the process ends it
	<-stop
}

func (i *informers) Get(name string) error {
	if i.started && !cache.WaitForCacheSync(i.stop, i.synced) { // want lifetime "cache.WaitForCacheSync waits for an API server to answer until i.stop ends, as long as its owner lives: no caller can bound it"
		return errors.New("not synced")
	}
	return nil
}

func (i *informers) GetIn(ctx context.Context, name string) error {
	if i.started && !cache.WaitForCacheSync(ctx.Done(), i.synced) { // ok: the caller's
		return errors.New("not synced")
	}
	return nil
}
