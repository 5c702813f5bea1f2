package startctx

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// lostCancels reports the cancel functions that fn puts into a map in the place of others that it does not call, for a context with which it starts a
// goroutine: nobody can end the goroutine of the key's former entry any more.
func (c *checker) lostCancels(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		put, ok := in.(*ssa.MapUpdate)
		if !ok || !kube.IsCancel(put.Value.Type()) {
			continue
		}
		cancel, ok := flow.Resolve(put.Value).(*ssa.Extract)
		if !ok || cancel.Index != 1 || looksFirst(put) || !comesAgain(put.Key, fn) {
			continue
		}
		spawn := c.startedIn(fn, cancel)
		if spawn == nil {
			continue
		}
		c.report(rule.Finding{
			Pos: flow.Pos(put), Sub: "pilesup", Site: "lost-cancel",
			Message: fmt.Sprintf("the cancel function that was there for this key is lost, and nobody has called it: the goroutine of line %d that belongs to it goes on beside the new one; call it first",
				c.line(flow.Pos(spawn))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(spawn), Message: "a goroutine is started for each of them"}},
		})
	}
}

// startedIn is a go statement of fn that is given the context to which cancel belongs, nil for none.
func (c *checker) startedIn(fn *ssa.Function, cancel *ssa.Extract) *ssa.Go {
	for in := range flow.Instrs(fn) {
		spawn, ok := in.(*ssa.Go)
		if !ok {
			continue
		}
		given := flow.AllArgs(&spawn.Call)
		if lit, ok := spawn.Call.Value.(*ssa.MakeClosure); ok {
			given = append(given, lit.Bindings...)
		}
		for _, a := range given {
			if x, ok := flow.Resolve(a).(*ssa.Extract); ok && x.Tuple == cancel.Tuple && x.Index == 0 {
				return spawn
			}
			if alloc, ok := a.(*ssa.Alloc); ok {
				if x, ok := flow.StoredOnce(alloc).(*ssa.Extract); ok && x.Tuple == cancel.Tuple && x.Index == 0 {
					return spawn
				}
			}
		}
	}
	return nil
}

// looksFirst reports whether control comes to put only where the map has been asked for something, in its function: an entry that is there is called,
// or decides; or where a function of the object is called before, which may do so.
func looksFirst(put *ssa.MapUpdate) bool {
	of := flow.PathOf(put.Map)
	for in := range flow.Instrs(put.Parent()) {
		switch in := in.(type) {
		case *ssa.Lookup:
			p := flow.PathOf(in.X)
			if p.Known() && (p == of || sameEntry(in.Index, put.Key) && putBeside(put, p)) && flow.ReachesForward(in, put, nil) {
				return true
			}
		case *ssa.Range:
			if p := flow.PathOf(in.X); p.Known() && p == of && flow.ReachesForward(in, put, nil) {
				return true
			}
		case *ssa.Call:
			recv := flow.Recv(&in.Call)
			if recv != nil && flow.PathOf(recv) == (flow.Path{Root: of.Root}) && flow.StaticCallee(&in.Call) != nil && flow.ReachesForward(in, put, nil) {
				return true
			}
		}
	}
	_, made := of.Root.(*ssa.MakeMap)
	return made || !of.Known()
}

// putBeside reports whether the function of put gives the map at p an entry for the same key, too: the two come and go together.
func putBeside(put *ssa.MapUpdate, p flow.Path) bool {
	for in := range flow.Instrs(put.Parent()) {
		if other, ok := in.(*ssa.MapUpdate); ok && other != put && flow.PathOf(other.Map) == p && sameEntry(other.Key, put.Key) {
			return true
		}
	}
	return false
}

func sameEntry(a, b ssa.Value) bool { return flow.Resolve(a) == flow.Resolve(b) }

// comesAgain reports whether fn may be given the key once more: it comes from its caller, or from a channel or a range, and is not made anew, as a
// counter of the object or what another function gives.
func comesAgain(key ssa.Value, fn *ssa.Function) bool {
	switch root := flow.PathOf(key).Root.(type) {
	case *ssa.Parameter:
		return fn.Signature.Recv() == nil || root != flow.Decl(fn).Params[0]
	case *ssa.Extract:
		_, call := root.Tuple.(*ssa.Call)
		return !call
	case *ssa.UnOp, *ssa.Alloc:
		return true
	}
	return false
}
