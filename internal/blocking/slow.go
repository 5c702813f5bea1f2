package blocking

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
	"github.com/ctrllint/ctrllint/internal/words"
)

// A Slow operation ends by itself, but may take long.
type Slow struct {
	Kind    SlowKind
	What    string
	Because string
	Cached  bool // it is a read that a cache may serve
}

// SlowKind is the kind of a slow operation.
type SlowKind uint8

// The kinds of slow operations.
const (
	Bounded SlowKind = iota // a wait with a bound
	IO                      // a round trip to a server
)

// SlowOf returns the slow operation at in: a round trip to an API server or an HTTP server, a sleep, a wait with a
// deadline.
func (t Table) SlowOf(in ssa.Instruction) (Slow, bool) {
	switch in := in.(type) {
	case *ssa.Select:
		if !in.Blocking {
			return Slow{}, false
		}
		for _, st := range in.States {
			if st.Dir == types.RecvOnly && IsTimer(st.Chan) {
				return Slow{What: "the select on " + chanName(awaited(in)), Because: "blocks until its timer fires"}, true
			}
		}
	case *ssa.UnOp:
		if in.Op == token.ARROW && IsTimer(in.X) {
			return Slow{What: "the receive from a timer", Because: "blocks until the timer fires"}, true
		}
	case *ssa.Call:
		return t.slowCall(&in.Call)
	}
	return Slow{}, false
}

// awaited returns the channel that a select with a timer waits for, for a message: the first by name that is no
// timer, or else the timer.
func awaited(sel *ssa.Select) ssa.Value {
	all := cases(sel)
	if i := slices.IndexFunc(all, func(st *ssa.SelectState) bool { return !IsTimer(st.Chan) }); i >= 0 {
		return all[i].Chan
	}
	return all[0].Chan
}

func (t Table) slowCall(call *ssa.CallCommon) (Slow, bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return Slow{}, false
	}
	s := kubeapi.SymbolOf(fn)
	if s == (kubeapi.Symbol{Pkg: "time", Name: "Sleep"}) {
		return Slow{What: "time.Sleep", Because: "blocks all other users of the lock"}, true
	}
	if w, ok := t.timed(call, fn); ok && w.Bound.Limit == Deadline {
		return Slow{What: w.What, Because: "blocks until its deadline"}, true
	}
	if kubeapi.TimedPolls.Has(fn) {
		return Slow{What: callName(call, fn), Because: "blocks until its timeout"}, true
	}
	if cached, ok := roundTrip(fn, s); ok {
		because := "waits for a server to respond"
		if cached {
			because = "waits for a server to respond, and with a cached client for the first list of a new informer"
		}
		return Slow{Kind: IO, What: callName(call, fn), Because: because, Cached: cached}, true
	}
	return Slow{}, false
}

// roundTrip reports whether fn sends a request to a server (ok), and whether a cache, which has to be filled first,
// may serve it (cached).
func roundTrip(fn *types.Func, s kubeapi.Symbol) (cached, ok bool) {
	switch s.Pkg {
	case "net/http":
		if s.Name == "RoundTrip" {
			return false, true
		}
		return false, asksHTTP[s.Name] && (s.Recv == "" || s.Recv == "Client")
	case "net":
		return false, strings.HasPrefix(s.Name, "Dial") || strings.HasPrefix(s.Name, "Lookup")
	case "database/sql":
		return false, s.Recv != "" && asksDatabase[s.Name]
	}
	return kubeapi.RoundTrip(fn)
}

// asksHTTP are the functions of package net/http, and methods of its Client, that wait for a response.
var asksHTTP = map[string]bool{"Do": true, "Get": true, "Head": true, "Post": true, "PostForm": true}

// asksDatabase are the methods of package database/sql that wait for the database.
var asksDatabase = map[string]bool{
	"Query": true, "QueryRow": true, "Exec": true, "Prepare": true, "Ping": true, "Begin": true, "Commit": true,
	"QueryContext": true, "QueryRowContext": true, "ExecContext": true, "PrepareContext": true, "PingContext": true, "BeginTx": true,
}

