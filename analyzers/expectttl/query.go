package expectttl

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// query is a call that asks an expectation store whether all that it expects has been seen, itself or through a
// function of the package that hands its answer on.
type query struct {
	call    *ssa.Call
	store   store
	fn      *types.Func // the store's method
	timed   bool        // one of its results is a time.Duration: the store leaves the timeout to its caller
	ignored bool        // that Duration is not used
}

// asQuery recognises an expectation query by the shape of the store's type: a method that says in a bool whether
// something is satisfied, and sibling methods that expect and that observe or delete.
func (g *callGraph) asQuery(call *ssa.Call) (query, bool) {
	fn := flow.Callee(&call.Call)
	recv := flow.Recv(&call.Call)
	if recv == nil || !isQuery(fn) || !isStore(recv.Type()) {
		return g.asWrapped(call)
	}
	q := query{call: call, store: storeOf(recv), fn: fn}
	results := fn.Signature().Results()
	for i := range results.Len() {
		if kubeapi.IsType(results.At(i).Type(), "time", "Duration") {
			q.timed = true
			q.ignored = !isUsed(call, i)
		}
	}
	return q, true
}

// isUsed reports whether result i of call, of several, is read.
func isUsed(call *ssa.Call, i int) bool {
	for _, r := range *call.Referrers() {
		x, ok := r.(*ssa.Extract)
		if !ok {
			return true // returned as a tuple
		}
		if x.Index == i && len(*x.Referrers()) > 0 {
			return true
		}
	}
	return false
}

// asWrapped recognises the call of a function of the package whose bool says no whenever a query in it does:
//
//	func (r *R) ready(key string) bool {
//		ok, _ := r.store.Satisfied(key)
//		return ok
//	}
//
// A function that looks at the time, schedules a wake-up or touches the store is not one: it handles the wait.
func (g *callGraph) asWrapped(call *ssa.Call) (query, bool) {
	fn := flow.StaticCallee(&call.Call)
	if fn == nil || fn.Blocks == nil || !g.asksFor(fn) {
		return query{}, false
	}
	inner, known := g.wrapped[fn]
	if !known {
		g.wrapped[fn] = nil // a function that calls itself asks nothing
		inner = g.unwrap(fn)
		g.wrapped[fn] = inner
	}
	if inner == nil {
		return query{}, false
	}
	q := *inner
	q.call = call
	return q, true
}

// asksFor reports whether fn, or a function that it calls, has a bool first and could hand on a query's answer.
func (g *callGraph) asksFor(fn *ssa.Function) bool {
	r := fn.Signature.Results()
	if r.Len() == 0 || r.Len() > 2 || g.pkg.Pkg != fnPkg(fn) {
		return false
	}
	b, ok := r.At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

func fnPkg(fn *ssa.Function) *types.Package {
	if fn.Pkg == nil {
		return nil
	}
	return fn.Pkg.Pkg
}

func (g *callGraph) unwrap(fn *ssa.Function) *query {
	var found *query
	for c := range flow.Calls(fn) {
		call, ok := c.(*ssa.Call)
		if !ok || found != nil {
			continue
		}
		if q, ok := g.asQuery(call); ok && q.store.obj != nil && (!q.timed || q.ignored) && g.handsAnswerOn(q) {
			found = &q
		}
	}
	return found
}

// handsAnswerOn reports whether q's function returns false whenever q said so, and leaves the wait to its caller.
func (g *callGraph) handsAnswerOn(q query) bool {
	returns, answer := false, flow.ResultAt(q.call, 0)
	unsatisfied := paths.Reachable(q.call.Parent(), func(v ssa.Value) flow.Truth {
		if v == answer {
			return flow.False
		}
		return flow.Unknown
	}, nil)
	for _, b := range q.call.Parent().Blocks {
		for _, in := range b.Instrs {
			if ret, ok := in.(*ssa.Return); ok && flow.ReachesForward(q.call, ret, nil) {
				if unsatisfied.Reaches(b) && unsatisfied.ValueAt(ret.Results[0], b) != flow.False {
					return false
				}
				returns = true
			}
			if !flow.ReachesForward(q.call, in, nil) {
				continue
			}
			if c, ok := in.(ssa.CallInstruction); ok && g.mayWake(c) {
				return false
			}
			if g.touches(in, q.store, map[*ssa.Function]bool{}) {
				return false
			}
		}
	}
	return returns
}
