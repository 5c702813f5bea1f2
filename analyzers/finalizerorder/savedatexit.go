package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// With a deferred function that writes the object wherever the reconciler returns, a removal in memory is final from there on: a cleanup that fails behind it
// ends the reconciler, and the object is let go all the same.

// checkSavedAtExit reports the cleanups of fn that may fail behind the removal of a finalizer in memory, where that is written at the end in any case.
func (a *analyzer) checkSavedAtExit(fn *ssa.Function) {
	events := a.events(fn)
	for _, r := range events {
		call, ok := r.in.(*ssa.Call)
		if !ok || r.kind != removes || r.deferred || r.at == nil || freshlyMade(r, events) || a.hasAnother(r) || removesMore(r, events) || !a.mayBeDeleting(r) {
			continue
		}
		if ssa.Instruction(call) != r.at && (!a.succeedsAt(r) || saysMore(call)) || putBack(r, events) {
			continue
		}
		cleanup := a.callAfter(r, func(c *ssa.Call) bool { return isFinal(calledName(c)) && a.isCleanup(c, r, events) })
		if cleanup == nil {
			continue
		}
		if save := a.savedAtExit(r, events); save != nil {
			a.reportSavedAtExit(r, cleanup, save)
			return // the others are the same mistake
		}
	}
}

// succeedsAt reports whether a return that says success can follow the removal r in the function that makes it.
func (a *analyzer) succeedsAt(r event) bool {
	own, ok := a.where(r)
	return ok && succeedsAfter(own)
}

// saysMore reports whether call has a result besides its error that is used for more than to be returned: it may say that the finalizer is gone.
func saysMore(call *ssa.Call) bool {
	return flow.Any(flow.Referrers[*ssa.Extract](call), func(x *ssa.Extract) bool {
		if ssa.Value(x) == flow.ErrorOf(call) {
			return false
		}
		return flow.Any(flow.Referrers[ssa.Instruction](x), func(use ssa.Instruction) bool {
			_, returned := use.(*ssa.Return)
			return !returned
		})
	})
}

// putBack reports whether a finalizer may be added to the object of r behind it.
func putBack(r event, events []event) bool {
	return slices.ContainsFunc(events, func(e event) bool {
		return (e.kind == adds || e.kind == addsNow) && e.obj.path == r.obj.path && (e.in == r.in || flow.Reaches(r.in, e.in, nil))
	})
}

// savedAtExit is the deferred call that writes the object of r however the function ends, or one of each function that calls it; nil where there is none.
func (a *analyzer) savedAtExit(r event, events []event) *ssa.Defer {
	if save := a.deferredWrite(r.in, r.obj.path, events); save != nil {
		return save
	}
	fn := r.in.Parent()
	var found *ssa.Defer
	for _, c := range a.pkg.Callers(fn) {
		if _, ok := c.(*ssa.Call); !ok {
			return nil
		}
		p, ok := flow.Substitute(r.obj.path, fn, flow.AllArgs(c.Common()))
		if !ok {
			return nil
		}
		p = a.held(p)
		if found = a.deferredWrite(c, flow.Path{Root: p.Root, Sel: trimMeta(p.Sel)}, a.events(c.Parent())); found == nil {
			return nil
		}
	}
	return found
}

// deferredWrite is the deferred call, in front of in, that writes the object at p whatever has happened; nil where there is none.
func (a *analyzer) deferredWrite(in ssa.Instruction, p flow.Path, events []event) *ssa.Defer {
	for _, w := range events {
		save, ok := w.in.(*ssa.Defer)
		if ok && w.kind == writes && w.obj.path == p && flow.Dominates(save, in) && !a.onlyOnSuccess(w) && a.inAnyCase(save, p) {
			return save
		}
	}
	return nil
}

// inAnyCase reports whether nothing that the deferred call asks, or is told, decides whether it writes the object at p.
func (a *analyzer) inAnyCase(save *ssa.Defer, p flow.Path) bool {
	if toldError(save) {
		return false
	}
	lit := flow.StaticCallee(&save.Call)
	if lit == nil || lit.Parent() == nil {
		return true
	}
	return slices.ContainsFunc(a.events(lit), func(e event) bool {
		call, ok := e.in.(*ssa.Call)
		if !ok || e.kind != writes || e.obj.path != p || toldError(call) {
			return false
		}
		return !flow.Conditional(call.Block())
	})
}

// toldError reports whether c is given an error, or where one is.
func toldError(c ssa.CallInstruction) bool {
	return slices.ContainsFunc(flow.AllArgs(c.Common()), func(v ssa.Value) bool {
		t := v.Type()
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		return flow.IsError(t)
	})
}

func (a *analyzer) reportSavedAtExit(r event, cleanup *ssa.Call, save *ssa.Defer) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(r.at), Sub: "writeafterremoval", Site: "deferred-removal",
		Message: fmt.Sprintf("%s loses its finalizer before %s (line %d): if that fails, the deferred write (line %d) stores the removal anyway; remove it last",
			a.named(r), calledName(cleanup), rule.Line(a.pass, flow.Pos(cleanup)), rule.Line(a.pass, flow.Pos(save))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(cleanup), Message: "this may fail"}, {Pos: flow.Pos(save), Message: "this writes the object even on errors"}},
	})
}
