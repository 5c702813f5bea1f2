package churn

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/analyzers/eventfilter/filter"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/spread"
)

// A runner looks for writes by which one reconciler starts itself again.
//
// It finds the blocks that run in each reconcile that has found its object and in which no call fails: those whose path condition has
// nothing but errors, the deletion timestamp and finalizers, in the method Reconcile and in what it calls there. A value that is another
// one at each call, such as the time, is traced from there to a field of the reconciler's own kind and to a request that writes it, all
// in such blocks. The finding is reported if the predicates of the watch surely let an update through that changes only this.
type runner struct {
	pass   *analysis.Pass
	p      *program.Program
	hears  filter.Hearing
	always map[*ssa.Function]bool
	// compared are the comparisons of a value that has the traced one in it: they always find a difference.
	compared map[ssa.Value]bool
}

func loops(pass *analysis.Pass, p *program.Program) {
	for _, h := range filter.Hearings(p) {
		if !h.Status && !h.Annotations && !h.Spec {
			continue
		}
		r := &runner{pass: pass, p: p, hears: h, always: map[*ssa.Function]bool{}, compared: map[ssa.Value]bool{}}
		r.run(h.Reconcile)
		for fn := range r.always {
			for call := range flow.InstrsOf[*ssa.Call](fn) {
				if kubeapi.Differs(flow.Callee(&call.Call)) && r.unconditional(call.Block()) {
					r.source(call)
				}
			}
		}
	}
}

// run adds fn, which each reconcile runs, and what it calls each time.
func (r *runner) run(fn *ssa.Function) {
	if r.always[fn] {
		return
	}
	r.always[fn] = true
	for call := range flow.InstrsOf[*ssa.Call](fn) {
		if callee := r.p.Callee(&call.Call); callee != nil && r.unconditional(call.Block()) {
			r.run(callee)
		}
	}
}

// unconditional reports whether b runs each time that its function does, and no call fails.
func (r *runner) unconditional(b *ssa.BasicBlock) bool {
	return r.always[b.Parent()] && !flow.InLoop(b) && !flow.Any2(flow.PathCondition(b), func(test *ssa.If, outcome flow.Truth) bool {
		return outcome != flow.Unknown && !r.usual(test.Cond)
	})
}

// usual reports whether cond asks for nothing that has to do with what is stored.
func (r *runner) usual(cond ssa.Value) bool {
	cond, _ = flow.StripNot(cond)
	if x, _, ok := flow.NilTest(cond); ok {
		return flow.IsError(x.Type()) || kubeapi.IsDeletionTime(x)
	}
	call, ok := cond.(*ssa.Call)
	return ok && (kubeapi.AsksAlive(call) || kubeapi.NotFound.Called(&call.Call) || kubeapi.OnlyInMemory(flow.Callee(&call.Call)) || r.compared[call])
}

// source follows the value of call, which differs each time.
func (r *runner) source(call *ssa.Call) {
	var comparisons, requests []ssa.CallInstruction
	var sent []spread.Item
	t := spread.New(r.p)
	t.IsSink = func(p spread.Part) bool {
		return kubeapi.InJSON(p.Owner, p.Field) && kubeapi.OfObjects(p.Owner) || kubeapi.IsObjectMeta(p.Owner) && p.Field.Name() == string(kubeapi.MetaAnnotations)
	}
	t.Counts = r.unconditional
	t.Call = func(it spread.Item, in ssa.CallInstruction) (done, stop bool) {
		fn := flow.Callee(in.Common())
		request, asks := kubeapi.RequestOf(in.Common())
		switch {
		case it.In.Field == nil && kubeapi.Converts(in.Common()):
			t.Add(it, in.Value())
		case kubeapi.Compares(fn) && it.In.Field != nil:
			comparisons = append(comparisons, in)
		case asks && it.In.Field != nil && (request.Verb == kubeapi.VerbUpdate || request.Verb == kubeapi.VerbPatch && it.Val != request.Patch):
			requests, sent = append(requests, in), append(sent, it)
		case r.p.Callee(in.Common()) != nil:
			return !r.unconditional(in.Block()), false
		default:
			return kubeapi.KeepsOrder(fn), false
		}
		return true, false
	}
	t.Add(spread.Item{}, flow.ResultAt(call, 0))
	t.Run()
	for _, c := range comparisons {
		r.compared[c.Value()] = true
	}
	for i, in := range requests {
		request, _ := kubeapi.RequestOf(in.Common())
		late := in.Parent() == call.Parent() && !flow.ReachesForward(call, in, nil)
		if part := r.starts(sent[i], request); part != "" && r.unconditional(in.Block()) && !late && r.storedOnce(sent[i].Sink) {
			rule.Report(r.pass, rule.Finding{Pos: call.Pos(), Sub: "loop", Site: "endless-reconcile",
				Message: fmt.Sprintf("%s differs on each reconcile, and its update (line %d) starts the next one, without end; write it only if something else has changed",
					part, rule.Line(r.pass, in.Pos())),
				Related: []analysis.RelatedInformation{
					{Pos: sent[i].At, Message: "it is stored in the object here"},
					{Pos: in.Pos(), Message: "the update is sent here in each reconcile"},
					{Pos: r.hears.Pos, Message: "this watch lets the event of the update through"},
				}})
			break
		}
	}
	clear(r.compared)
}

// starts is the field that the request changes, if the event of its change surely starts the reconciler; "" for none.
func (r *runner) starts(it spread.Item, request kubeapi.Request) string {
	if it.Sink.Field == nil || request.Object == nil || !types.Identical(flow.Unwrap(flow.Resolve(request.Object)).Type(), types.NewPointer(flow.Pointee(r.hears.Kind))) {
		return ""
	}
	inStatus, inSpec := r.within(kubeapi.StatusOf(r.hears.Kind), it.Sink), r.within(kubeapi.SpecOf(r.hears.Kind), it.Sink)
	switch {
	case kubeapi.IsObjectMeta(it.Sink.Owner):
		if request.Status || !r.hears.Annotations {
			return ""
		}
	case request.Status && inStatus && !inSpec && r.hears.Status:
	case !request.Status && inSpec && !inStatus && r.hears.Spec:
	default:
		return ""
	}
	return it.Sink.String()
}

// storedOnce reports whether the package sets the field in one place: nothing overwrites it before it is sent or compared.
func (r *runner) storedOnce(p spread.Part) bool {
	stores := 0
	for _, to := range flow.FieldStores(r.p.All()...) {
		if f := flow.Field(to.X.Type(), to.Field); f != nil && f.Origin() == p.Field && rule.Wanted(r.pass, to.Pos()) {
			stores++
		}
	}
	return stores <= 1
}

// within reports whether f has p in it.
func (r *runner) within(f *types.Var, p spread.Part) bool {
	return f != nil && spread.New(r.p).Contains(f.Type(), p.Owner)
}
