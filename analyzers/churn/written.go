package churn

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
	"github.com/ctrllint/ctrllint/internal/spread"
	"github.com/ctrllint/ctrllint/internal/values"
	"github.com/ctrllint/ctrllint/internal/words"
)

// argWritten is the kind of the condition that a function writes an argument.
const argWritten = "argument written"

// A writing follows a value to the fields of API types, and finds where those are sent to the cluster or compared with what is stored.
type writing struct {
	*spread.Trace
	unit    *link.Unit[Part]
	p       *program.Program
	writes  []write
	elses   []link.Condition // under which another package writes it
	ignored bool             // the list is sorted, or its order is ignored, or may be
}

// A write is where the cluster gets the field, or where that is compared.
type write struct {
	at       ssa.Instruction
	of       spread.Item
	compares bool
}

func newWriting(u *link.Unit[Part], p *program.Program) *writing {
	w := &writing{Trace: spread.New(p), unit: u, p: p}
	w.Call = w.call
	w.IsSink = func(p spread.Part) bool { return p.Owner == nil || kubeapi.HasOrder(p.Owner, p.Field) }
	return w
}

// found runs the trace, and reports whether the value is written here, or may be in another package.
func (w *writing) found() bool {
	w.Run()
	return !w.ignored && len(w.writes)+len(w.elses) > 0
}

// call looks for writes, and for what makes the order irrelevant.
func (w *writing) call(it spread.Item, in ssa.CallInstruction) (done, stop bool) {
	common := in.Common()
	fn, ordered := flow.Callee(common), it.In.Field == nil
	result, _ := in.(*ssa.Call)
	request, asks := kubeapi.RequestOf(common)
	switch {
	case kubeapi.Logs(fn) && !kubeapi.KeepsOrder(fn):
	case ordered && (sharing.IsOrdering(fn) || fn != nil && words.Has(fn.Name(), "sort", "sorted", "sorts")), kubeapi.CalculatesPatch(fn) && readsPatch(result):
		w.ignored = true
	case kubeapi.Compares(fn), kubeapi.CalculatesPatch(fn):
		w.written(it, in, true)
	case asks:
		changes := request.Verb == kubeapi.VerbUpdate || request.Verb == kubeapi.VerbPatch && it.Val != request.Patch
		if changes && !w.guarded(in) && !slices.ContainsFunc(it.Calls(), w.guarded) {
			w.written(it, in, false)
		}
	case kubeapi.CreateOrChange.Called(common):
		w.written(it, in, false)
	case flow.Builtin(common) == "" && w.p.Callee(common) == nil && !followed(fn):
		if !ordered {
			w.given(it, in)
		} else if common.Signature().Results().Len() == 0 { // it may sort in place
			w.ignored = true
		}
	default:
		return false, false
	}
	return true, w.ignored
}

// followed reports whether a trace knows what fn, of another package, makes of its arguments.
func followed(fn *types.Func) bool {
	return kubeapi.IsDeepCopy(fn) || kubeapi.AppendsText(fn) || kubeapi.KeepsOrder(fn) || kubeapi.GetterOf(fn) != "" || kubeapi.SetterOf(fn) != ""
}

func (w *writing) written(it spread.Item, in ssa.Instruction, compares bool) {
	if it.Sink.Field != nil {
		w.writes = append(w.writes, write{in, it, compares})
	}
}

// given looks at an object that goes to a function without a body here. A function of another package of the module says itself what it
// does; of one of another module there is only the name. A method of an interface of the module has a comparison in this package, too.
func (w *writing) given(it spread.Item, in ssa.CallInstruction) {
	fn := flow.Callee(in.Common())
	i := slices.IndexFunc(flow.AllArgs(in.Common()), func(a ssa.Value) bool { return flow.Unwrap(a) == flow.Unwrap(it.Val) && kubeapi.IsObject(a.Type()) })
	switch {
	case fn == nil || i < 0 || it.Sink.Field == nil:
	case !in.Common().IsInvoke() && rule.OfModule(w.unit.Pass, fn.Pkg()):
		w.elses = append(w.elses, link.Condition{Kind: argWritten, Of: argumentOf(fn, i)})
	case words.Has(fn.Name(), "update", "apply", "patch", "reconcile") && (!rule.OfModule(w.unit.Pass, fn.Pkg()) || w.compares(it.Sink)):
		w.written(it, in, false)
	}
}

// compares reports whether the package compares values that have the field in them.
func (w *writing) compares(p spread.Part) bool {
	return flow.Any(flow.Calls(w.p.All()...), func(call ssa.CallInstruction) bool {
		return kubeapi.Compares(flow.Callee(call.Common())) && slices.ContainsFunc(flow.AllArgs(call.Common()), func(a ssa.Value) bool {
			return p.Owner != nil && w.Contains(flow.Unwrap(a).Type(), p.Owner)
		})
	})
}

func argumentOf(fn *types.Func, i int) string { return fn.FullName() + " " + strconv.Itoa(i) }

// guarded reports whether a request is sent only where the object has some other property: who asks that may not send it for an order.
func (w *writing) guarded(in ssa.CallInstruction) bool {
	asks := func(v ssa.Value) bool {
		call, ok := v.(*ssa.Call)
		if !ok || !flow.IsBool(call.Type()) {
			return false
		}
		fn := flow.Callee(&call.Call)
		if kubeapi.Compares(fn) || fn != nil && w.p.Callee(&call.Call) == nil && words.Has(fn.Name(), "equal", "equals") {
			return false
		}
		return slices.ContainsFunc(flow.AllArgs(&call.Call), func(a ssa.Value) bool {
			return flow.Any(values.From(a).Origins(nil), w.Holds)
		})
	}
	return spread.Hangs(in.Block(), asks)
}

// readsPatch reports whether the text of the patch that call makes is looked at: who does may ignore one that changes the order alone.
func readsPatch(call *ssa.Call) bool {
	if call == nil || flow.ResultAt(call, 0) == nil {
		return false
	}
	return flow.Any2(values.Uses(flow.ResultAt(call, 0)), func(in ssa.Instruction, v ssa.Value) bool {
		fa, ok := in.(*ssa.FieldAddr)
		return ok && fa.X == v && flow.Any(flow.Referrers[*ssa.UnOp](fa), func(load *ssa.UnOp) bool { return kubeapi.BesidesLogs(load) })
	})
}
