package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// checkLate reports the finalizers that fn adds in memory, and writes only after it has had something created outside
// of the cluster.
func (a *analyzer) checkLate(fn *ssa.Function) {
	events := a.events(fn)
	reported := map[ssa.Instruction]bool{}
	for _, e := range events {
		if e.kind != adds || e.deferred || reported[e.in] || e.only || onlySent(e, events) {
			continue
		}
		if created := a.createdBefore(e, events); created != nil {
			reported[e.in] = true
			a.reportLate(e, created)
		}
	}
	for _, e := range append(a.persisted(events), events...) {
		if e.kind != addsNow || e.deferred || reported[e.in] || e.only || freshlyMade(e, events) {
			continue
		}
		if created := a.createdFirst(fn, e, events); created != nil {
			reported[e.in] = true
			a.reportAfterwards(e, created)
		}
	}
}

// onlySent reports whether the object of e is made here and nothing is asked of the cluster about it: where it is written is somebody else's business, who is given all of it, with
// its finalizer.
func onlySent(e event, events []event) bool {
	made, ok := e.obj.path.Root.(*ssa.Alloc)
	if !ok || isVariable(made) || made.Parent() != e.in.Parent() {
		return false
	}
	return !slices.ContainsFunc(events, func(x event) bool {
		switch x.kind {
		case reads, writes, creates, addsNow, removesNow, status, deletes:
			return x.obj.path.Root == e.obj.path.Root
		}
		return false
	})
}

// createdFirst is a call that creates something outside of the cluster for the object of e and that comes before the
// addition e, with no other addition before it.
func (a *analyzer) createdFirst(fn *ssa.Function, e event, events []event) *ssa.Call {
	before := func(call ssa.Instruction) bool {
		return slices.ContainsFunc(events, func(x event) bool {
			return (x.kind == addsNow || x.kind == adds) && flow.Reaches(x.in, call, nil)
		})
	}
	var found *ssa.Call
	for c := range flow.Calls(fn) {
		call, ok := c.(*ssa.Call)
		if !ok || found != nil || !flow.Dominates(call, e.in) || before(call) {
			continue
		}
		if (isCreation(call, e) && !isReconcile(call) || a.createsOutside(call)) && goesTo(e.obj.path.Root, func(in ssa.Instruction) bool { return in == call }) {
			found = call
		}
	}
	return found
}

// isReconcile reports whether call may as well look after what is there already.
func isReconcile(call *ssa.Call) bool { return refreshes(flow.Callee(&call.Call).Name()) }

// createsOutside reports whether call is of a function of the package that says by its name that it creates something,
// gets others to do it, and asks nothing of the cluster's API itself.
func (a *analyzer) createsOutside(call *ssa.Call) bool {
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || callee.Blocks == nil || flow.ErrorResult(callee.Signature) < 0 || !makesNew(callee.Name()) || aboutItself(callee.Name()) || givesService(callee.Signature) {
		return false
	}
	outside, inside := reach(callee, map[*ssa.Function]bool{})
	return outside && !inside
}

// reach tells whether fn calls things out of the package that may fail, and whether it writes objects of the cluster.
func reach(fn *ssa.Function, seen map[*ssa.Function]bool) (outside, inside bool) {
	if seen[fn] {
		return false, false
	}
	seen[fn] = true
	for c := range flow.Calls(fn) {
		if callee := flow.StaticCallee(c.Common()); callee != nil && callee.Blocks != nil {
			o, i := reach(callee, seen)
			outside, inside = outside || o, inside || i
			continue
		}
		obj := flow.Callee(c.Common())
		if obj == nil || obj.Pkg() == nil {
			continue
		}
		if r, ok := kubeapi.RequestOf(c.Common()); ok {
			inside = inside || r.Verb.Writes()
			continue
		}
		if recv := flow.Recv(c.Common()); recv != nil && kubeapi.WritesObjects(recv.Type()) {
			continue
		}
		for _, arg := range c.Common().Args {
			inside = inside || kubeapi.IsObject(arg.Type()) && !harmless(c)
		}
		if flow.ErrorResult(c.Common().Signature()) >= 0 && !isStandard(obj.Pkg()) && !kubeapi.IsLibrary(obj.Pkg().Path()) && !constructs(c.Common(), obj) {
			outside = true
		}
	}
	return outside, inside
}

