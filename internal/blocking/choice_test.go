package blocking_test

import (
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// A choice of bounds is worth what all of its alternatives are, or the deadline that one of them is.
func TestBoundOfChoice(t *testing.T) {
	const (
		never    = "context.Background()"
		deadline = "d"
		unknown  = "global"
	)
	for _, test := range []struct {
		name string
		body string
		want blocking.Limit
	}{
		{"one parameter on both sides", "c := a; if x { c = a }; wait(c)", blocking.Parameter},
		{"two parameters", "c := a; if x { c = b }; wait(c)", blocking.Unknown},
		{"never on both sides", "c := " + never + "; if x { c = context.TODO() }; wait(c)", blocking.Never},
		{"never or a parameter", "c := " + never + "; if x { c = a }; wait(c)", blocking.Unknown},
		{"a parameter or never", "c := a; if x { c = " + never + " }; wait(c)", blocking.Unknown},
		{"never or who knows", "c := " + never + "; if x { c = " + unknown + " }; wait(c)", blocking.Unknown},
		{"who knows or never", "c := " + unknown + "; if x { c = " + never + " }; wait(c)", blocking.Unknown},
		{"never or a deadline", "c := " + never + "; if x { c = " + deadline + " }; wait(c)", blocking.Deadline},
		{"a deadline or never", "c := " + deadline + "; if x { c = " + never + " }; wait(c)", blocking.Deadline},
		{"three, the last of which is another one", "c := " + never + "; if x { c = context.TODO() } else if y { c = a }; wait(c)", blocking.Unknown},
		{"a cancel function that is called", "c, cancel := context.WithCancel(" + never + "); if x { cancel() }; wait(c)", blocking.Unknown},
		{"a cancel function that is deferred", "c, cancel := context.WithCancel(" + never + "); defer cancel(); wait(c)", blocking.Never},
		{"a cancel function of a parameter", "c, cancel := context.WithCancel(a); if x { cancel() }; wait(c)", blocking.Parameter},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := ssatest.Build(t, `package src

import (
	"context"
	"time"
)

var (
	x, y   bool
	global context.Context
)

func wait(context.Context) {}

func f(a, b context.Context) { d, _ := context.WithTimeout(a, time.Second); _ = d; `+test.body+` }
`)
			if got := blocking.BoundOf(ssatest.Calls(p.Func("f"), "wait")[0].Args[0]).Limit; got != test.want {
				t.Errorf("%s: limit %d, want %d", test.body, got, test.want)
			}
		})
	}
}

// What a context is derived from is followed through any number of steps.
func TestBoundOfDepth(t *testing.T) {
	for n, want := range map[int]blocking.Limit{1: blocking.Parameter, 17: blocking.Parameter, 200: blocking.Parameter} {
		p := ssatest.Build(t, "package src\n\nimport \"context\"\n\ntype key int\n\nfunc wait(context.Context) {}\n\nfunc f(a context.Context) {\n"+
			strings.Repeat("a = context.WithValue(a, key(1), 1)\n", n)+"wait(a)\n}\n")
		if got := blocking.BoundOf(ssatest.Calls(p.Func("f"), "wait")[0].Args[0]).Limit; got != want {
			t.Errorf("%d steps: limit %d, want %d", n, got, want)
		}
	}
}
