package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// requeued returns the queues to which a function that splits a key adds the object of the key again after a time, on
// all paths on which the object exists and no error is returned: the next reconcile does the work of a missed event.
func (t *tombstones) requeued() []queue {
	var out []queue
	for _, fn := range t.pkg.Funcs {
		if !takesKey(fn) {
			continue
		}
		for test := range flow.InstrsOf[*ssa.If](fn) {
			object := lookedUp(test.Cond)
			if object == nil {
				continue
			}
			for _, to := range t.laters(fn, object) {
				if !slices.Contains(out, to) && t.alwaysRequeuesTo(flow.Side(test, flow.False), object, to) {
					out = append(out, to)
				}
			}
		}
	}
	return out
}

// takesKey reports whether fn splits a key into namespace and name.
func takesKey(fn *ssa.Function) bool {
	return flow.Any(flow.Calls(fn), func(c ssa.CallInstruction) bool {
		return kubeapi.KeySplitters.Has(flow.Callee(c.Common()))
	})
}

// lookedUp returns the object whose absence cond tests, nil if it is another condition.
func lookedUp(cond ssa.Value) ssa.Value {
	call, ok := cond.(*ssa.Call)
	if !ok || !kubeapi.NotFound.Has(flow.Callee(&call.Call)) {
		return nil
	}
	x, ok := flow.Resolve(call.Call.Args[0]).(*ssa.Extract)
	if !ok || x.Index == 0 {
		return nil
	}
	return flow.Extracted(x.Tuple, 0)
}

// laters returns the queues to which a callee of fn that gets the object adds after a time.
func (t *tombstones) laters(fn *ssa.Function, object ssa.Value) []queue {
	var out []queue
	for call := range flow.Calls(fn) {
		out = append(out, t.later(call, object)...)
	}
	return out
}

// later returns the queues to which the callee of call, or a function that it calls, adds after a time, if the object
// is passed to it.
func (t *tombstones) later(call ssa.CallInstruction, object ssa.Value) []queue {
	com := call.Common()
	if !slices.ContainsFunc(com.Args, func(a ssa.Value) bool { return flow.Resolve(a) == object }) {
		return nil
	}
	var out []queue
	callee := t.pkg.Callee(com)
	if callee == nil {
		return nil
	}
	for f := range t.pkg.Reach(program.Calls, callee) {
		for c := range flow.Calls(f) {
			fn := flow.Callee(c.Common())
			if kubeapi.QueueOpOf(fn) != kubeapi.QueueAddAfter {
				continue
			}
			p := flow.PathOf(flow.Recv(c.Common()))
			if n := named(p); n != nil {
				out = append(out, queue{n, p.Sel})
			}
		}
	}
	return out
}

// named returns the type of which p is a field, nil if it is none.
func named(p flow.Path) *types.Named {
	if !p.Known() || p.Sel == "" {
		return nil
	}
	return kubeapi.Named(p.Root.Type())
}

// alwaysRequeuesTo reports whether every path from b on which no error is returned passes a call that adds the object
// to the queue to after a time.
func (t *tombstones) alwaysRequeuesTo(b *ssa.BasicBlock, object ssa.Value, to queue) bool {
	succeeds := func(in ssa.Instruction) bool {
		ret, ok := in.(*ssa.Return)
		i := flow.ErrorResult(b.Parent().Signature)
		return ok && (i < 0 || flow.IsNil(ret.Results[i]))
	}
	return !flow.Search{Goal: succeeds, Barrier: func(in ssa.Instruction) bool {
		call, ok := in.(ssa.CallInstruction)
		return ok && slices.Contains(t.later(call, object), to)
	}}.From(b)
}
