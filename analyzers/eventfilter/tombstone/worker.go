package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// onlyForWorkers reports whether the handler fn only passes the object to workers of another package, as the update
// functions of its handlers do, so that the workers cannot distinguish a deletion from an update, and the functions
// that the package passed to the workers do nothing for an object that is gone.
func (t *tombstones) onlyForWorkers(fn *ssa.Function) bool {
	to := t.workersOf(fn)
	if to == nil {
		return false
	}
	known := false
	for _, h := range t.all {
		if !slices.Contains(h.Deleted.Fns, fn) {
			continue
		}
		known = known || len(h.Updated.Fns) > 0
		if slices.ContainsFunc(h.Updated.Fns, func(u *ssa.Function) bool { return !slices.Equal(t.workersOf(u), to) }) {
			return false
		}
	}
	kind, _ := t.kindOf(fn)
	return known && !slices.ContainsFunc(to, func(w worker) bool { return !t.workerIgnoresGone(w.field, kind) })
}

// A worker is a value in a field, and the method that is called on it.
type worker struct {
	field  *types.Var
	method *types.Func
}

// workersOf returns the workers that the handler fn passes its object to, nil if it does anything else.
func (t *tombstones) workersOf(fn *ssa.Function) []worker {
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

// handover is the state of handsTo.
type handover struct {
	t    *tombstones
	of   map[ssa.Value]bool // the object, and the parameters that it is passed to
	to   []worker
	seen []*ssa.Function
}

// only reports whether fn does nothing but pass the object to workers, and notes them.
func (h *handover) only(fn *ssa.Function) bool {
	if slices.Contains(h.seen, fn) {
		return true
	}
	h.seen = append(h.seen, fn)
	return !flow.Any(flow.Instrs(fn), panicsOrMakes) &&
		onlyCalls(fn, func(c ssa.CallInstruction) bool { return h.call(c.Common()) })
}

// panicsOrMakes reports whether in panics, or makes a closure.
func panicsOrMakes(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.Panic, *ssa.MakeClosure:
		return true
	}
	return false
}

// call reports whether call passes the object to a worker, logs, or has no visible effect.
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
	return !call.IsInvoke() && call.Signature().Results().Len() > 0 &&
		!slices.ContainsFunc(call.Args, func(a ssa.Value) bool { return reaches(a.Type()) })
}

// workerIgnoresGone reports whether everything that the package stores in field is made with functions of the package
// that ignore missing objects: under the name in their parameters, or, if they ignore their parameters, of the kind.
func (t *tombstones) workerIgnoresGone(field *types.Var, kind types.Type) bool {
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
		return !t.ignoresGone(fn, nil) && (kind == nil || !ignoresKey(fn) || !t.ignoresGone(fn, kind))
	})
}

// takers returns the functions with an error as their only result that v is, or that are stored in it.
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
	if sig, ok := v.Type().Underlying().(*types.Signature); !ok || sig.Results().Len() != 1 ||
		!flow.IsError(sig.Results().At(0).Type()) {
		return nil
	}
	fns, _ := t.pkg.FunctionsIn(v)
	return fns
}

// ofKey reports whether name, the name of a read object, is computed from a parameter of fn.
func ofKey(name ssa.Value, fn *ssa.Function) bool {
	of := map[ssa.Value]bool{}
	for _, p := range fn.Params {
		of[p] = !flow.IsReceiver(p)
	}
	return name != nil && dependsOn(name, of)
}

// ignoresKey reports whether fn uses none of its parameters except contexts.
func ignoresKey(fn *ssa.Function) bool {
	return !slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
		return !flow.IsReceiver(p) && !kubeapi.IsContext(p.Type()) && len(*p.Referrers()) > 0
	})
}
