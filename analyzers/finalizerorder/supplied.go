package finalizerorder

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Supplied is the fact of a function type, or of a method of an interface: its package calls such a function for an object that is being deleted, and
// takes the finalizer off where that gives no error. Whoever supplies one has to tell of each cleanup that fails.
type Supplied struct {
	At link.At // where the finalizer goes
}

// AFact marks Supplied as a fact.
func (*Supplied) AFact() {}

// String is for the tests of facts.
func (s *Supplied) String() string { return "lets a finalizer go at " + s.At.String() }

// allSupplied are those of the packages below, and those of this package, which are left for others.
func (a *analyzer) allSupplied() map[types.Object]*Supplied {
	all := map[types.Object]*Supplied{}
	for _, f := range a.pass.AllObjectFacts() {
		if g, ok := f.Fact.(*Supplied); ok {
			all[f.Object] = g
		}
	}
	for _, fn := range a.pkg.Funcs {
		events := a.events(fn)
		if !slices.ContainsFunc(events, takesAway) {
			continue
		}
		flow.Calls(fn, func(c ssa.CallInstruction) {
			call, ok := c.(*ssa.Call)
			if !ok {
				return
			}
			obj := a.suppliedBy(call)
			if obj == nil || all[obj] != nil {
				return
			}
			for _, r := range events {
				if takesAway(r) && !r.deferred && a.guarded(r) && a.isGuarded(call, r, events) && flow.Dominates(call, r.in) && !a.removedAnyway(call, r) {
					all[obj] = &Supplied{link.AtOf(a.pass, flow.Pos(r.in))}
					a.pass.ExportObjectFact(obj, all[obj])
					break
				}
			}
		})
	}
	return all
}

// suppliedBy is the function type of this package, or the method of an interface of its, by which call calls a function that others supply and that gives
// an error alone; nil for other calls.
func (a *analyzer) suppliedBy(call *ssa.Call) types.Object {
	if flow.ErrorResult(call.Call.Signature()) != 0 || flow.ErrorOf(call) == nil {
		return nil
	}
	if call.Call.IsInvoke() {
		if call.Call.Method.Pkg() == a.pass.Pkg {
			return call.Call.Method
		}
		return nil
	}
	n, ok := types.Unalias(call.Call.Value.Type()).(*types.Named)
	if !ok || n.Obj().Pkg() != a.pass.Pkg {
		return nil
	}
	return n.Obj()
}

// checkSupplied reports the functions that are supplied and say that all is well where a cleanup has failed.
func (a *analyzer) checkSupplied() {
	kinds := a.allSupplied()
	if len(kinds) == 0 {
		return
	}
	for _, fn := range a.pkg.Funcs {
		for in := range flow.Instrs(fn) {
			conv, ok := in.(*ssa.ChangeType)
			if !ok {
				continue
			}
			if n, ok := types.Unalias(conv.Type()).(*types.Named); ok && kinds[n.Obj()] != nil {
				a.checkSupplier(a.pkg.Own(flow.FuncValue(conv.X)), n.Obj(), kinds[n.Obj()])
			}
		}
	}
	methods := slices.DeleteFunc(slices.Collect(maps.Keys(kinds)), func(obj types.Object) bool { _, ok := obj.(*types.Func); return !ok })
	slices.SortFunc(methods, func(x, y types.Object) int {
		return cmp.Compare(x.(*types.Func).FullName(), y.(*types.Func).FullName())
	})
	for _, m := range methods {
		of, _ := m.(*types.Func).Signature().Recv().Type().Underlying().(*types.Interface)
		for _, fn := range a.pkg.Funcs {
			obj, ok := fn.Object().(*types.Func)
			if recv := fn.Signature.Recv(); ok && recv != nil && of != nil && obj.Name() == m.Name() && (types.Implements(recv.Type(), of) || types.Implements(types.NewPointer(recv.Type()), of)) {
				a.checkSupplier(fn, m, kinds[m])
			}
		}
	}
}

// checkSupplier reports fn, which is supplied as an obj, where it keeps to itself that a cleanup has failed.
func (a *analyzer) checkSupplier(fn *ssa.Function, obj types.Object, by *Supplied) {
	inner := a.swallowed(fn)
	if inner == nil {
		return
	}
	name := obj.Name()
	if p := obj.Pkg(); p != a.pass.Pkg {
		name = p.Name() + "." + name
	}
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(inner), Sub: "removedonerror", Site: "failed-supplier",
		Message: fmt.Sprintf("the finalizer goes even where %s has failed here: this function, which is called as a %s, says that all is well then, and %s takes it off; return the error",
			calledName(inner), name, by.At),
		Related: []analysis.RelatedInformation{{Pos: fn.Pos(), Message: "what is called before the finalizer goes"}},
	})
}
