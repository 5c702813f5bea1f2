package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A reconciler that deletes an object and returns without any wish waits for its end, where it removes a finalizer once there is no such
// object. Only the deletion brings it on: of the object that is being deleted it finds nothing to do.

// findAbsences adds the kinds of the objects that reconcile, or what it ends with, waits for in this way.
func (d *dropped) findAbsences(reconcile *ssa.Function, add addNeed) {
	for _, fn := range lastOnes(d.ps.pkg, reconcile, map[*ssa.Function]bool{}) {
		for in := range flow.Instrs(fn) {
			if object := d.endsWithDeletion(in); object != nil {
				add(object.Type(), absence, "", flow.FuncName(fn), in.Pos())
			}
		}
	}
}

// lastOnes are fn and the functions of the package with whose results fn returns: whoever called fn gets them as they are.
func lastOnes(pkg *program.Program, fn *ssa.Function, seen map[*ssa.Function]bool) []*ssa.Function {
	if seen[fn] || fn.Signature.Results().Len() != 2 || slices.ContainsFunc(flow.Literals(fn), storesWish) {
		return nil
	}
	seen[fn] = true
	all := []*ssa.Function{fn}
	for ret := range flow.Returns(fn) {
		if call := lifetime.PassedOn(ret); call != nil && call.Block() == ret.Block() && pkg.Callee(&call.Call) != nil {
			all = append(all, lastOnes(pkg, pkg.Callee(&call.Call), seen)...)
		}
	}
	return all
}

// storesWish reports whether fn stores a result that may ask for another run.
func storesWish(fn *ssa.Function) bool {
	return flow.Any(flow.Instrs(fn), func(in ssa.Instruction) bool {
		fa, isField := in.(*ssa.FieldAddr)
		st, isStore := in.(*ssa.Store)
		return isField && kubeapi.RequeueField(fa) || isStore && kubeapi.IsResult(st.Val.Type()) && lifetime.Requeued(st.Val) != flow.False
	})
}

// endsWithDeletion is the object whose deletion in asks for, where the function then returns without any wish, and removes a finalizer of
// another one where it finds no such object; nil for all else.
func (d *dropped) endsWithDeletion(in ssa.Instruction) ssa.Value {
	call, ok := in.(*ssa.Call)
	if !ok {
		return nil
	}
	r, ok := kubeapi.RequestOf(&call.Call)
	if !ok || r.Verb != kubeapi.VerbDelete || r.Object == nil || element(r.Object) || !leavesAfter(call) {
		return nil
	}
	object := flow.Unwrap(flow.Resolve(r.Object))
	for test, t := range flow.PathCondition(call.Block()) {
		if t != flow.Unknown && t == isThere(test.Cond, object) {
			if d.freesAll(flow.Side(test, t.Not()), object.Type()) && !d.frees(flow.BlocksFrom(call.Block()), object.Type()) && !d.wakesItself(flow.Side(test, t)) {
				return object
			}
		}
	}
	return nil
}

// leavesAfter reports whether the function returns without any wish wherever the deletion, and all after it, has not failed.
func leavesAfter(deletion *ssa.Call) bool {
	leaves := false
	for b := range flow.BlocksFrom(deletion.Block()) {
		ret := flow.ReturnOf(b)
		if ret == nil || afterError(b) {
			continue
		}
		if lifetime.Requeued(flow.Given(ret, 0)) != flow.False || !onlyFailureOf(flow.Given(ret, 1), deletion) {
			return false
		}
		leaves = true
	}
	return leaves
}

// onlyFailureOf reports whether the error v is nil where the call has not failed.
func onlyFailureOf(v ssa.Value, call *ssa.Call) bool {
	v = flow.Resolve(v)
	if ignores, ok := v.(*ssa.Call); ok && kubeapi.IgnoreNotFound.Has(flow.Callee(&ignores.Call)) {
		v = flow.Resolve(ignores.Call.Args[0])
	}
	return flow.IsNil(v) || v == flow.ErrorOf(call)
}

