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

// A selfTrigger looks for writes by which one reconciler starts itself again.
//
// Sources are calls that return another value each time, as time.Now; sinks are fields of the reconciler's own kind
// that a request sends. A forward slice leads from one to the other. Source, store and request must be executed by each
// reconcile that finds its object and in which no call fails: their blocks are control-dependent on errors, deletion
// and finalizers alone, in Reconcile and in what it calls from such blocks. It is a must-analysis: what is not known to
// be executed, or to pass the predicates of the watch, is not reported.
type selfTrigger struct {
	pass   *analysis.Pass
	p      *program.Program
	hears  filter.Hearing
	always map[*ssa.Function]bool
	// compared are the comparisons of what contains the source's value: they always find a difference.
	compared map[ssa.Value]bool
}

func loops(pass *analysis.Pass, p *program.Program) {
	for _, h := range filter.Hearings(p) {
		if !h.Status && !h.Annotations && !h.Spec {
			continue
		}
		r := &selfTrigger{pass: pass, p: p, hears: h, always: map[*ssa.Function]bool{}, compared: map[ssa.Value]bool{}}
		r.reach(h.Reconcile)
		for fn := range r.always {
			for call := range flow.InstrsOf[*ssa.Call](fn) {
				if kubeapi.Differs(flow.Callee(&call.Call)) && r.unconditional(call.Block()) {
					r.follow(call)
				}
			}
		}
	}
}

// reach adds fn, which each reconcile runs, and what that must call.
func (r *selfTrigger) reach(fn *ssa.Function) {
	if r.always[fn] {
		return
	}
	r.always[fn] = true
	for call := range flow.InstrsOf[*ssa.Call](fn) {
		if callee := r.p.Callee(&call.Call); callee != nil && r.unconditional(call.Block()) {
			r.reach(callee)
		}
	}
}

// unconditional reports whether b must be executed by a reconcile that finds its object and in which no call fails.
func (r *selfTrigger) unconditional(b *ssa.BasicBlock) bool {
	return r.always[b.Parent()] && !flow.InLoop(b) && !flow.Any2(flow.PathCondition(b), func(test *ssa.If, outcome flow.Truth) bool {
		return outcome != flow.Unknown && !r.expected(test.Cond, outcome == flow.True)
	})
}

// expected reports whether cond is holds in a reconcile that finds its object and in which no call fails.
func (r *selfTrigger) expected(cond ssa.Value, holds bool) bool {
	cond, is := flow.StripNot(cond)
	holds = holds == is
	if x, isNil, ok := flow.NilTest(cond); ok {
		return flow.IsError(x.Type()) && isNil == holds || kubeapi.IsDeletionTime(x)
	}
	call, ok := cond.(*ssa.Call)
	return ok && (kubeapi.AsksAlive(call) || kubeapi.OnlyInMemory(flow.Callee(&call.Call)) || !holds && (kubeapi.NotFound.Called(&call.Call) || r.compared[call]))
}

// follow slices forward from the result of call, a source, and reports the first request that starts the reconciler.
func (r *selfTrigger) follow(call *ssa.Call) {
	var comparisons, requests []ssa.CallInstruction
	var sent []spread.Item
	t := spread.New(r.p)
	t.IsSink = func(p spread.Part) bool {
		return kubeapi.InJSON(p.Owner, p.Field) && kubeapi.OfObjects(p.Owner) || kubeapi.IsObjectMeta(p.Owner) && p.Field.Name() == string(kubeapi.MetaAnnotations)
	}
	t.Counts = func(b *ssa.BasicBlock, _ ssa.Value) bool { return r.unconditional(b) }
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
		unreached := in.Parent() == call.Parent() && !flow.ReachesForward(call, in, nil)
		if part := r.changed(sent[i], request); part != "" && r.unconditional(in.Block()) && !unreached && r.storedOnce(sent[i].Sink) {
			rule.Report(r.pass, rule.Finding{Pos: call.Pos(), Sub: "loop", Site: "endless-reconcile",
				Message: fmt.Sprintf("%s differs on each reconcile, and its update (line %d) starts the next one; write it only if something else has changed",
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

// changed returns the field that request changes, if the event of that must start the reconciler; "" otherwise.
func (r *selfTrigger) changed(it spread.Item, request kubeapi.Request) string {
	if it.Sink.Field == nil || request.Object == nil || !types.Identical(flow.Unwrap(flow.Resolve(request.Object)).Type(), types.NewPointer(flow.Pointee(r.hears.Kind))) {
		return ""
	}
	within := func(f *types.Var) bool { return f != nil && spread.New(r.p).Contains(f.Type(), it.Sink.Owner) }
	inStatus, inSpec := within(kubeapi.StatusOf(r.hears.Kind)), within(kubeapi.SpecOf(r.hears.Kind))
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

// storedOnce reports whether the package sets the field in one place: no other store kills the value before it is sent.
func (r *selfTrigger) storedOnce(p spread.Part) bool {
	stores := 0
	for _, to := range flow.FieldStores(r.p.All()...) {
		if f := flow.Field(to.X.Type(), to.Field); f != nil && f.Origin() == p.Field && rule.Wanted(r.pass, to.Pos()) {
			stores++
		}
	}
	return stores <= 1
}
