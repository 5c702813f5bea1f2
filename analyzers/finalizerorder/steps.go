package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// What is done for an object may stand on a list of functions, which are run one after the other until one fails. What stands behind the one that takes the finalizer off is
// tried no more than what stands behind it in one function.

// A Row says that a function runs those at Field of the elements of its parameter List, or these themselves where that is empty, one after the other until one fails, and hands
// each its parameter Object as argument Arg.
type Row struct {
	List        int
	Field       string
	Object, Arg int
}

// A row is one in the function that has it in sight.
type row struct {
	in     ssa.Instruction
	list   ssa.Value
	field  string
	object ssa.Value
	arg    int
}

// takesSteps reports whether a function of that signature is given a list of functions, or of what has such, and may fail.
func takesSteps(sig *types.Signature) bool {
	if flow.ErrorResult(sig) < 0 {
		return false
	}
	for p := range sig.Params().Variables() {
		list, ok := p.Type().Underlying().(*types.Slice)
		if !ok {
			continue
		}
		switch elem := list.Elem().Underlying().(type) {
		case *types.Signature:
			return true
		case *types.Struct:
			for f := range elem.Fields() {
				if _, ok := f.Type().Underlying().(*types.Signature); ok {
					return true
				}
			}
		}
	}
	return false
}

// rows are those of the functions that fn runs itself, or has run by one that it calls.
func (a *analyzer) rows(fn *ssa.Function) (all []row) {
	for _, l := range flow.Loops(fn) {
		turns, ok := l.MostTurns().(*ssa.Call)
		if !ok || !isBuiltin(turns) || len(turns.Call.Args) != 1 {
			continue
		}
		l.Instrs(func(in ssa.Instruction) {
			call, ok := in.(*ssa.Call)
			if !ok || call.Call.IsInvoke() || call.Call.StaticCallee() != nil || !endsAtFailure(l, call) {
				return
			}
			list, field := takenOut(call.Call.Value)
			if list == nil || flow.Resolve(list) != flow.Resolve(turns.Call.Args[0]) {
				return
			}
			for i, arg := range call.Call.Args {
				if at, ok := arg.(ssa.Instruction); (!ok || !l.Blocks[at.Block()]) && !kube.IsContext(arg.Type()) {
					all = append(all, row{call, list, field, arg, i})
				}
			}
		})
	}
	flow.Calls(fn, func(c ssa.CallInstruction) {
		args := flow.AllArgs(c.Common())
		for _, r := range a.rowsOf(c) {
			if r.List < len(args) && r.Object < len(args) {
				all = append(all, row{c, args[r.List], r.Field, args[r.Object], r.Arg})
			}
		}
	})
	return all
}

// rowsOf are those of what c calls, in terms of its parameters.
func (a *analyzer) rowsOf(c ssa.CallInstruction) []Row {
	if callee := a.pkg.Callee(c.Common()); callee != nil {
		if !takesSteps(callee.Signature) { // most functions are no such, and call each other in circles
			return nil
		}
		return a.ownRows(callee)
	}
	var fact Effects
	if fn := flow.Callee(c.Common()); fn != nil && a.fact(fn.Origin(), &fact) {
		return fact.Rows
	}
	return nil
}

// ownRows are the rows of what fn is given.
func (a *analyzer) ownRows(fn *ssa.Function) []Row {
	return a.stepped.Ask(fn, nil, func() (all []Row) {
		for _, r := range a.rows(fn) {
			list, ok := flow.Resolve(r.list).(*ssa.Parameter)
			object, also := flow.Resolve(flow.Unwrap(r.object)).(*ssa.Parameter)
			if ok && also && list != object {
				all = append(all, Row{flow.ParamIndex(fn, list), r.field, flow.ParamIndex(fn, object), r.arg})
			}
		}
		return all
	})
}

// endsAtFailure reports whether l ends where call, which gives an error and nothing else, has failed.
func endsAtFailure(l *flow.Loop, call *ssa.Call) bool {
	return isWrap(call) && leavesWhere(l, call, false)
}

// takenOut is the list of which v, a function, is an element, or the field of one; nil for others.
func takenOut(v ssa.Value) (list ssa.Value, field string) {
	switch x := v.(type) {
	case *ssa.Field:
		v, field = x.X, flow.Field(x.X.Type(), x.Field).Name()
	case *ssa.UnOp:
		if fa, ok := x.X.(*ssa.FieldAddr); ok {
			v, field = fa.X, flow.Field(fa.X.Type(), fa.Field).Name()
			if alloc, ok := v.(*ssa.Alloc); ok { // the variable of a loop
				v = copiedInto(alloc)
			}
		}
	}
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	if at, ok := v.(*ssa.IndexAddr); ok {
		return at.X, field
	}
	return nil, ""
}

