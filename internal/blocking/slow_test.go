package blocking_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// each is what ask says of the instructions of the function named so, where it says yes.
func each[T any](t *testing.T, p *ssa.Package, name string, ask func(ssa.Instruction) (T, bool)) []T {
	t.Helper()
	fn := p.Func(name)
	if fn == nil {
		t.Fatalf("no function %s", name)
	}
	var out []T
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if x, ok := ask(in); ok {
				out = append(out, x)
			}
		}
	}
	return out
}

const slow = `package src

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"
)

type client struct{ http *http.Client }
type doer interface{ Get(string) (*http.Response, error) }
type store struct{}

func (store) Get(ctx context.Context, name string) error    { return nil }
func (store) Update(ctx context.Context, opts Options) error { return nil }
func (store) Do(*http.Request) (*http.Response, error)       { return nil, nil }
func (store) Write([]byte) (int, error)                      { return 0, nil }
func Sleep(time.Duration)                                    {}

type Options struct{}

// Waits with a bound.
func sleep()                             { time.Sleep(time.Second) }
func timer()                             { <-time.After(time.Second) }
func newTimer(x *time.Timer)             { <-x.C }
func ticker(x *time.Ticker)              { <-x.C }
func timed(c chan int)                   { select { case <-c: case <-time.After(time.Second): } }
func timedOut(c chan int, x *time.Timer) { select { case <-x.C: case c <- 1: } }
func child()                             { exec.CommandContext(context.Background(), "true").Run() }

// Round trips.
func get()                                { http.Get("") }
func head()                               { http.Head("") }
func post()                               { http.Post("", "", nil) }
func form()                               { http.PostForm("", nil) }
func do(x *client)                        { x.http.Do(nil) }
func clientGet(x http.Client)             { x.Get("") }
func defaultClient()                      { http.DefaultClient.Head("") }
func trip(x http.RoundTripper)            { x.RoundTrip(nil) }
func transport(x *http.Transport)         { x.RoundTrip(nil) }
func dial()                               { net.Dial("tcp", "") }
func dialTimeout()                        { net.DialTimeout("tcp", "", 1) }
func dialer(x *net.Dialer)                { x.Dial("tcp", "") }
func lookup()                             { net.LookupHost("") }
func resolver(x *net.Resolver)            { x.LookupIP(nil, "", "") }

// Neither.
func nothing()                              {}
func receive(c chan int)                    { <-c }
func endless(c, d chan int)                 { select { case <-c: case d <- 1: } }
func defaulted(c chan int)                  { select { case <-c: case <-time.After(1): default: } }
func sendTime(c chan time.Time, d chan int) { select { case c <- time.Now(): case <-d: } }
func done(c chan int, ctx context.Context)  { select { case <-c: case <-ctx.Done(): } }
func group(wg *sync.WaitGroup)              { wg.Wait() }
func now()                                  { time.Now() }
func afterFunc()                            { time.AfterFunc(1, func() {}) }
func newRequest()                           { http.NewRequest("", "", nil) }
func header(w http.ResponseWriter)          { w.Header() }
func idle(x *http.Client)                   { x.CloseIdleConnections() }
func handle()                               { http.Handle("", nil) }
func headerGet(h http.Header)               { h.Get("") }
func join()                                 { net.JoinHostPort("", "") }
func spawned()                              { go time.Sleep(1) }
func deferred()                             { defer time.Sleep(1) }
func literal()                              { _ = func() { time.Sleep(1) } }
func ownSleep()                             { Sleep(1) }
func ownGet(x store, ctx context.Context)   { x.Get(ctx, "") }
func ownUpdate(x store, ctx context.Context) { x.Update(ctx, Options{}) }
func ownDo(x store)                         { x.Do(nil) }
func ownWrite(x store)                      { x.Write(nil) }
func ownInterface(x doer)                   { x.Get("") }
func value(f func(time.Duration))           { f(1) }
`

func TestSlowOf(t *testing.T) {
	p := ssatest.Build(t, slow)
	const bounded, io, none = "bounded", "io", ""
	for name, want := range map[string]struct{ kind, what string }{
		"sleep": {bounded, "time.Sleep"}, "child": {bounded, "CommandContext().Run"}, "timer": {bounded, "the receive from a timer"}, "newTimer": {bounded, "the receive from a timer"},
		"ticker": {bounded, "the receive from a timer"}, "timed": {bounded, "the select on c"}, "timedOut": {bounded, "the select on c"},

		"get": {io, "http.Get"}, "head": {io, "http.Head"}, "post": {io, "http.Post"}, "form": {io, "http.PostForm"},
		"do": {io, "x.http.Do"}, "clientGet": {io, "x.Get"}, "defaultClient": {io, "DefaultClient.Head"},
		"trip": {io, "x.RoundTrip"}, "transport": {io, "x.RoundTrip"},
		"dial": {io, "net.Dial"}, "dialTimeout": {io, "net.DialTimeout"}, "dialer": {io, "x.Dial"},
		"lookup": {io, "net.LookupHost"}, "resolver": {io, "x.LookupIP"},

		"nothing": {}, "receive": {}, "endless": {}, "defaulted": {}, "sendTime": {}, "done": {}, "group": {}, "now": {}, "afterFunc": {},
		"newRequest": {}, "header": {}, "idle": {}, "handle": {}, "headerGet": {}, "join": {}, "spawned": {}, "deferred": {}, "literal": {},
		"ownSleep": {}, "ownGet": {}, "ownUpdate": {}, "ownDo": {}, "ownWrite": {}, "ownInterface": {}, "value": {},
	} {
		found := each(t, p, name, blocking.Table(nil).SlowOf)
		if want.kind == none {
			if len(found) > 0 {
				t.Errorf("%s: %s is slow, want nothing", name, found[0].What)
			}
			continue
		}
		if len(found) != 1 {
			t.Errorf("%s: %d slow operations, want 1", name, len(found))
			continue
		}
		s := found[0]
		kind := bounded
		if strings.Contains(s.Because, "server") {
			kind = io
		}
		if kind != want.kind || s.What != want.what || s.Because == "" || strings.Contains(s.Because, "cache") {
			t.Errorf("%s: got %+v, want %s %q", name, s, want.kind, want.what)
		}
	}
}

