package filter

import (
	"fmt"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// What lost is about, of the informers of client-go: whoever takes keys from a queue and writes something where the object of the key is gone
// has to be given the keys of those that are, and no resync brings them.

// unended reports handlers of informers that queue the objects that are there and have no DeleteFunc, where something is written for those that are gone.
func (d *dropped) unended(all []*controllers.Handler) {
	kinds, workers := d.kindsOf(all), sync.OnceValue(func() []*ssa.Function { return d.workers(handlersOf(all)) })
	for _, h := range all {
		kind, update := kinds[h], h.Updated.Fn()
		if kind == nil || !h.Informer || h.Val == nil || h.Deleted.Set() || update == nil || !rule.Wanted(d.pass, h.At) || !queuesItself(d.ps.pkg, update) {
			continue
		}
		if slices.ContainsFunc(all, func(o *controllers.Handler) bool {
			return o.Deleted.Set() && (kinds[o] == nil || sameType(kinds[o], kind))
		}) {
			continue
		}
		if get, at := d.endedIn(workers(), kind); at != nil && !d.freesKind(workers(), kind) {
			d.report(rule.Finding{Pos: h.At, Sub: "deletion", Site: "missing-delete-func", Message: fmt.Sprintf(
				"this handler has no DeleteFunc and queues no %s that is deleted, but %s writes something where there is none of the key that it is called with (line %d): what it does for one that is gone is not done",
				kindOf(kind), flow.FuncName(get.Parent()), rule.Line(d.pass, at.Pos())),
				Related: []analysis.RelatedInformation{{Pos: at.Pos(), Message: "this is done for one that is gone"}}})
		}
	}
}

// kindsOf are the kinds of the objects that the handlers are given, as far as they are known.
func (d *dropped) kindsOf(all []*controllers.Handler) map[*controllers.Handler]types.Type {
	kinds := map[*controllers.Handler]types.Type{}
	for _, fn := range d.ps.pkg.Funcs {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			if kind, handler := controllers.Registered(call.Common()); kind != nil {
				for h := d.structs[controllers.StructOf(handler)]; h != nil; h = h.Behind {
					kinds[h] = kind
				}
			}
		})
	}
	for _, h := range all {
		for _, p := range []controllers.Part{h.Updated, h.Created, h.Deleted} {
			if fn := p.Fn(); kinds[h] == nil && fn != nil {
				kinds[h] = handledKind(fn)
			}
		}
	}
	return kinds
}

// endedIn is where one of fns asks for an object of that kind by the key that it takes apart, and what it writes where there is none; nil where none does,
// or where it puts keys into a queue again after a time.
func (d *dropped) endedIn(fns []*ssa.Function, kind types.Type) (get *ssa.Call, at ssa.Instruction) {
	for _, fn := range fns {
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if asked := askedFor(call, isTakenApart); asked == nil || !sameType(asked, kind) {
				continue
			}
			if at := d.writesWithout(call); at != nil && !d.addsAfter(fn) {
				return call, at
			}
		}
	}
	return nil, nil
}

// isTakenApart reports whether key is a part of the key of a queue that the function was given.
func isTakenApart(key ssa.Value) bool {
	call, _ := flow.ResultOf(flow.PathOf(key).Root)
	if call == nil || len(call.Call.Args) == 0 {
		return false
	}
	return kube.TakesKeyApart(flow.Callee(&call.Call)) && isGivenKey(flow.Resolve(call.Call.Args[0]))
}

// addsAfter reports whether fn, or a function that it runs, adds something to a queue after a time.
func (d *dropped) addsAfter(fn *ssa.Function) bool {
	for _, f := range region(d.ps.pkg, fn) {
		for in := range flow.Instrs(f) {
			if c, ok := in.(ssa.CallInstruction); ok && flow.Callee(c.Common()) != nil && flow.Callee(c.Common()).Name() == "AddAfter" {
				return true
			}
		}
	}
	return false
}

// freesKind reports whether one of fns removes a finalizer of objects of that kind: updates tell of their end.
func (d *dropped) freesKind(fns []*ssa.Function, kind types.Type) bool {
	for _, fn := range fns {
		for in := range flow.Instrs(fn) {
			if slices.ContainsFunc(d.finalizers.removedOf(in), func(v ssa.Value) bool { return sameType(v.Type(), kind) }) {
				return true
			}
		}
	}
	return false
}
