package lifetime

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const source = `package main

import (
	"errors"
	"log"
	"os"
	"runtime"
	"sync"
	"time"
)

func main()  { setup(); both(); both() }
func init()  { early() }
func early() {}
func setup() { n := 0; once.Do(func() { n++; inOnce() }) }
func both()  { for range 2 { looped() }; round() }
func looped() {}
func round() { round() }
func orphan() { free() }
func free()  {}
func inOnce() {}

var once sync.Once

func exits()           { os.Exit(1) }
func fatal()           { log.Fatal("no") }
func panics()          { panic("no") }
func logPanics()       { log.Panic("no") }
func goexits()         { runtime.Goexit() }
func indirectly()      { exits() }
func perhaps(b bool)   { if b { exits() } }
func forever()         { for { free() } }
func deferred()        { defer free(); exits() }
func later()           { go exits() }
func returns()         { free() }

type Result struct { Requeue bool; RequeueAfter time.Duration }

type kept struct{ result Result }

var errNo = errors.New("no")

func request() error
func poll(d time.Duration) (Result, error)
func unknown() (Result, error)

func empty() (Result, error)                { return Result{}, nil }
func after(d time.Duration) (Result, error) { return Result{RequeueAfter: d}, nil }
func zero() (Result, error)                 { return Result{RequeueAfter: 0}, nil }
func wish() (r Result, err error)           { r.Requeue = true; return r, nil }
func oneWay(b bool) (r Result, err error)   { if b { r.Requeue = true }; return r, nil }
func field(k *kept) (Result, error)         { return k.result, nil }
func timed() (Result, error)                { return poll(time.Minute) }
func elsewhere() (Result, error)            { return unknown() }
func passed() (Result, error)               { return wish() }
func cycle(b bool) (Result, error)          { if b { return wish() }; return cycle(!b) }
func failing() (Result, error) {
	if err := request(); err != nil {
		return Result{}, err
	}
	return Result{Requeue: true}, nil
}
func mixed(b bool) (Result, error)          { if b { return Result{}, nil }; return Result{Requeue: true}, nil }
func refuses(b bool) (Result, error) {
	if b {
		return Result{}, errNo
	}
	return Result{Requeue: true}, errors.New("no")
}
`

func TestEnds(t *testing.T) {
	p := program.Of(ssatest.Pass(t, source))
	for name, want := range map[string]struct{ never, may, exits bool }{
		"exits": {true, true, true}, "fatal": {true, true, true}, "panics": {true, true, true},
		"logPanics": {true, true, true},
		"goexits":   {true, true, false}, "indirectly": {true, true, false},
		"perhaps": {false, true, false}, "forever": {true, false, false},
		"deferred": {true, true, false}, "later": {false, true, false}, "returns": {},
	} {
		fn := p.Func(name)
		if got := NeverReturns(fn); got != want.never {
			t.Errorf("NeverReturns(%s) = %v", name, got)
		}
		if got := MayEndProcess(p, fn); got != want.may {
			t.Errorf("MayEndProcess(%s) = %v", name, got)
		}
		for in := range flow.Instrs(fn) {
			if panics, ok := in.(*ssa.Panic); ok && Exits(panics) != want.exits {
				t.Errorf("Exits(the end of %s) = %v", name, Exits(panics))
			}
		}
	}
}

func TestOnceOnly(t *testing.T) {
	p := program.Of(ssatest.Pass(t, source))
	for name, want := range map[string]bool{
		"main": true, "early": true, "setup": true, "both": true, "inOnce": true, "looped": false,
		"round": false, "orphan": false, "free": false,
	} {
		if got := OnceOnly(p, p.Func(name)); got != want {
			t.Errorf("OnceOnly(%s) = %v", name, got)
		}
	}
}

func TestRequeued(t *testing.T) {
	p := program.Of(ssatest.Pass(t, source))
	for name, want := range map[string]struct {
		result flow.Truth
		always bool
	}{
		"empty": {flow.False, false}, "after": {flow.True, true}, "zero": {flow.False, false}, "wish": {flow.True, true},
		"oneWay": {flow.Unknown, false},
		"field":  {flow.True, true}, "timed": {flow.True, true}, "elsewhere": {flow.Unknown, false},
		"passed": {flow.Unknown, true},
		"cycle":  {flow.Unknown, true}, "failing": {flow.True, true}, "mixed": {flow.True, false}, "refuses": {flow.True, false},
	} {
		var last *ssa.Return
		for ret := range flow.Returns(p.Func(name)) {
			last = ret
		}
		if got := Requeued(last.Results[0]); got != want.result {
			t.Errorf("Requeued(%s) = %v", name, got)
		}
		if got := AlwaysRequeued(p, p.Func(name), func(*ssa.Return) bool { return false }); got != want.always {
			t.Errorf("AlwaysRequeued(%s) = %v", name, got)
		}
	}
}
