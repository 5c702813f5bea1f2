package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// lookedAtAgain reports whether something that the package runs again after each period lists the objects of w and does for each what n is needed for, or puts
// it into a queue that the handler of w puts it into: who changes the object waits for the end of the period, and no longer.
func (d *dropped) lookedAtAgain(w *watch, n need) bool {
	return slices.ContainsFunc(d.periodic(), func(fns []*ssa.Function) bool {
		return slices.ContainsFunc(fns, func(fn *ssa.Function) bool { return listsKind(fn, w.Kind) }) &&
			(slices.ContainsFunc(fns, func(fn *ssa.Function) bool { return has(fn, n) }) || d.queuesAlike(w, fns))
	})
}

// periodic are the functions that the package runs again after each period for as long as it works, each with those of the package that it runs. One that takes
// something from a queue waits for that.
func periodic(pkg *program.Program) [][]*ssa.Function {
	var all [][]*ssa.Function
	for call := range flow.Calls(pkg.All()...) {
		if !kubeapi.RunsPeriodically(flow.Callee(call.Common())) {
			continue
		}
		for _, a := range flow.Args(call.Common()) {
			if run := pkg.Own(flow.FuncValue(a)); run != nil {
				if !slices.ContainsFunc(region(pkg, run), takesFromQueue) {
					all = append(all, slices.Collect(pkg.Reach(program.Calls, run)))
				}
			}
		}
	}
	return all
}

// takesFromQueue reports whether fn waits for what somebody puts into a queue.
func takesFromQueue(fn *ssa.Function) bool {
	return flow.Any(flow.Calls(fn), func(call ssa.CallInstruction) bool {
		callee := flow.Callee(call.Common())
		return kubeapi.QueueOpOf(callee) == kubeapi.QueueGet
	})
}

// listsKind reports whether fn lists objects of kind.
func listsKind(fn *ssa.Function, kind types.Type) bool {
	return flow.Any(flow.Calls(fn), func(call ssa.CallInstruction) bool {
		callee := flow.Callee(call.Common())
		if callee == nil || kubeapi.VerbOf(callee.Name()) != kubeapi.VerbList {
			return false
		}
		of := func(t types.Type) bool {
			item := kubeapi.ItemOf(t)
			if slice, ok := t.Underlying().(*types.Slice); ok {
				item = slice.Elem()
			}
			return item != nil && sameType(item, kind)
		}
		results := callee.Signature().Results()
		return results.Len() > 0 && of(results.At(0).Type()) ||
			slices.ContainsFunc(flow.Args(call.Common()), func(a ssa.Value) bool { return of(flow.Unwrap(flow.Resolve(a)).Type()) })
	})
}

// has reports whether fn is the function that looks at what n is about.
func has(fn *ssa.Function, n need) bool {
	return n.pos.IsValid() && fn.Syntax() != nil && fn.Syntax().Pos() <= n.pos && n.pos < fn.Syntax().End()
}

// queuesAlike reports whether fns put something into a queue in a field that the handler of w puts its object into.
func (d *dropped) queuesAlike(w *watch, fns []*ssa.Function) bool {
	queues := map[*types.Var]bool{}
	for _, q := range w.pred.conjuncts() {
		if update := q.Fns[kubeapi.EventUpdate]; update != nil && !slices.Contains(fns, update) {
			for f := range handed(d.ps.pkg, update) {
				queuesOf(f, func(field *types.Var) { queues[field] = true })
			}
		}
	}
	alike := false
	for _, fn := range fns {
		queuesOf(fn, func(field *types.Var) { alike = alike || queues[field] })
	}
	return alike
}

// queuesOf gives the fields whose queues fn adds to.
func queuesOf(fn *ssa.Function, to func(*types.Var)) {
	for call := range flow.Calls(fn) {
		if !kubeapi.QueueOpOf(flow.Callee(call.Common())).Adds() {
			continue
		}
		if fa := flow.LoadedFrom(flow.Recv(call.Common())); fa != nil {
			to(flow.Field(fa.X.Type(), fa.Field))
		}
	}
}