// copiedInto is what all of the variable v is set to, once; nil where more is set, or its address is taken.
func copiedInto(v *ssa.Alloc) (of ssa.Value) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if of != nil || r.Addr != ssa.Value(v) {
				return nil
			}
			of = r.Val
		case *ssa.FieldAddr:
			if slices.ContainsFunc(*r.Referrers(), func(u ssa.Instruction) bool { return !isLoad(u) }) {
				return nil
			}
		case *ssa.DebugRef, *ssa.UnOp:
		default:
			return nil
		}
	}
	return of
}

// stepsOf are the functions that a list of the package is made of, in order, where it is written out once; nil for other lists.
func (a *analyzer) stepsOf(list ssa.Value, field string) (steps []*ssa.Function) {
	if load, ok := flow.Resolve(list).(*ssa.UnOp); ok {
		if fa, ok := load.X.(*ssa.FieldAddr); ok {
			if list = a.onlyStored(fa); list == nil {
				return nil
			}
		}
	}
	for _, step := range flow.Elements(flow.Resolve(list)) {
		if load, ok := step.(*ssa.UnOp); ok && field != "" {
			step = setOnce(load.X, field)
		}
		if step == nil {
			return nil
		}
		steps = append(steps, a.pkg.Own(flow.FuncValue(step)))
	}
	return steps
}

// onlyStored is the only value that the package puts into the field at fa, of whichever object; nil where there are none or more.
func (a *analyzer) onlyStored(fa *ssa.FieldAddr) (only ssa.Value) {
	field := flow.Field(fa.X.Type(), fa.Field)
	for _, fn := range a.pkg.Funcs {
		for st, to := range flow.FieldStores(fn) {
			if flow.Field(to.X.Type(), to.Field) != field {
				continue
			}
			if only != nil {
				return nil
			}
			only = st.Val
		}
	}
	return only
}

// checkSteps reports the cleanups of steps that fn has run behind one that takes the finalizer off.
func (a *analyzer) checkSteps(fn *ssa.Function) {
	for _, r := range a.rows(fn) {
		obj := objectOf(r.object)
		if !a.isObject(r.object.Type()) || !obj.known() {
			continue
		}
		var gone *event
		for _, step := range a.stepsOf(r.list, r.field) {
			if step == nil {
				continue
			}
			i := r.arg + len(step.Params) - step.Signature.Params().Len()
			if gone != nil {
				if c := a.fallible(step, step.Params[i]); c != nil {
					a.reportStep(*gone, c, r)
					return
				}
			}
			for _, e := range a.persisted(a.events(step)) {
				if e.kind == removesNow && e.obj.path == (flow.Path{Root: step.Params[i]}) && (e.only || a.guardedAt(r.in, obj.path)) && endsWell(step, e) && !a.hasAnother(e) {
					gone = &e
				}
			}
		}
	}
}

// fallible is a cleanup of something of p in step that it comes to where p is being deleted, and whose failure it returns; nil where there is none.
func (a *analyzer) fallible(step *ssa.Function, p *ssa.Parameter) *ssa.Call {
	deleted := a.deletingWorld(step, []flow.Path{{Root: p}})
	for in := range flow.Instrs(step) {
		call, ok := in.(*ssa.Call)
		if ok && deleted.Live(call.Block()) && a.undoes(call) && !neverFails(a.pkg.Callee(&call.Call)) && a.isGiven(call, p) && (failureIsReturned(call) && !logged(call) || returnsDirectly(call)) {
			return call
		}
	}
	return nil
}

func (a *analyzer) reportStep(gone event, c *ssa.Call, r row) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(c), Sub: "writeafterremoval", Site: "cleanup-after-step",
		Message: fmt.Sprintf("%s may be gone when %s cleans up in this step: the step %s, which is run before it at line %d, has taken its finalizer off, so nobody tries again where this fails; put that last",
			a.named(gone), calledName(c), gone.in.Parent().Name(), rule.Line(a.pass, flow.Pos(r.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(gone.in), Message: "the finalizer goes here"}, {Pos: flow.Pos(r.in), Message: "the steps are run here"}},
	})
}
