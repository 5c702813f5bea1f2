package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// worked reports whether the handler fn does nothing but hand the object to a worker of another package, as the handlers of updates beside it do, so that
// the worker cannot tell a deletion from an update, and the functions that the package gave to the worker leave alone what is gone.
func (t *tombstones) worked(fn *ssa.Function) bool {
	to := t.handsTo(fn)
	if to == nil {
		return false
	}
	known := false
	for _, h := range t.all {
		if !slices.Contains(h.Deleted.Fns, fn) {
			continue
		}
		known = known || len(h.Updated.Fns) > 0
		if slices.ContainsFunc(h.Updated.Fns, func(u *ssa.Function) bool { return !slices.Equal(t.handsTo(u), to) }) {
			return false
		}
	}
	kind, _ := t.kindOf(fn)
	return known && !slices.ContainsFunc(to, func(w worker) bool { return !t.leavesAlone(w.field, kind) })
}

// A worker is what a field of a type holds, with the method that is called of it.
type worker struct {
	field  *types.Var
	method *types.Func
}

// handsTo are the workers that the handler fn hands its object to, nil where it does anything else.
func (t *tombstones) handsTo(fn *ssa.Function) []worker {
	obj := lastAny(fn)
	if obj == nil {
		return nil
	}
	h := &handover{t: t, of: map[ssa.Value]bool{obj: true}}
	if !h.only(fn) {
		return nil
	}
	return h.to
}

// handover is what a handler does to hand its object to workers.
type handover struct {
	t    *tombstones
	of   map[ssa.Value]bool // the object, and the parameters that get it
	to   []worker
	seen []*ssa.Function
}

// only reports whether fn does nothing else.
func (h *handover) only(fn *ssa.Function) bool {
	if slices.Contains(h.seen, fn) {
		return true
	}
	h.seen = append(h.seen, fn)
	return !flow.Any(flow.Instrs(fn), panicsOrMakes) && onlyCalls(fn, func(c ssa.CallInstruction) bool { return h.call(c.Common()) })
}

// panicsOrMakes reports whether in panics, or makes a closure.
func panicsOrMakes(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.Panic, *ssa.MakeClosure:
		return true
	}
	return false
}

// call reports whether call hands the object over, only logs, or looks at copies.
func (h *handover) call(call *ssa.CallCommon) bool {
	if _, builtin := call.Value.(*ssa.Builtin); builtin {
		return true
	}
	given := slices.ContainsFunc(flow.Args(call), func(a ssa.Value) bool { return dependsOn(a, h.of) })
	if callee := h.t.pkg.Callee(call); callee != nil {
		args := flow.AllArgs(call)
		for i, p := range callee.Params {
			if i < len(args) && dependsOn(args[i], h.of) {
				h.of[p] = true
			}
		}
		return h.only(callee)
	}
	fn := flow.Callee(call)
	if fn == nil || kubeapi.Logs(fn) || kubeapi.GivesLogger(fn) {
		return fn != nil
	}
	if recv := flow.Recv(call); recv != nil && given && call.Signature().Results().Len() == 0 {
		if from := flow.LoadedFrom(flow.Unwrap(recv)); from != nil {
			w := worker{flow.Field(from.X.Type(), from.Field), fn}
			if !slices.Contains(h.to, w) {
				h.to = append(h.to, w)
			}
			return true
		}
	}
	return !call.IsInvoke() && call.Signature().Results().Len() > 0 && !slices.ContainsFunc(call.Args, func(a ssa.Value) bool { return reaches(a.Type()) })
}

// leavesAlone reports whether whatever the package stores in field is made of functions of the package that take keys, each of which does nothing about what it does
// not find; or, where it takes no notice of the key, nothing where it finds no object of the kind.
func (t *tombstones) leavesAlone(field *types.Var, kind types.Type) bool {
	var takers []*ssa.Function
	for store, addr := range flow.FieldStores(t.pkg.All()...) {
		if flow.Field(addr.X.Type(), addr.Field) != field || flow.IsNil(store.Val) {
			continue
		}
		call, _ := flow.ResultOf(flow.Unwrap(store.Val))
		if call == nil {
			return false
		}
		for _, a := range call.Call.Args {
			takers = append(takers, t.takers(a)...)
		}
	}
	return len(takers) > 0 && !slices.ContainsFunc(takers, func(fn *ssa.Function) bool {
		return !t.leavesGone(fn, nil) && (kind == nil || !ignoresKey(fn) || !t.leavesGone(fn, kind))
	})
}

// takers are the functions with an error alone for a result that v is, or that are in it.
func (t *tombstones) takers(v ssa.Value) []*ssa.Function {
	if load, ok := v.(*ssa.UnOp); ok {
		if alloc, ok := load.X.(*ssa.Alloc); ok {
			var out []*ssa.Function
			for _, part := range flow.StoredIn(alloc) {
				out = append(out, t.takers(part)...)
			}
			return out
		}
	}
	if sig, ok := v.Type().Underlying().(*types.Signature); !ok || sig.Results().Len() != 1 || !flow.IsError(sig.Results().At(0).Type()) {
		return nil
	}
	fns, _ := t.pkg.FunctionsIn(v)
	return fns
}

// ofKey reports whether name, of what fn looks up, is made of a parameter of fn.
func ofKey(name ssa.Value, fn *ssa.Function) bool {
	of := map[ssa.Value]bool{}
	for _, p := range fn.Params {
		of[p] = !flow.IsReceiver(p)
	}
	return name != nil && dependsOn(name, of)
}

// ignoresKey reports whether fn does the same whatever it is called with, but for contexts.
func ignoresKey(fn *ssa.Function) bool {
	return !slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
		return !flow.IsReceiver(p) && !kubeapi.IsContext(p.Type()) && len(*p.Referrers()) > 0
	})
}