// Spins returns the wait of a loop that sleeps at in until something changes, with no count, clock or context to end
// it. A change that the function itself starts is excluded.
func Spins(in ssa.Instruction) (Wait, bool) {
	switch x := in.(type) {
	case *ssa.Call:
		if (kubeapi.Symbol{Pkg: "time", Name: "Sleep"}) != kubeapi.SymbolOf(flow.Callee(&x.Call)) {
			return Wait{}, false
		}
	case *ssa.UnOp:
		if x.Op != token.ARROW || !IsTimer(x.X) {
			return Wait{}, false
		}
	default:
		return Wait{}, false
	}
	w := Wait{Kind: Poll, What: "a polling loop"}
	spins := false
	for _, l := range flow.Loops(in.Parent()) {
		if !l.Blocks[in.Block()] {
			continue
		}
		for _, b := range l.Exits() {
			c := flow.Branch(b)
			if c == nil {
				continue
			}
			if bounds(l, c.Cond) || swaps(c.Cond) {
				return Wait{}, false
			}
			w.Ends = append(w.Ends, changes(c.Cond)...)
		}
		spins = true
	}
	return w, spins && !(len(w.Ends) == 0 && signalsEnd(in))
}

// signalsEnd reports whether the function of in has, whenever control reaches in, cancelled a context or closed a
// channel. An unknown condition that the function polls next is assumed to be the end of those that it signalled.
func signalsEnd(in ssa.Instruction) bool {
	return flow.Any(flow.InstrsOf[*ssa.Call](in.Parent()), func(call *ssa.Call) bool {
		if !flow.Dominates(call, in) {
			return false
		}
		return kubeapi.IsCancel(call.Call.Value.Type()) || flow.Closed(&call.Call) != nil
	})
}

// swaps reports whether the condition is the result of a compare-and-swap: it fails only if another goroutine has
// changed the value, and the next iteration tries with the new value.
func swaps(cond ssa.Value) bool {
	cond, _ = flow.StripNot(cond)
	call, ok := cond.(*ssa.Call)
	if !ok {
		return false
	}
	fn := flow.Callee(&call.Call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" &&
		strings.HasPrefix(fn.Name(), "CompareAndSwap")
}

// changes returns the variables that the condition v reads, including atomics.
func changes(v ssa.Value) (out []End) {
	work := values.From(v)
	for v := range work.All() {
		switch x := v.(type) {
		case *ssa.UnOp:
			if fa, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
				out = append(out, End{Kind: Change, On: fa})
			} else {
				work.Add(x.X)
			}
		case *ssa.BinOp, *ssa.Phi:
			work.Add(values.Operands(v)...)
		case *ssa.Call:
			if kubeapi.Called(&x.Call).Pkg == "sync/atomic" && len(x.Call.Args) > 0 {
				if fa, ok := x.Call.Args[0].(*ssa.FieldAddr); ok {
					out = append(out, End{Kind: Change, On: fa})
				}
			}
		}
	}
	return out
}

// counted reports whether the loop itself changes the variable that load reads. A variable that literals capture is
// one for each iteration.
func counted(load *ssa.UnOp, l *flow.Loop) bool {
	places := []flow.Path{flow.PathOf(load)}
	if phi, ok := load.X.(*ssa.Phi); ok {
		for _, e := range phi.Edges {
			places = append(places, flow.PathOf(e))
		}
	}
	return flow.Any(l.Instrs(), func(in ssa.Instruction) bool {
		st, ok := in.(*ssa.Store)
		if !ok || !slices.Contains(places, flow.PathOf(st.Addr)) {
			return false
		}
		_, sum := st.Val.(*ssa.BinOp)
		return sum
	})
}

// bounds reports whether the condition v of the loop l becomes true in time: it counts, reads a clock, iterates over
// something, or tests a context or a channel.
func bounds(l *flow.Loop, v ssa.Value) bool {
	work := values.From(v)
	for v := range work.All() {
		switch x := v.(type) {
		case *ssa.Phi:
			if flow.IsInteger(x.Type()) && l.Blocks[x.Block()] {
				return true
			}
			for _, e := range x.Edges {
				if in, ok := e.(ssa.Instruction); ok && l.Blocks[in.Block()] {
					work.Add(e)
				}
			}
		case *ssa.Next, *ssa.Select:
			return true
		case *ssa.UnOp:
			if x.Op == token.ARROW && !IsTimer(x.X) || x.Op == token.MUL && counted(x, l) {
				return true
			}
			if x.Op != token.ARROW {
				work.Add(x.X)
			}
		case *ssa.Call:
			fn := flow.Callee(&x.Call)
			if fn == nil || fn.Pkg() == nil {
				continue
			}
			r := flow.Recv(&x.Call)
			name := kubeapi.RecvName(fn) // Backoff, BackOff
			if fn.Pkg().Path() == "time" || fn.Pkg().Path() == "context" || r != nil && kubeapi.IsContext(r.Type()) ||
				words.Has(name, "backoff") || words.Has(name, "back") && words.Has(name, "off") {
				return true
			}
			work.Add(flow.Args(&x.Call)...) // other callees may count by their arguments
		case *ssa.Alloc:
		default:
			work.Add(values.Operands(v)...)
		}
	}
	return false
}
