// Package other has functions that take a context and wait until something else ends.
package other

import (
	"context"
	"errors"
	"net/http"
	"time"

	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
)

var errNotSynced = errors.New("not synced")

type informers struct {
	stop    chan struct{}
	ctx     context.Context
	cancel  context.CancelFunc
	started bool
	synced  cache.InformerSynced
	all     crcache.Cache
}

func (i *informers) run(ctx context.Context) {
	i.ctx, i.cancel = context.WithCancel(ctx)
	i.stop = make(chan struct{})
	<-ctx.Done()
	close(i.stop)
}

func (i *informers) get(ctx context.Context, name string) error {
	if !cache.WaitForCacheSync(i.stop, i.synced) { // want othercontext "cache.WaitForCacheSync waits for an API server to answer until i.stop ends, not ctx: a caller that gives up is not heard" @32 "ctx is given here"
		return errNotSynced
	}
	return ctx.Err()
}

func (i *informers) list(ctx context.Context) error {
	if !i.all.WaitForCacheSync(i.ctx) { // want othercontext "i.all.WaitForCacheSync waits for an API server to answer until i.ctx ends, not ctx: a caller that gives up is not heard" @39 "ctx is given here"
		return errNotSynced
	}
	return nil
}

func (i *informers) heeds(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), i.synced) { // ok: the caller's
		return errNotSynced
	}
	return nil
}

func (i *informers) plain() error {
	if !cache.WaitForCacheSync(i.stop, i.synced) { // ok: as long as its owner lives, which is opt-in
		return errNotSynced
	}
	return nil
}

func (i *informers) passes(ctx context.Context) error {
	i.ctx = ctx
	if !i.all.WaitForCacheSync(i.ctx) { // ok: ctx was put there
		return errNotSynced
	}
	return nil
}

func (i *informers) stops(ctx context.Context) error {
	go func() {
		<-ctx.Done()
		close(i.stop)
	}()
	if !cache.WaitForCacheSync(i.stop, i.synced) { // ok: closed when ctx ends
		return errNotSynced
	}
	return nil
}

func (i *informers) bounded(ctx context.Context) error {
	wait, cancel := context.WithTimeout(i.ctx, time.Minute)
	defer cancel()
	if !i.all.WaitForCacheSync(wait) { // ok: a deadline
		return errNotSynced
	}
	return ctx.Err()
}

func (i *informers) unused(_ context.Context) bool {
	return cache.WaitForCacheSync(i.stop, i.synced) // ok: the signature is somebody else's
}

func (i *informers) ready() bool { return cache.WaitForCacheSync(i.stop, i.synced) }

func (i *informers) deeper() error { // want deeper:"waits for cache.WaitForCacheSync (other.go:92) until i.stop through ready and says whether"
	if !i.ready() {
		return errNotSynced
	}
	return nil
}

func (i *informers) dropped(ctx context.Context, name string) error {
	if err := i.deeper(); err != nil { // want othercontext "cache.WaitForCacheSync (other.go:92, through deeper) waits for an API server to answer until i.stop ends, not ctx: a caller that gives up is not heard" @101 "ctx is given here" @92 "waits here"
		return err
	}
	return ctx.Err()
}

func (i *informers) serve(w http.ResponseWriter, r *http.Request) {
	if !cache.WaitForCacheSync(i.stop, i.synced) { // want othercontext "cache.WaitForCacheSync waits for an API server to answer until i.stop ends, not r.Context(): a caller that gives up is not heard" @108 "r is given here"
		http.Error(w, "not synced", http.StatusServiceUnavailable)
	}
}

func (i *informers) startAll(ctx context.Context) error {
	go i.run(ctx)
	return i.deeper() // ok: run, which it starts, ends the wait when ctx ends
}

func (i *informers) Run(ctx context.Context) error {
	return i.deeper() // ok: at start, and the process ends it
}
