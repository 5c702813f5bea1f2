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

// A writing is a forward slice from a list or text to fields of API types, and to the requests and comparisons that get
// those.
type writing struct {
	*spread.Trace
	unit      *link.Unit[Part]
	p         *program.Program
	writes    []write
	elsewhere []link.Condition // under which another package writes it
	sanitized bool             // the list is sorted, or its order is ignored, or may be
}

const sent, compared = "the cluster gets it here", "it is compared here"

// A write is where the cluster gets the field, or where that is compared.
type write struct {
	at     ssa.CallInstruction
	of     spread.Item
	how    string         // for a message
	object ssa.Value      // that is sent, nil if that is not known
	awaits link.Condition // what has to hold of another package for it to be a write
}

func newWriting(u *link.Unit[Part], p *program.Program) *writing {
	w := &writing{Trace: spread.New(p), unit: u, p: p}
	w.Call, w.Counts = w.call, w.isKept
	w.IsSink = func(p spread.Part) bool { return p.Owner == nil || kubeapi.HasOrder(p.Owner, p.Field) }
	return w
}

// found runs the slice, and reports whether the value is written here, or may be in another package.
func (w *writing) found() bool {
	w.Run()
	if w.sanitized {
		return false
	}
	all := w.writes
	w.writes = nil
	for _, write := range all {
		switch {
		case !w.isRepeated(write):
		case write.awaits.Of != "":
			w.elsewhere = append(w.elsewhere, write.awaits)
		default:
			w.writes = append(w.writes, write)
		}
	}
	return len(w.writes)+len(w.elsewhere) > 0
}

// call looks for sinks and sanitizers; a function without a body in sight may be either.
func (w *writing) call(it spread.Item, in ssa.CallInstruction) (done, stop bool) {
	common := in.Common()
	fn, ordered := flow.Callee(common), it.In.Field == nil
	result, _ := in.(*ssa.Call)
	request, asks := kubeapi.RequestOf(common)
	switch {
	case kubeapi.Logs(fn) && !kubeapi.KeepsOrder(fn):
	case ordered && (sharing.IsOrdering(fn) || fn != nil && words.Has(fn.Name(), "sort", "sorted", "sorts")), kubeapi.CalculatesPatch(fn) && readsPatch(result):
		w.sanitized = true
	case kubeapi.Compares(fn), kubeapi.CalculatesPatch(fn):
		w.addWrite(it, in, compared, nil)
	case asks:
		changes := request.Verb == kubeapi.VerbUpdate || request.Verb == kubeapi.VerbPatch && it.Val != request.Patch
		if changes {
			w.addWrite(it, in, sent, request.Object)
		}
	case kubeapi.CreateOrChange.Called(common):
		w.addWrite(it, in, sent, nil)
	case flow.Builtin(common) == "" && w.p.Callee(common) == nil && !modelled(fn):
		if !ordered {
			w.passedOut(it, in)
		} else if common.Signature().Results().Len() == 0 { // it may sort in place
			w.sanitized = true
		}
	default:
		return false, false
	}
	return true, w.sanitized
}

// modelled reports whether a trace has a model of fn, which it needs no body for.
func modelled(fn *types.Func) bool {
	return kubeapi.IsDeepCopy(fn) || kubeapi.AppendsText(fn) || kubeapi.KeepsOrder(fn) || kubeapi.GetterOf(fn) != "" || kubeapi.SetterOf(fn) != ""
}

func (w *writing) addWrite(it spread.Item, in ssa.CallInstruction, how string, object ssa.Value) {
	if it.Sink.Field == nil {
		return
	}
	w.writes = append(w.writes, write{at: in, of: it, how: how, object: object})
}

// passedOut looks at an object that is passed to a function without a body here. One of another package of the module
// has a summary (a use of its argument); of one of another module only the name is known, and of a method of the
// module's interfaces the name, where the package also compares such objects.
func (w *writing) passedOut(it spread.Item, in ssa.CallInstruction) {
	fn := flow.Callee(in.Common())
	i := slices.IndexFunc(flow.AllArgs(in.Common()), func(a ssa.Value) bool { return flow.Unwrap(a) == flow.Unwrap(it.Val) && kubeapi.IsObject(a.Type()) })
	switch {
	case fn == nil || i < 0 || it.Sink.Field == nil:
	case !in.Common().IsInvoke() && rule.OfModule(w.unit.Pass, fn.Pkg()):
		w.writes = append(w.writes, write{
			at: in, of: it, object: it.Val, awaits: link.Condition{Kind: argWritten, Of: argumentOf(fn, i)},
		})
	case words.Has(fn.Name(), "update", "apply", "patch", "reconcile") && (!rule.OfModule(w.unit.Pass, fn.Pkg()) || w.compares(it.Sink)):
		w.addWrite(it, in, sent, nil)
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

// argumentOf names an argument of fn in all packages.
func argumentOf(fn *types.Func, i int) string { return fn.FullName() + " " + strconv.Itoa(i) }

// readsPatch reports whether the text of the patch that call makes is used: one of order alone may be dropped.
func readsPatch(call *ssa.Call) bool {
	if call == nil || flow.ResultAt(call, 0) == nil {
		return false
	}
	return flow.Any2(values.Uses(flow.ResultAt(call, 0)), func(in ssa.Instruction, v ssa.Value) bool {
		fa, ok := in.(*ssa.FieldAddr)
		return ok && fa.X == v && flow.Any(flow.Referrers[*ssa.UnOp](fa), func(load *ssa.UnOp) bool { return kubeapi.BesidesLogs(load) })
	})
}
