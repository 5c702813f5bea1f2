package finalizerorder

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// deletingAlready reports whether the object of w is known to be, or may be, on its way out when w runs: a check of
// its deletion timestamp stands before w, here or in every caller in the package, or a deletion of it comes first.
func (a *analyzer) deletingAlready(w event, events []event) bool {
	if a.guarded(w) {
		return true
	}
	return slices.ContainsFunc(events, func(d event) bool {
		return d.kind == deletes && d.in != w.in && d.obj.same(w.obj) && comesBefore(d, w)
	})
}

// guarded reports whether e runs only for an object that is being deleted.
func (a *analyzer) guarded(e event) bool {
	return a.isForDeleted(e.in, e.obj)
}

// isForDeleted reports whether in runs only where obj, or what it was copied from, is being deleted.
func (a *analyzer) isForDeleted(in ssa.Instruction, obj object) bool {
	return slices.ContainsFunc(obj.places(), func(p flow.Path) bool { return a.guardedAt(in, p) })
}

// A guardKey asks whether an object is being deleted at an instruction.
type guardKey struct {
	in  ssa.Instruction
	obj flow.Path
}

// guardedAt reports whether in runs only where obj is being deleted: it has been checked before, or at all calls of the
// function in the package.
func (a *analyzer) guardedAt(in ssa.Instruction, obj flow.Path) bool {
	return a.guards.Holds(guardKey{in, obj}, a.guardHere)
}

func (a *analyzer) guardHere(k guardKey) (decided, holds bool, above []guardKey) {
	for test, t := range flow.PathCondition(k.in.Block()) {
		if yes, known := deleting(test.Cond, k.obj); known && t == flow.TruthOf(yes) {
			return true, true, nil
		}
	}
	fn := k.in.Parent()
	param, ok := k.obj.Root.(*ssa.Parameter)
	if callers := a.pkg.Callers(fn); ok && param.Parent() == fn {
		for _, c := range callers {
			arg, ok := flow.Substitute(k.obj, fn, flow.AllArgs(c.Common()))
			if !ok || a.descends(k.obj, arg, c) {
				return true, false, nil
			}
			arg = a.held(arg)
			above = append(above, guardKey{c, flow.Path{Root: arg.Root, Sel: trimMeta(arg.Sel)}})
		}
	}
	return len(above) == 0, false, above
}

// descends reports whether the call c, on a cycle of calls, hands on a part of what its function got, as a walk through a tree does: what is known of the
// whole says nothing of that, and the parts of parts have no end. The path p of the callee is up at the call.
func (a *analyzer) descends(p, up flow.Path, c ssa.CallInstruction) bool {
	callee := a.pkg.Callee(c.Common())
	return len(up.Sel) > len(p.Sel) && callee != nil && a.pkg.OnCycle(c.Parent(), callee)
}

// deleting reports whether cond speaks of obj being deleted, and which value of cond says that it is.
func deleting(cond ssa.Value, obj flow.Path) (when, known bool) {
	switch cond := flow.Resolve(cond).(type) {
	case *ssa.UnOp:
		if cond.Op == token.NOT {
			when, known = deleting(cond.X, obj)
			return !when, known
		}
	case *ssa.BinOp:
		x, eq, ok := flow.NilTest(cond)
		if !ok {
			return false, false
		}
		return !eq, isTimestamp(x, obj)
	case *ssa.Call:
		fn := flow.Callee(&cond.Call)
		if fn == nil {
			return false, false
		}
		args := flow.AllArgs(&cond.Call)
		if kubeapi.AsksZero(fn) {
			return false, isTimestamp(args[0], obj)
		}
		if asksDeletion(fn.Name()) && flow.IsBool(cond.Type()) {
			callee := flow.StaticCallee(&cond.Call)
			for i, arg := range args {
				if isTimestamp(arg, obj) || objectOf(arg).path == obj && mayAskDeletion(callee, i, map[*ssa.Parameter]bool{}) {
					return true, true
				}
			}
		}
	}
	return false, false
}

// mayAskDeletion reports whether fn looks at the deletion timestamp of its parameter i, or hands that on to what may: code
// whose body is not in sight may, and a function in sight that does not is none that asks, whatever its name.
func mayAskDeletion(fn *ssa.Function, i int, seen map[*ssa.Parameter]bool) bool {
	if fn == nil || len(fn.Blocks) == 0 || i >= len(fn.Params) {
		return true
	}
	p := fn.Params[i]
	if seen[p] {
		return false
	}
	seen[p] = true
	obj := flow.Path{Root: p}
	for in := range flow.Instrs(fn) {
		if v, ok := in.(ssa.Value); ok && isTimestamp(v, obj) {
			return true
		}
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for j, arg := range flow.AllArgs(call.Common()) {
			if objectOf(arg).path != obj {
				continue
			}
			callee, named := flow.StaticCallee(call.Common()), flow.Callee(call.Common())
			outside := callee == nil || len(callee.Blocks) == 0
			if outside && named != nil && asksDeletion(named.Name()) || !outside && mayAskDeletion(callee, j, seen) {
				return true
			}
		}
	}
	return false
}

// isTimestamp reports whether v is the deletion timestamp of obj.
func isTimestamp(v ssa.Value, obj flow.Path) bool {
	v = flow.Resolve(v)
	if call, ok := v.(*ssa.Call); ok {
		field, x := kubeapi.MetaRead(call)
		return field == kubeapi.MetaDeletionTimestamp && objectOf(x).path == obj
	}
	p := held(flow.PathOf(v))
	sel := trimField(p.Sel, kubeapi.MetaDeletionTimestamp)
	return sel != p.Sel && p.Root == obj.Root && trimMeta(sel) == obj.Sel
}
