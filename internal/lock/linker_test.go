package lock

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// linkable is one package in which n types are converted to an interface, whose method is called with a lock held, and each of
// their methods leads to the method of the next one through an interface of its own, where chained says so. The last one waits.
func linkable(n int, chained bool) *PackageFact {
	p := &PackageFact{}
	p.Held = []Open{{
		Call: OpenCall{Iface: "m/p.I0", Method: "Do"}, Func: "f", Name: "m/p.f", At: "m/p/p.go:3:2",
		Held: []OpenHold{{Class: "m/p.T.mu", Mode: Write, Name: "t.mu", Taken: "m/p/p.go:2:2"}},
	}}
	for i := range n {
		t, iface := fmt.Sprintf("*m/p.T%03d", i), "m/p.I0"
		if chained {
			iface = fmt.Sprintf("m/p.I%d", i)
		}
		method := "(" + t + ").Do"
		p.Types.Conversions = append(p.Types.Conversions, link.Conversion{Type: t, Iface: iface})
		p.Types.Interfaces = append(p.Types.Interfaces, link.Interface{Name: iface, Methods: []string{"Do"}})
		p.Types.Methods = append(p.Types.Methods, link.Concrete{Type: t, Methods: []link.Method{{Name: "Do", Func: method}}})
		var s Summary
		if chained && i < n-1 {
			s.Opens = []OpenEvent{{Event: Event{At: "m/p/p.go:9:2"}, Call: OpenCall{Iface: fmt.Sprintf("m/p.I%d", i+1), Method: "Do"}}}
		} else {
			s.Blocks = []BlockEvent{{Event: Event{At: "m/p/p.go:8:2"}, Kind: blocking.CacheSync, What: "wait"}}
		}
		p.Funcs = append(p.Funcs, FuncSummary{method, s})
	}
	return p
}

// inProgram are the summaries of a program of one package.
func inProgram(p *PackageFact) []*link.Summary[PackageFact] {
	return []*link.Summary[PackageFact]{{Path: "m/p", Part: *p}}
}

// What lies beyond a limit of the link step is said.
func TestJoinLimits(t *testing.T) {
	for _, test := range []struct {
		name    string
		n, want int
		chained bool
		cut     string
	}{
		{"as many targets as are followed", origin.MaxTargets, origin.MaxTargets, false, ""},
		{"one more", origin.MaxTargets + 1, 0, false, "calls may run too many functions of the program to follow"},
		{"as many calls as are followed", maxHops, 1, true, ""},
		{"one call more", maxHops + 1, 0, true, "call chains were cut"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cut := map[string]bool{}
			j := newLinker(inProgram(linkable(test.n, test.chained)), false, func(what string, _ any) { cut[what] = true }, func(string) {})
			if got := j.behind(&j.pkgs[0].Part.Held[0]); len(got) != test.want {
				t.Errorf("%d waits, want %d", len(got), test.want)
			}
			if test.cut != "" && !cut[test.cut] || test.cut == "" && len(cut) > 0 {
				t.Errorf("cut: %v, want %q", cut, test.cut)
			}
		})
	}
}

// One open end is followed to so many functions and no further.
func TestJoinTogether(t *testing.T) {
	for over := range 2 {
		p := linkable(3, false)
		p.Funcs = slices.Grow(p.Funcs, maxTogether)
		s := &p.Funcs[0].Summary
		// The first target has many open calls, each of one function.
		for i := range maxTogether - 3 + over {
			t, iface := fmt.Sprintf("*m/p.U%03d", i), fmt.Sprintf("m/p.J%d", i)
			p.Types.Conversions = append(p.Types.Conversions, link.Conversion{Type: t, Iface: iface})
			p.Types.Methods = append(p.Types.Methods, link.Concrete{Type: t, Methods: []link.Method{{Name: "Do", Func: "(" + t + ").Do"}}})
			s.Opens = append(s.Opens, OpenEvent{Call: OpenCall{Iface: iface, Method: "Do"}})
			p.Funcs = append(p.Funcs, FuncSummary{Name: "(" + t + ").Do"})
		}
		cut := map[string]bool{}
		j := newLinker(inProgram(p), false, func(what string, _ any) { cut[what] = true }, func(string) {})
		want := over > 0
		j.behind(&p.Held[0])
		if cut[tooManyTogether] != want {
			t.Errorf("%d functions: cut %v", maxTogether+over, cut)
		}
		clear(cut)
		if j.takes(&OpenTaken{Call: p.Held[0].Call, By: "f"}); cut[tooManyTogether] != want {
			t.Errorf("the locks of %d functions: cut %v", maxTogether+over, cut)
		}
	}
}

// A channel that too many ways end is judged by none of them.
func TestJoinPeers(t *testing.T) {
	for over := range 2 {
		p := &PackageFact{Channels: []Channel{{Names: []string{"m/p.T.c"}, Receives: make([]Context, maxPeers+over)}}}
		cut := map[string]bool{}
		j := newLinker(inProgram(p), false, func(what string, _ any) { cut[what] = true }, func(string) {})
		wait := &Peers{Unknown: true, Names: []string{"m/p.T.c"}}
		got := j.peers(wait, blocking.Send, "m/p.f")
		if want := over > 0; cut[tooManyPeers] != want || (got == wait) != want {
			t.Errorf("%d ways: cut %v, %d ways are known", maxPeers+over, cut, len(got.Contexts))
		}
	}
}

func TestNamesOfPackages(t *testing.T) {
	for name, want := range map[string]string{
		"a.b/c.T.f": "a.b/c", "(*a.b/c.T).M#0": "a.b/c", "(a.b/c.I).M$1": "a.b/c", "a.b/c.F#2": "a.b/c", "a.b/c.v": "a.b/c", "main.F$0": "main",
	} {
		if got := packageOf(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"(*a.b/c.T).M": "(*T).M", "(a.b/c.T).M": "T.M", "a.b/c.F": "F", "a.b/c.F$1": "F", "(*a.b/c.T).M$1": "(*T).M",
	} {
		if got := shortFunc(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for class, want := range map[Class]string{"a.b/c.T.mu": "a.b/c.T", "a.b/c.T.s.mu": "a.b/c.T", "a.b/c.mu": "", "a.b/c.T.mu@a.b/d.U.t": "a.b/c.T"} {
		if got := class.owner(); got != want {
			t.Errorf("%s: %q, want %q", class, got, want)
		}
	}
}
