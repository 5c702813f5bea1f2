package blocking_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const bounded = `package src

import (
	"context"
	"os"
	"os/signal"
	"time"
)

func wait(context.Context) {}
func waitChan(<-chan struct{}) {}
func waitNever(<-chan struct{}) {} // whose parameter is none that somebody closes

type owner struct {
	ctx, given, timed, mixed, lent context.Context
	never, empty, open             chan struct{}
}

func (o *owner) Fill(ctx context.Context) { o.given = ctx }
func makes() *owner                       { return &owner{ctx: context.Background(), never: make(chan struct{}), open: make(chan struct{})} }
func (o *owner) times()                   { o.timed, _ = context.WithTimeout(o.ctx, time.Second) }
func (o *owner) mixes()                   { o.mixed = context.TODO() }
func (o *owner) mixesMore()               { o.mixed, _ = context.WithTimeout(o.ctx, time.Second) }
func lend(*context.Context) {}
func (o *owner) lends()                   { o.lent = context.TODO(); lend(&o.lent) }
func (o *owner) shuts()                   { close(o.open) }

func field(o *owner)      { wait(o.ctx) }
func givenField(o *owner) { wait(o.given) }
func timedField(o *owner) { wait(o.timed) }
func mixedField(o *owner) { wait(o.mixed) }
func lentField(o *owner)  { wait(o.lent) }
func neverField(o *owner) { waitNever(o.never) }
func emptyField(o *owner) { waitChan(o.empty) }
func openField(o *owner)  { waitChan(o.open) }

func signals() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	go func() { <-c; cancel() }()
	return ctx
}
func signalled()      { wait(signals()) }
func notified()       { ctx, stop := signal.NotifyContext(context.Background()); defer stop(); wait(ctx) }
func either(b bool)   { ctx := context.Background(); if b { ctx = signals() }; wait(ctx) }

func passed(ctx context.Context) context.Context { return context.WithValue(ctx, "k", 1) }
func handed(ctx context.Context)                 { wait(passed(ctx)) }
func endless()                                   { wait(passed(context.TODO())) }

func loops(ctx context.Context, n int) {
	for range n {
		ctx = context.WithValue(ctx, n, 1)
	}
	wait(ctx)
}
func calls(ctx context.Context, n int) context.Context {
	if n > 0 {
		return calls(ctx, n-1)
	}
	return ctx
}
func recursive(ctx context.Context) { wait(calls(ctx, 3)) }

func late()  { stop := make(chan struct{}); waitChan(stop); close(stop) }
func early() { stop := make(chan struct{}); close(stop); waitChan(stop) }
func other() { stop := make(chan struct{}); defer close(stop); waitChan(stop) }
func async() { stop := make(chan struct{}); go func() { close(stop) }(); waitChan(stop) }
func inTime(stop chan struct{}) <-chan struct{} {
	one := make(chan struct{})
	go func() {
		defer close(one)
		select {
		case <-stop:
		case <-time.After(time.Second):
		}
	}()
	return one
}
func eitherStop(stop, quit chan struct{}) <-chan struct{} {
	one := make(chan struct{})
	go func() {
		defer close(one)
		select {
		case <-stop:
		case <-quit:
		}
	}()
	return one
}
func timed(stop chan struct{})      { waitChan(inTime(stop)) }
func timedHere(stop chan struct{})  { one := make(chan struct{}); go func() { <-time.After(time.Second); close(one) }(); waitChan(one) }
func stopped(stop chan struct{})    { waitChan(eitherStop(stop, stop)) }
func cleaned() {
	ctx, cancel := context.WithCancel(context.Background())
	defer func() { cancel() }()
	wait(ctx)
}
`

func boundsOf(t *testing.T, src string) (*program.Program, *blocking.Bounds) {
	t.Helper()
	p := program.Of(ssatest.Pass(t, src))
	return p, blocking.BoundsOf(p)
}

