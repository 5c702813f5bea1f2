package finalizerorder

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// What is outside, a machine or a volume, needs time to go. Who asks whether it is on its way out, and lets the object go for that, has not waited for it: a try before has
// asked for its end, and may have failed since.

// checkOngoing reports the removals of a finalizer in fn to which control comes straight from where something outside is found to be on its way out.
func (a *analyzer) checkOngoing(fn *ssa.Function) {
	events := a.events(fn)
	for _, r := range events {
		if !a.letsGo(r) || r.deferred || freshlyMade(r, events) || !(r.only || a.guarded(r)) {
			continue
		}
		for _, b := range fn.Blocks {
			state, way := a.stillEnding(b)
			if way == nil || flow.InLoop(b) || state.Root == r.obj.path.Root || !a.goesStraight(way, r.in) {
				continue
			}
			a.reportOngoing(r, b, state)
			return
		}
	}
}

// stillEnding is the state for which b asks at its end, of something that a call has given and that is no object of the API server, and the block to which control goes where that
// is on its way out; nil where it does not ask that.
func (a *analyzer) stillEnding(b *ssa.BasicBlock) (state flow.Path, way *ssa.BasicBlock) {
	test := flow.Branch(b)
	if test == nil {
		return state, nil
	}
	bin, ok := test.Cond.(*ssa.BinOp)
	if !ok || bin.Op != token.EQL && bin.Op != token.NEQ {
		return state, nil
	}
	name, of := bin.Y, bin.X
	if stateName(of) != "" {
		name, of = of, name
	}
	if !saysEnding(stateName(name)) {
		return state, nil
	}
	state = flow.PathOf(of)
	call, _ := flow.ResultOf(state.Root)
	if call == nil || kube.IsObject(state.Root.Type()) || state.Sel == "" && !a.asksOutside(call) {
		return state, nil
	}
	return state, flow.Side(test, flow.Settled(bin.Op == token.EQL))
}

// asksOutside reports whether call, which gives a state alone, asks somebody outside of the cluster for it: it may take its time, and fail, and is handed no
// object, which may have the state, nor does it lead to a request for one.
func (a *analyzer) asksOutside(call *ssa.Call) bool {
	if flow.ErrorResult(call.Call.Signature()) < 0 || !slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool { return kube.IsContext(arg.Type()) }) ||
		slices.ContainsFunc(flow.AllArgs(&call.Call), func(arg ssa.Value) bool { return kube.IsObject(flow.Unwrap(arg).Type()) }) {
		return false
	}
	return !a.anyRuns(a.pkg.MayRun(call), func(in ssa.Instruction) bool {
		c, ok := in.(ssa.CallInstruction)
		if !ok {
			return false
		}
		_, ok = kube.RequestOf(c.Common())
		return ok
	})
}

// stateName is the text v, as far as it is constant, or the name of the variable of another package that has it; empty for other values.
func stateName(v ssa.Value) string {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if g, ok := load.X.(*ssa.Global); ok {
			if v = flow.Initial(g); v == nil {
				return g.Name()
			}
		}
	}
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value)
	}
	return ""
}

// saysEnding reports whether a state of that name lasts until something is gone.
func saysEnding(name string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(parts, func(part string) bool {
		return words.Has(part, "deleting", "terminating", "shutting", "destroying", "removing", "releasing", "uninstalling", "deprovisioning")
	})
}

// goesStraight reports whether control may come from the start of way to the instruction to, and to nothing on the way that may fail.
func (a *analyzer) goesStraight(way *ssa.BasicBlock, to ssa.Instruction) bool {
	seen := map[*ssa.BasicBlock]bool{}
	for work := []*ssa.BasicBlock{way}; len(work) > 0; work = work[1:] {
		b := work[0]
		if seen[b] {
			continue
		}
		seen[b] = true
		i := slices.IndexFunc(b.Instrs, func(in ssa.Instruction) bool { return in == to || mayWait(in) })
		if i < 0 {
			work = append(work, b.Succs...)
		} else if b.Instrs[i] == to {
			return true
		}
	}
	return false
}

// mayWait reports whether in may look whether something is done: a call that may fail, or that gives something.
func mayWait(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	return ok && !isQuiet(call) && call.Call.Signature().Results().Len() > 0
}

func (a *analyzer) reportOngoing(r event, b *ssa.BasicBlock, state flow.Path) {
	test, by := flow.Branch(b), "its state"
	if call, _ := flow.ResultOf(state.Root); state.Sel != "" {
		by = lastField(state.Sel)
	} else if fn := flow.Callee(&call.Call); fn != nil {
		by = "what " + fn.Name() + " gives"
	}
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(r.in), Sub: "notawaited",
		Message: fmt.Sprintf("%s loses its finalizer here while what it guards may still be on its way out: line %d finds that by %s, and comes straight here; come back until it is gone",
			a.named(r), rule.Line(a.pass, flow.Pos(test)), by),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(test), Message: "it is on its way out here"}},
	})
}