// constructs reports whether call, of fn, may do nothing but make something in memory: it is a function, not a method, that says so by its name.
func constructs(call *ssa.CallCommon, fn *types.Func) bool {
	return flow.Recv(call) == nil && words.Of(fn.Name())[0] == "new"
}

func (a *analyzer) reportAfterwards(e event, created *ssa.Call) {
	pass := a.pass
	rule.Report(pass, rule.Finding{
		Pos: e.in.Pos(), Sub: "lateadd", Site: "late-add",
		Message: fmt.Sprintf("%s gets its finalizer only after %s (line %d): a crash in between leaks what that created; store the finalizer first",
			nameOf(pass, e), flow.Callee(&created.Call).Name(), rule.Line(pass, flow.Pos(created))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(created), Message: "created here"}},
	})
}

// createdBefore is a call that creates something outside of the cluster between the addition e and the write of it.
func (a *analyzer) createdBefore(e event, events []event) *ssa.Call {
	var created *ssa.Call
	written := map[ssa.Instruction]bool{}
	for _, w := range events {
		switch w.kind {
		case writes, creates, addsNow:
			if w.obj.path == e.obj.path || w.obj.same(e.obj) {
				written[w.in] = true
			}
		}
	}
	w := walk{
		goal: func(in ssa.Instruction) bool {
			call, ok := in.(*ssa.Call)
			if ok && isCreation(call, e) && goesTo(e.obj.path.Root, func(in ssa.Instruction) bool { return in == call }) {
				created = call
				return true
			}
			return false
		},
		stop: func(in ssa.Instruction) bool {
			if written[in] {
				return true
			}
			call, ok := in.(*ssa.Call)
			if !ok {
				return false
			}
			fn := flow.Callee(&call.Call)
			return fn == nil && !isBuiltin(call) || fn != nil && in != e.in && persistsName(fn.Name()) && !isAssembly(call)
		},
		// A write that depends on something is taken to depend on whether the object has changed.
		turn: func(b, s *ssa.BasicBlock) bool {
			return !slices.ContainsFunc(b.Succs, func(other *ssa.BasicBlock) bool {
				return other != s && guardsAny(other, written) && !guardsAny(s, written)
			})
		},
	}
	v, _ := e.in.(ssa.Value)
	if w.from(a, e.in, v, flow.True) {
		return created
	}
	return nil
}

// guardsAny reports whether one of ins happens only by way of block b.
func guardsAny(b *ssa.BasicBlock, ins map[ssa.Instruction]bool) bool {
	for in := range ins {
		if len(b.Preds) == 1 && b.Dominates(in.Block()) {
			return true
		}
	}
	return false
}

func isBuiltin(call *ssa.Call) bool { _, ok := call.Call.Value.(*ssa.Builtin); return ok }

// isAssembly reports whether call only builds a value: it cannot fail.
func isAssembly(call *ssa.Call) bool { return flow.ErrorResult(call.Call.Signature()) < 0 }

// isCreation reports whether call is one of a service that is not the cluster's API, and of no part of the reconciler, named after making something.
func isCreation(call *ssa.Call, e event) bool {
	if !asksService(call) || !makesThing(call) || findsKind(flow.Recv(&call.Call).Type(), e.obj.path.Root.Type()) {
		return false
	}
	if callee := flow.StaticCallee(&call.Call); callee != nil && callee.Blocks != nil {
		return false // of this package: what it calls is no longer between the lines
	}
	own := e.in.Parent()
	for own.Parent() != nil {
		own = own.Parent()
	}
	p := flow.PathOf(flow.Recv(&call.Call))
	return own.Signature.Recv() == nil || len(own.Params) == 0 || p.Root != ssa.Value(own.Params[0]) || p.Sel != ""
}