func TestBounds(t *testing.T) {
	p, b := boundsOf(t, bounded)
	for name, want := range map[string]blocking.Limit{
		"field": blocking.Never, "givenField": blocking.Owner, "timedField": blocking.Deadline, "mixedField": blocking.Owner, "lentField": blocking.Owner,
		"neverField": blocking.Never, "emptyField": blocking.Never, "openField": blocking.Owner,
		"signalled": blocking.Signal, "notified": blocking.Signal, "either": blocking.Unknown,
		"handed": blocking.Parameter, "endless": blocking.Never, "loops": blocking.Parameter, "recursive": blocking.Parameter,
		"late": blocking.Never, "early": blocking.Unknown, "other": blocking.Never, "async": blocking.Deadline, "timed": blocking.Deadline, "timedHere": blocking.Deadline, "stopped": blocking.Unknown, "cleaned": blocking.Never,
	} {
		fn := p.Func(name)
		calls := append(append(ssatest.Calls(fn, "wait"), ssatest.Calls(fn, "waitChan")...), ssatest.Calls(fn, "waitNever")...)
		if len(calls) != 1 {
			t.Errorf("%s: %d waits, want 1", name, len(calls))
			continue
		}
		var at ssa.Instruction
		for c := range flow.Calls(fn) {
			if c.Common() == calls[0] {
				at = c
			}
		}
		if got := b.Of(calls[0].Args[0], at); got.Limit != want {
			t.Errorf("%s: limit %d, want %d (%s)", name, got.Limit, want, got.Why)
		}
	}
}

const ends = `package src

import (
	"net/http"
)

type feed interface {
	C() chan int
	Close() error
}

type t struct {
	ch, other chan int
	db, src   feed
	a, b      *http.Server
	cancel    func()
	done      bool
}

func (t *t) closes()     { close(t.ch) }
func (t *t) indirectly() { t.closes() }
func (t *t) sends()      { t.ch <- 1 }
func (t *t) drains()     { <-t.ch }
func (t *t) another()    { close(t.other) }
func (t *t) cancels()    { t.cancel() }
func (t *t) database()   { t.db.Close() }
func (t *t) says()       { t.done = true }
func (t *t) nothing()    { println(t.done) }

func (t *t) own()        { <-t.ch }
func (t *t) theirs()     { <-t.src.C() }
func (t *t) shuts()      { t.a.Close() }
func (t *t) serves()     { t.a.ListenAndServe() }
func (t *t) servesToo()  { t.b.ListenAndServe() }
`

func TestEndedBy(t *testing.T) {
	p, b := boundsOf(t, ends)
	fn := func(name string) *ssa.Function {
		for _, f := range p.Funcs {
			if f.Name() == name {
				return f
			}
		}
		t.Fatalf("there is no %s", name)
		return nil
	}
	on := func(name string) (chans []ssa.Value) {
		for in := range flow.Instrs(fn(name)) {
			if w, ok := blocking.Table(nil).Of(in); ok {
				chans = append(chans, w.Ends[0].On)
			}
		}
		return chans
	}
	for _, test := range []struct {
		by                 string
		own, theirs, known bool // a wait for a channel of its own, for one that something gives, and for what is not known
	}{
		{"closes", true, false, true},
		{"indirectly", true, false, true},
		{"sends", true, false, true},
		{"drains", true, false, true},
		{"another", false, false, true},
		{"cancels", true, true, true},
		{"database", false, true, true},
		{"says", false, false, true},
		{"nothing", false, false, false},
	} {
		own, theirs, known := b.EndedBy(fn(test.by), on("own")...), b.EndedBy(fn(test.by), on("theirs")...), b.EndedBy(fn(test.by))
		if own != test.own || theirs != test.theirs || known != test.known {
			t.Errorf("%s: %t, %t, %t, want %t, %t, %t", test.by, own, theirs, known, test.own, test.theirs, test.known)
		}
	}
	server := func(name string) ssa.Value { return flow.Recv(ssatest.Calls(fn(name), "ListenAndServe")[0]) }
	if !b.ShutDown(server("serves")) || b.ShutDown(server("servesToo")) {
		t.Errorf("which server is shut down: %t, %t, want true, false", b.ShutDown(server("serves")), b.ShutDown(server("servesToo")))
	}
}
