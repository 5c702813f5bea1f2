package finalizerorder

import (
	"cmp"
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
	state, is, asked := a.asksEnding(test.Cond)
	if !asked && !a.isOutside(state) {
		return state, nil
	}
	return state, flow.Side(test, flow.Settled(is))
}

// asksEnding is the state that cond asks for, and what it is where that is on its way out; the zero path for other conditions. Asked says that it is what a function gives
// which has asked somebody outside for it.
func (a *analyzer) asksEnding(cond ssa.Value) (state flow.Path, is, asked bool) {
	cond, yes := flow.Positive(cond)
	if bin, ok := cond.(*ssa.BinOp); ok && (bin.Op == token.EQL || bin.Op == token.NEQ) {
		name, of := bin.Y, bin.X
		if stateName(of) != "" {
			name, of = of, name
		}
		if saysEnding(stateName(name)) {
			return flow.PathOf(of), (bin.Op == token.EQL) == yes, false
		}
		return state, false, false
	}
	call, i := flow.ResultOf(flow.Resolve(cond))
	if call == nil || !flow.IsBool(cond.Type()) {
		return state, false, false
	}
	for _, e := range a.endingsOf(call) {
		args := flow.AllArgs(&call.Call)
		switch {
		case e.Result != i || e.Param >= len(args):
		case e.Param < 0:
			return flow.Path{Root: call}, e.Value == yes, true
		default:
			p := flow.PathOf(args[e.Param])
			return flow.Path{Root: p.Root, Sel: p.Sel + e.Sel}, e.Value == yes, false
		}
	}
	return state, false, false
}

// isOutside reports whether the state is that of something which a call has given, and that is no object of the API server.
func (a *analyzer) isOutside(state flow.Path) bool {
	call, _ := flow.ResultOf(state.Root)
	return call != nil && !kube.IsObject(state.Root.Type()) && (state.Sel != "" || a.asksOutside(call))
}

// An Ending says that a function gives Value as one of its results where it has found something on its way out: what is at Sel of a parameter, or what it has asked somebody
// outside for, where Param is less than 0.
type Ending struct {
	Result int
	Value  bool
	Param  int
	Sel    string
}

// endingsOf are those of what call calls.
func (a *analyzer) endingsOf(call *ssa.Call) []Ending {
	if callee := a.pkg.Callee(&call.Call); callee != nil {
		return a.endings(callee)
	}
	var fact Effects
	if fn := flow.Callee(&call.Call); fn != nil && a.fact(fn, &fact) {
		return fact.Ends
	}
	return nil
}

// endings are what fn says of what is on its way out.
func (a *analyzer) endings(fn *ssa.Function) []Ending {
	return a.ends.Ask(fn, nil, func() (all []Ending) {
		for i := range fn.Signature.Results().Len() {
			if !flow.IsBool(fn.Signature.Results().At(i).Type()) {
				continue
			}
			for _, b := range fn.Blocks {
				if test := flow.Branch(b); test != nil {
					if e, is := a.endingAt(test.Cond); e != nil {
						if e.Result, e.Value = i, true; answersStraight(b, flow.Side(test, flow.Settled(is)), e) {
							all = append(all, *e)
						}
					}
				}
			}
			for ret := range flow.Returns(fn) {
				for _, v := range edges(ret.Results[i]) {
					if e, is := a.endingAt(v); e != nil && !fails(ret) {
						e.Result, e.Value = i, is
						all = append(all, *e)
					}
				}
			}
		}
		slices.SortFunc(all, func(x, y Ending) int {
			return cmp.Or(cmp.Compare(x.Result, y.Result), cmp.Compare(x.Param, y.Param), cmp.Compare(x.Sel, y.Sel))
		})
		told := slices.Clone(all)
		return slices.Compact(slices.DeleteFunc(all, func(e Ending) bool { // it says one thing here, and another one there
			e.Value = !e.Value
			return slices.Contains(told, e)
		}))
	})
}

// endingAt is what cond says, in its function, where the state that it asks for is on its way out; nil for other conditions.
func (a *analyzer) endingAt(cond ssa.Value) (e *Ending, is bool) {
	state, is, asked := a.asksEnding(cond)
	if p, ok := state.Root.(*ssa.Parameter); ok && !kube.IsObject(p.Type()) {
		return &Ending{Param: flow.ParamIndex(p.Parent(), p), Sel: state.Sel}, is
	}
	if asked || state.Root != nil && a.isOutside(state) {
		return &Ending{Param: -1}, is
	}
	return nil, false
}

// edges are the values that v may be at a join, or v.
func edges(v ssa.Value) []ssa.Value {
	if phi, ok := v.(*ssa.Phi); ok {
		return phi.Edges
	}
	return []ssa.Value{v}
}

// answersStraight reports whether control comes from the end of b, by way, to nothing that may fail before the function gives one answer for e, which it sets, and no error.
func answersStraight(b, way *ssa.BasicBlock, e *Ending) bool {
	type edge struct{ from, to *ssa.BasicBlock }
	seen := map[edge]bool{}
	var yes, no bool
	for work := []edge{{b, way}}; len(work) > 0; work = work[1:] {
		at := work[0]
		if seen[at] || slices.ContainsFunc(at.to.Instrs, mayWait) {
			continue
		}
		seen[at] = true
		for _, s := range at.to.Succs {
			work = append(work, edge{at.to, s})
		}
		ret := flow.ReturnOf(at.to)
		if ret == nil || fails(ret) {
			continue
		}
		v := returned(ret, e.Result)
		if phi, ok := v.(*ssa.Phi); ok && phi.Block() == at.to {
			v = phi.Edges[slices.Index(at.to.Preds, at.from)]
		}
		yes = yes || flow.TruthOf(v) == flow.Yes
		no = no || flow.TruthOf(v) == flow.No
	}
	e.Value = yes
	return yes != no
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
		Pos: flow.Pos(r.in), Sub: "notawaited", Site: "ongoing-deletion",
		Message: fmt.Sprintf("%s loses its finalizer here while what it guards may still be on its way out: line %d finds that by %s, and comes straight here; come back until it is gone",
			a.named(r), rule.Line(a.pass, flow.Pos(test)), by),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(test), Message: "it is on its way out here"}},
	})
}