// findsKind reports whether some method of the type service finds an object of the type kind without being given one: then it is a client of
// the cluster, and what it creates of that is the object itself.
func findsKind(service, kind types.Type) bool {
	return flow.Any(types.NewMethodSet(service).Methods(), func(m *types.Selection) bool {
		sig := m.Obj().(*types.Func).Signature()
		return sig.Results().Len() == 2 && types.Identical(sig.Results().At(0).Type(), kind) &&
			!flow.Any(sig.Params().Variables(), func(p *types.Var) bool { return types.Identical(p.Type(), kind) })
	})
}

// makesThing reports whether call, by its name, makes something.
func makesThing(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	return makesName(fn.Name()) && !aboutItself(fn.Name()) && !givesService(fn.Signature())
}

// givesService reports whether a function of that signature gives who is asked for something next, as a client or a session: whatever is made for that
// ends with it. An operation that is under way can be waited for, and no more.
func givesService(sig *types.Signature) bool {
	return flow.Any(sig.Results().Variables(), func(r *types.Var) bool {
		return flow.Any(types.NewMethodSet(r.Type()).Methods(), func(m *types.Selection) bool {
			params := m.Obj().(*types.Func).Signature().Params()
			return params.Len() > 0 && kubeapi.IsContext(params.At(0).Type()) && !awaits(m.Obj().Name())
		})
	})
}

// asksService reports whether call is of a method that may fail, of something other than an object, a client of the cluster, or what a library of
// Kubernetes or the standard library has.
func asksService(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	recv := flow.Recv(&call.Call)
	return fn != nil && recv != nil && fn.Pkg() != nil && flow.ErrorResult(call.Call.Signature()) >= 0 &&
		!usesClient(call) && !kubeapi.IsObject(recv.Type()) && !isStandard(fn.Pkg()) && !kubeapi.IsLibrary(fn.Pkg().Path())
}

func (a *analyzer) reportLate(e event, created *ssa.Call) {
	pass := a.pass
	rule.Report(pass, rule.Finding{
		Pos: e.in.Pos(), Sub: "lateadd", Site: "unpersisted-add",
		Message: fmt.Sprintf("%s has its finalizer only in memory when %s runs (line %d): a crash then leaks what that creates; write it first",
			nameOf(pass, e), flow.Callee(&created.Call).Name(), rule.Line(pass, flow.Pos(created))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(created), Message: "created here"}},
	})
}

// harmless reports whether call is of a function that takes an object and does not write it, whatever it is given.
func harmless(call ssa.CallInstruction) bool {
	fn := flow.Callee(call.Common())
	if fn == nil {
		b, ok := call.Common().Value.(*ssa.Builtin)
		return ok && b.Name() != "append"
	}
	if recv := flow.Recv(call.Common()); recv != nil && kubeapi.IsObject(recv.Type()) {
		return true // a method of the object itself
	}
	if kubeapi.OnlyInMemory(fn) {
		return true
	}
	if callee := flow.StaticCallee(call.Common()); callee != nil && callee.Blocks != nil {
		return false
	}
	if r, ok := kubeapi.RequestOf(call.Common()); ok && (r.Verb == kubeapi.VerbGet || r.Verb == kubeapi.VerbDelete) {
		return true
	}
	if r := call.Common().Signature().Results(); kubeapi.Logs(fn) && (r.Len() != 1 || !flow.IsBool(r.At(0).Type())) { // a comparison goes by it
		return true
	}
	return looksOnly(fn.Name()) && (kubeapi.VerbOf(fn.Name()) != kubeapi.VerbGet || len(flow.Args(call.Common())) < 2)
}