const spins = `package src

import (
	"context"
	"sync/atomic"
	"time"
)

type backoff struct{ steps int }
func (b *backoff) Step() bool { b.steps--; return b.steps > 0 }
type pods struct{ ready bool }
func (p *pods) Ready() bool { return p.ready }
func ready() bool   { return false }
func check() error  { return nil }

// Until something has happened.
func condition()                { for !ready() { time.Sleep(1) } }
func leaves()                   { for { if ready() { return }; time.Sleep(1) } }
func breaks()                   { for { time.Sleep(1); if check() == nil { break } } }
func flag(x *pods)              { for !x.ready { time.Sleep(1) } }
func method(x *pods)            { for !x.Ready() { time.Sleep(1) } }
func atomicFlag(x *atomic.Bool) { for !x.Load() { time.Sleep(1) } }
func after()                    { for !ready() { <-time.After(1) } }
func ticks()                    { x := time.NewTicker(1); for !ready() { <-x.C } }
func ticksTo(x *time.Ticker)    { for { <-x.C; if ready() { return } } }
func rangeTicks(x *time.Ticker) { for range x.C { if ready() { return } } }
func found()                    { ok := false; for !ok { time.Sleep(1); ok = ready() } }
func retries()                  { err := check(); for err != nil { time.Sleep(1); err = check() } }
func forever()                  { for { time.Sleep(1) } }
func doubles(d time.Duration)   { for !ready() { time.Sleep(d); d *= 2 } }
func captured(f func(func() int))  { for i := ready(); !i; i = ready() { f(func() int { if i { return 1 }; return 0 }); time.Sleep(1) } }
func logs(n int)                { for !ready() { n++; time.Sleep(1) } }

// Something else ends them.
func counted()                       { for i := 0; i < 9; i++ { if ready() { return }; time.Sleep(1) } }
func countedCaptured(f func(func() int)) { for i := 0; i < 9; i++ { f(func() int { return i }); time.Sleep(1) } }
func countedDown(n int)              { for n > 0 { time.Sleep(1); n-- } }
func countedInside()                 { n := 0; for { if ready() { return }; if n++; n > 9 { return }; time.Sleep(1) } }
func rangeInt()                      { for range 9 { if ready() { return }; time.Sleep(1) } }
func rangeSlice(s []int)             { for range s { time.Sleep(1) } }
func rangeMap(s map[int]int)         { for range s { time.Sleep(1) } }
func rangeString(s string)           { for range s { time.Sleep(1) } }
func rangeChan(c chan int)           { for range c { time.Sleep(1) } }
func since()                         { start := time.Now(); for time.Since(start) < time.Minute { if ready() { return }; time.Sleep(1) } }
func until(end time.Time)            { for time.Until(end) > 0 { time.Sleep(1) } }
func afterEnd(end time.Time)         { for !ready() { if time.Now().After(end) { return }; time.Sleep(1) } }
func before(end time.Time)           { for time.Now().Before(end) && !ready() { time.Sleep(1) } }
func err(ctx context.Context)        { for ctx.Err() == nil { time.Sleep(1) } }
func errInside(ctx context.Context)  { for !ready() { if ctx.Err() != nil { return }; time.Sleep(1) } }
func done(ctx context.Context)       { for { select { case <-ctx.Done(): return; default: }; time.Sleep(1) } }
func stop(c chan int)                { for { select { case <-c: return; default: time.Sleep(1) } } }
func answer(c chan bool)             { for !<-c { time.Sleep(1) } }
func steps(b *backoff)               { for b.Step() { if ready() { return }; time.Sleep(1) } }
func nested()                        { for i := 0; i < 3; i++ { for !ready() { time.Sleep(1); if i > 1 { return } } } }

// No loop that sleeps.
func once()             { time.Sleep(1) }
func before2()          { time.Sleep(1); for !ready() { } }
func behind()           { for !ready() { }; time.Sleep(1) }
func busy()             { for !ready() { } }
func literal()          { for !ready() { _ = func() { time.Sleep(1) } } }
func spawned()          { for !ready() { go time.Sleep(1) } }
func receives(c chan int) { for !ready() { <-c } }
func leavesAtOnce()     { for { time.Sleep(1); return } }
`

func TestSpins(t *testing.T) {
	p := ssatest.Build(t, spins)
	want := map[string]bool{}
	section := ""
	for line := range strings.Lines(spins) {
		if s, ok := strings.CutPrefix(line, "// "); ok {
			section = strings.TrimSpace(s)
		}
		if name, ok := strings.CutPrefix(line, "func "); ok && section != "" {
			name, _, _ = strings.Cut(name, "(")
			want[name] = section == "Until something has happened."
		}
	}
	if len(want) < 40 {
		t.Fatalf("%d cases", len(want))
	}
	for name, spins := range want {
		found := each(t, p, name, blocking.Spins)
		switch {
		case spins && len(found) != 1:
			t.Errorf("%s: %d waits, want 1", name, len(found))
		case spins && (found[0].Kind != blocking.Poll || found[0].What == ""):
			t.Errorf("%s: got %+v", name, found[0])
		case !spins && len(found) > 0:
			t.Errorf("%s: %s has no end, want one", name, found[0].What)
		}
	}
}
