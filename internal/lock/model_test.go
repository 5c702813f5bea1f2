package lock

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// prelude is what every model has. To load one of the variables A to F marks a place: that is an instruction at which what
// is held is kept, and which has no effect on anything.
const prelude = `package src

import "sync"

type T struct {
	mu, nu sync.Mutex
	rw     sync.RWMutex
	ok     bool
	err    error
	next   *T
	ch     chan int
}

var (
	A, B, C, D, E, F int

	x, y, z bool
	global  sync.Mutex
	cond    func() bool
)
`

// model is the analysis of one small package, whose source stands behind prelude.
type model struct {
	*engine
	t testing.TB
}

func modelOf(t testing.TB, src string) model {
	t.Helper()
	return model{analyse(link.NewUnit[PackageFact](ssatest.Pass(t, prelude+src))), t}
}

// notes say what was cut short.
func (m model) notes() string {
	return strings.Join(m.pass.ResultOf[program.Analyzer].(*program.Lazy).Notes(), "; ")
}

// fn is the function or method named so, or the function literal "f$1".
func (m model) fn(name string) *ssa.Function {
	m.t.Helper()
	for _, f := range m.pkg.Funcs {
		if f.Name() == name {
			return f
		}
	}
	m.t.Fatalf("no function %s", name)
	return nil
}

// events are those of the function f, spelled "lock s.nu [s.mu]" and "wait ch [s.mu]", what is held in brackets,
// sorted.
func (m model) events() string {
	var out []string
	for _, o := range m.results[m.fn("f")].Events {
		what := ""
		if o.Acquire != nil {
			what = "lock " + spellPath(Hold{Path: o.Lock, Class: o.Acquire.Lock.Class})
		} else {
			what = "wait " + o.Block.What
		}
		out = append(out, what+" "+spellHolds(o.Held))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// facts is what the analysis knows of the model, in words: "A[s.mu s.rw:r]" what is held at the place A on every path, with
// ":r" for reading and "?" where the path may name another lock by now; and for a function f "f+s.mu" that it returns with
// a lock, "f-s.mu" that it releases one of its caller's, "f~s.mu" that it may, "f!s.mu" that it leaks one, "f." that it
// does not return.
func (m model) facts() string {
	var out []string
	for in, held := range m.heldAt {
		load, ok := in.(*ssa.UnOp)
		if !ok {
			continue
		}
		if g, ok := load.X.(*ssa.Global); ok && len(g.Name()) == 1 && g.Name() <= "F" {
			out = append(out, g.Name()+spellHolds(held))
		}
	}
	for _, fn := range m.pkg.Funcs {
		s, r := m.summaries[fn], m.results[fn]
		add := func(sign string, ref Ref, mode Mode) {
			out = append(out, fn.Name()+sign+spellRef(fn, ref)+readOnly(mode))
		}
		for _, h := range s.Acquired {
			add("+", h.Ref, h.Mode)
		}
		for _, h := range s.Released {
			add("-", h.Ref, h.Mode)
		}
		for _, h := range s.May {
			add("~", h, Write)
		}
		for _, l := range r.Leaks {
			if !m.handOff(fn, l) {
				out = append(out, fn.Name()+"!"+spellPath(l.Hold))
			}
		}
		if s.NoReturn {
			out = append(out, fn.Name()+".")
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func spellHolds(held []Hold) string {
	var out []string
	for _, h := range held {
		s := spellPath(h) + readOnly(h.Mode)
		if h.Stale {
			s += "?"
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return "[" + strings.Join(out, " ") + "]"
}

func spellPath(h Hold) string {
	switch r := h.Path.Root.(type) {
	case nil:
		return string(h.Class)
	case *ssa.Alloc:
		return r.Comment + h.Path.Sel
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return r.Name() + h.Path.Sel
	}
	return "…" + h.Path.Sel
}

func spellRef(fn *ssa.Function, r Ref) string {
	switch {
	case r.local != nil:
		return r.local.Name() + r.Sel
	case r.Param >= 0:
		return fn.Params[r.Param].Name() + r.Sel
	}
	_, name, _ := strings.Cut(r.Global, ".com/src.")
	return cmp.Or(name, fmt.Sprint(r.Class)) + r.Sel
}

func readOnly(m Mode) string {
	if m == Read {
		return ":r"
	}
	return ""
}