// isThere is the truth of cond where the object was found, Unknown where cond does not ask for that: for the object itself, or for the error
// of the call that has given or filled it.
func isThere(cond, object ssa.Value) flow.Truth {
	cond, is := flow.StripNot(cond)
	if call, ok := cond.(*ssa.Call); ok {
		if kubeapi.NotFound.Has(flow.Callee(&call.Call)) && cameWith(call.Call.Args[0], object) {
			return flow.TruthOf(!is)
		}
		return flow.Unknown
	}
	x, isNil, ok := flow.NilTest(cond)
	switch {
	case !ok:
		return flow.Unknown
	case flow.Unwrap(flow.Resolve(x)) == object:
		return flow.TruthOf(isNil != is)
	case cameWith(x, object):
		return flow.TruthOf(isNil == is)
	}
	return flow.Unknown
}

// cameWith reports whether v is the error of the call that has given object, or of the request that has filled it.
func cameWith(v, object ssa.Value) bool {
	call, _ := flow.ResultOf(flow.Resolve(v))
	if call == nil || !flow.IsError(v.Type()) {
		return false
	}
	if given, _ := flow.ResultOf(object); given == call {
		return true
	}
	r, ok := kubeapi.RequestOf(&call.Call)
	return ok && r.Verb == kubeapi.VerbGet && r.Object != nil && flow.Unwrap(flow.Resolve(r.Object)) == object
}

// frees reports whether a finalizer is removed in one of the blocks, of an object that is of another kind.
func (d *dropped) frees(blocks flow.Blocks, kind types.Type) bool {
	for b := range blocks {
		if d.freesIn(b, kind) {
			return true
		}
	}
	return false
}

// freesIn reports whether a finalizer is removed in b, of an object that is of another kind.
func (d *dropped) freesIn(b *ssa.BasicBlock, kind types.Type) bool {
	return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
		return slices.ContainsFunc(d.finalizers.of(in), func(v ssa.Value) bool {
			return v != nil && kubeapi.Named(v.Type()) != nil && !types.IsInterface(v.Type()) && !sameType(v.Type(), kind)
		})
	})
}

// freesAll reports whether a finalizer is removed on all ways from side to a return, but those that an error ends: what comes there for
// something else does not wait for the object in order to remove it.
func (d *dropped) freesAll(side *ssa.BasicBlock, kind types.Type) bool {
	frees := false
	for b := range flow.BlocksAlong(func(from, _ *ssa.BasicBlock) bool { return !d.freesIn(from, kind) }, side) {
		if d.freesIn(b, kind) {
			frees = true
		} else if flow.ReturnOf(b) != nil && !afterError(b) {
			return false
		}
	}
	return frees
}

// wakesItself reports whether something may be done from b on that makes the reconciler look again: a request that writes, save for
// deletions, a send, or a goroutine.
func (d *dropped) wakesItself(b *ssa.BasicBlock) bool {
	for from := range flow.BlocksFrom(b) {
		for _, in := range from.Instrs {
			switch in := in.(type) {
			case *ssa.Send, *ssa.Go, *ssa.Select:
				return true
			case ssa.CallInstruction:
				if d.requests(in, reaching, func(v kubeapi.Verb) bool { return v.Writes() && v != kubeapi.VerbDelete }) {
					return true
				}
			}
		}
	}
	return false
}

// requests reports whether call is a request with such a verb, or of a function of the package that makes one.
func (d *dropped) requests(call ssa.CallInstruction, edges program.Edge, such func(kubeapi.Verb) bool) bool {
	is := func(call ssa.CallInstruction) bool {
		r, ok := kubeapi.RequestOf(call.Common())
		return ok && such(r.Verb)
	}
	if is(call) {
		return true
	}
	callee := d.ps.pkg.Callee(call.Common())
	if callee == nil {
		return false
	}
	return flow.Any(d.ps.pkg.Reach(edges, callee), func(fn *ssa.Function) bool {
		return flow.Any(flow.InstrsOf[ssa.CallInstruction](fn), is)
	})
}
