package blocking_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const bounds = `package src

import (
	"context"
	"time"
)

func wait(<-chan struct{}) {}
func waitCtx(context.Context) {}
func keep(chan struct{}) {}

type owner struct{ stop chan struct{} }

func param(stop chan struct{})   { wait(stop) }
func field(o *owner)             { wait(o.stop) }
func made()                      { stop := make(chan struct{}); wait(stop) }
func closed()                    { stop := make(chan struct{}); go func() { close(stop) }(); wait(stop) }
func given()                     { stop := make(chan struct{}); keep(stop); wait(stop) }
func kept(o *owner)              { stop := make(chan struct{}); o.stop = stop; wait(stop) }
func none()                      { wait(nil) }
func background()                { waitCtx(context.Background()) }
func done()                      { wait(context.TODO().Done()) }
func deadline()                  { ctx, c := context.WithTimeout(context.Background(), time.Second); defer c(); waitCtx(ctx) }
func deferred()                  { ctx, c := context.WithCancel(context.Background()); defer c(); waitCtx(ctx) }
func cancelled()                 { ctx, c := context.WithCancel(context.Background()); go c(); waitCtx(ctx) }
func derived(ctx context.Context) { ctx, c := context.WithCancel(ctx); defer c(); waitCtx(ctx) }
func captured()                  { ctx := context.Background(); func() { waitCtx(ctx) }() }
`

func TestBoundOf(t *testing.T) {
	p := ssatest.Build(t, bounds)
	for name, want := range map[string]blocking.Limit{
		"param": blocking.Parameter, "field": blocking.Unknown,
		"made": blocking.Never, "closed": blocking.Unknown, "given": blocking.Unknown, "kept": blocking.Unknown, "none": blocking.Never,
		"background": blocking.Never, "done": blocking.Never, "deadline": blocking.Deadline,
		"deferred": blocking.Never, "cancelled": blocking.Unknown, "derived": blocking.Parameter, "captured": blocking.Never,
	} {
		fn := p.Func(name)
		calls := append(ssatest.Calls(fn, "wait"), ssatest.Calls(fn, "waitCtx")...)
		for _, anon := range fn.AnonFuncs {
			calls = append(calls, ssatest.Calls(anon, "waitCtx")...)
		}
		if len(calls) != 1 {
			t.Errorf("%s: %d waits, want 1", name, len(calls))
			continue
		}
		b := blocking.BoundOf(calls[0].Args[0])
		if b.Limit != want {
			t.Errorf("%s: limit %d, want %d", name, b.Limit, want)
		}
		if b.Limit == blocking.Never && b.Why == "" {
			t.Errorf("%s: an endless bound without a reason", name)
		}
	}
}

const waits = `package src

import (
	"context"
	"os/exec"
	"sync"
	"time"
)

func send(c chan int)                 { c <- 1 }
func receive(c chan int)              { <-c }
func timer()                          { <-time.After(1) }
func ctxDone(ctx context.Context)     { <-ctx.Done() }
func defaulted(c chan int)            { select { case <-c: default: } }
func done(c chan int, d chan struct{}) { select { case <-c: case <-d: } }
func timed(c chan int)                { select { case <-c: case <-time.After(1): } }
func endless(c, d chan int)           { select { case <-c: case d <- 1: } }
func group(wg *sync.WaitGroup)        { wg.Wait() }
func child()                          { exec.Command("true").Run() }
func childCtx(ctx context.Context)    { exec.CommandContext(ctx, "true").Run() }
func spawned(wg *sync.WaitGroup)      { go wg.Wait() }
func ranging(c chan int)              { for range c { } }
`

func TestOf(t *testing.T) {
	p := ssatest.Build(t, waits)
	for name, want := range map[string]blocking.Kind{
		"send": blocking.Send, "receive": blocking.Receive, "timer": 0, "ctxDone": blocking.Run,
		"defaulted": 0, "done": blocking.Select, "timed": 0, "endless": blocking.Select, "group": blocking.Group,
		"child": blocking.Process, "childCtx": 0, "spawned": 0, "ranging": blocking.Receive,
	} {
		var got []blocking.Wait
		for _, b := range p.Func(name).Blocks {
			for _, in := range b.Instrs {
				if w, ok := blocking.Table(nil).Of(in); ok {
					got = append(got, w)
				}
			}
		}
		switch {
		case want == 0 && len(got) > 0:
			t.Errorf("%s: waits at %s, want none", name, got[0].What)
		case want != 0 && (len(got) != 1 || got[0].Kind != want):
			t.Errorf("%s: %d waits, want one of kind %d", name, len(got), want)
		}
	}
}
