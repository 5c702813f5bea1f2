// Package donealone has those who ask a context for its channel, and leave it there.
package donealone

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

type poller struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func (p *poller) poll() {}

func (p *poller) Start() {
	go wait.Until(p.poll, time.Second, p.ctx.Done()) // ok: it is handed on
}

// Stop ends nothing.
func (p *poller) Stop() {
	p.ctx.Done() // want ignored "Done only gives a channel, and nobody takes this one: (*poller).Stop neither ends the context here nor waits for its end; call the function that cancels it"
	klog.Info("stopped")
	p.poll()
}

// Close does it first.
func (p *poller) Close() {
	p.ctx.Done() // ok: it is cancelled
	p.end()
}

func (p *poller) end() { p.cancel() }

// Shutdown does it later.
func (p *poller) Shutdown() {
	defer p.cancel()
	p.ctx.Done() // ok: it is cancelled
}

func prepare(context.Context) error { return nil }

func work(context.Context) {}

// Run gives up, as it thinks.
func (p *poller) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := prepare(ctx); err != nil {
		ctx.Done() // want ignored "Done only gives a channel, and nobody takes this one: (*poller).Run neither ends the context here nor waits for its end; call the function that cancels it"
		klog.Error(err)
		return
	}
	work(ctx)
	cancel()
}

// tells has its caller for that.
func (p *poller) tells(ctx context.Context) error {
	if err := prepare(ctx); err != nil {
		ctx.Done() // ok: it does no harm
		return err
	}
	work(ctx)
	return nil
}

// goesOn has more to do.
func (p *poller) goesOn(ctx context.Context) {
	if err := prepare(ctx); err != nil {
		ctx.Done() // ok: it does no harm
	}
	work(ctx)
}

// over has heard of the end.
func (p *poller) over(ctx context.Context) {
	select {
	case <-time.After(time.Second):
		work(ctx)
	case <-ctx.Done():
		ctx.Done() // ok: it has ended
	}
}

// cancelled is so on the way there.
func (p *poller) cancelled(ctx context.Context) {
	if err := prepare(ctx); err != nil {
		p.cancel()
		ctx.Done() // ok: it is cancelled
	}
}

// waits receives from it.
func (p *poller) waits(ctx context.Context) {
	work(ctx)
	<-ctx.Done() // ok
}

// inLiteral ends its streams, as it thinks.
func (p *poller) inLiteral(ctx context.Context) {
	defer func() {
		ctx.Done() // want ignored "Done only gives a channel, and nobody takes this one: (*poller).inLiteral neither ends the context here nor waits for its end; call the function that cancels it"
	}()
	go work(ctx)
	p.poll()
}

// atItsEnd has it deferred.
func (p *poller) atItsEnd(ctx context.Context) {
	defer ctx.Done() // ok: one way to write nothing
	work(ctx)
}

// inside has a function around it that cancels.
func (p *poller) inside(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer func() {
		ctx.Done() // ok: it ends all the same
	}()
	go work(ctx)
	p.poll()
}

// late says in a deferred function that it has ended, once it has.
func late(ctx context.Context) {
	defer func() {
		klog.Info("stopped")
		ctx.Done() // ok: it has waited for the end
	}()
	<-ctx.Done()
}
