package tombstone

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// Fate is the fact of a function that goes wrong on a tombstone, or makes what does, so that packages that import it hear of it.
type Fate struct {
	Given  []Given // where a handler calls the function, by the parameter that is the tombstone, in their order
	Called Outcome // where it is registered itself, or what it returns is
	// Passes is the parameter, from 1 on, whose functions decide about the tombstone in the function that is returned: where one of them says
	// false, so does that. 0 where there is none.
	Passes int
	// Deletes is the parameter, from 1 on, that hears of deletions from the handler that is returned. 0 where there is none.
	Deletes int
	// Always: the same one hears of updates.
	Always bool
	// Keeps are the parameters, handlers, that the function calls by itself or gives to who does: no informer gets them.
	Keeps []int
	// Forgets is the parameter, from 1 on, that is an object about which the function does nothing but take out of maps what is kept there under its UID. 0
	// where there is none.
	Forgets int
	// Adds is the parameter, from 1 on, that the function does nothing with but add it to a work queue of its receiver. 0 where there is none.
	Adds int
	// Absence is what the function does about an error.
	Absence Absence
}

// AFact marks Fate as a fact.
func (*Fate) AFact() {}

func (f *Fate) String() string { return "tombstone" }

// Given is how a function goes wrong on a tombstone that one of its parameters is.
type Given struct {
	Param int
	Outcome
}

// given is how the function goes wrong on a tombstone that its parameter i is.
func (f *Fate) given(i int) Outcome {
	for _, g := range f.Given {
		if g.Param == i {
			return g.Outcome
		}
	}
	return Outcome{}
}

// Outcome is how a function goes wrong on a tombstone. The zero value: it does not, or that is not known.
type Outcome struct {
	Text   string
	Panics bool
	Sure   bool // whatever else looks at the object
}

// Facts are the types of facts of this sub-rule.
func Facts() []analysis.Fact { return []analysis.Fact{(*Fate)(nil), (*link.Summary[Part])(nil)} }

// export exports the fates of the package's functions.
func (t *tombstones) export() {
	for _, fn := range t.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		if f := t.fateOf(fn); f.Given != nil || f.Called != (Outcome{}) || f.Passes > 0 || f.Deletes > 0 || f.Keeps != nil || f.Forgets > 0 || f.Adds > 0 || f.Absence != (Absence{}) {
			t.pass.ExportObjectFact(obj, f)
		}
	}
	for method, f := range t.forgettingMethods() {
		t.pass.ExportObjectFact(method, f)
	}
}

// fateOf is the fate of fn, a function of the package.
func (t *tombstones) fateOf(fn *ssa.Function) *Fate {
	f, ok := t.fates[fn]
	if !ok {
		f = t.findFate(fn)
		t.fates[fn] = f
	}
	return f
}

func (t *tombstones) findFate(fn *ssa.Function) *Fate {
	f := &Fate{Keeps: t.keepsOf(fn), Forgets: t.forgetsOf(fn), Adds: t.addsOf(fn), Absence: t.findAbsence(fn)}
	for i, p := range fn.Params {
		if !kubeapi.IsAny(p.Type()) {
			continue
		}
		if o := outcome(t.memo.Ask(p, fate{handled: true}, func() fate { return t.follow(fn, p, false) })); o != (Outcome{}) {
			f.Given = append(f.Given, Given{i, o})
		}
	}
	if obj := lastAny(fn); obj != nil {
		if f.Called = outcome(t.follow(fn, obj, true)); !f.Called.Panics && t.idle(fn) {
			f.Called = Outcome{}
		}
	}
	results := fn.Signature.Results()
	if results.Len() != 1 {
		return f
	}
	if sig, ok := results.At(0).Type().Underlying().(*types.Signature); ok && sig.Params().Len() == 1 && kubeapi.IsAny(sig.Params().At(0).Type()) {
		f.Called, f.Passes = t.made(fn)
	}
	updates := 0
	stores := 0 // of several structs it is not known which one is returned, and what stands behind a filter gets what that lets through
	for st, fa := range flow.FieldStores(fn) {
		informer, known := kubeapi.IsHandlerFuncs(fa.X.Type())
		field := flow.Field(fa.X.Type(), fa.Field)
		if !informer || !known || field == nil {
			continue
		}
		switch kubeapi.HandlerEvent(field.Name()) {
		case kubeapi.EventDelete:
			f.Deletes = parameter(fn, st.Val)
			stores++
		case kubeapi.EventUpdate:
			updates = passedOn(fn, st.Val)
		case kubeapi.HandlerFilter:
			stores += 2
		}
	}
	if stores != 1 {
		f.Deletes = 0
	}
	f.Always = f.Deletes > 0 && updates == f.Deletes
	return f
}

// passedOn is the number of the parameter of fn, from 1 on, that v is, or that v, a function which another one makes of functions, is made of alone.
func passedOn(fn *ssa.Function, v ssa.Value) int {
	if call, ok := raw(v).(*ssa.Call); ok && len(call.Call.Args) == 1 {
		v = call.Call.Args[0]
	}
	return parameter(fn, v)
}

// outcome is how something goes wrong first.
func outcome(f fate) Outcome {
	if len(f.problems) == 0 {
		return Outcome{}
	}
	return Outcome{f.problems[0].text, f.problems[0].panics, f.problems[0].sure}
}

// lastAny is the last parameter of fn, where that is an object of any type.
func lastAny(fn *ssa.Function) *ssa.Parameter {
	if n := len(fn.Params); n > 0 && kubeapi.IsAny(fn.Params[n-1].Type()) {
		return fn.Params[n-1]
	}
	return nil
}

// made is how the one literal that fn returns goes wrong on a tombstone, and the parameter of fn, from 1 on, that decides about it.
func (t *tombstones) made(fn *ssa.Function) (Outcome, int) {
	var lit *ssa.Function
	for ret := range flow.Returns(fn) {
		own := t.pkg.Own(flow.FuncValue(ret.Results[0]))
		if own == nil || lit != nil && lit != own {
			return Outcome{}, 0
		}
		lit = own
	}
	if lit == nil || lit.Parent() != fn || len(lit.Params) != 1 {
		return Outcome{}, 0
	}
	f := t.follow(lit, lit.Params[0], true)
	if len(f.problems) > 0 {
		return outcome(f), 0
	}
	by := 0
	for in := range flow.Calls(lit) {
		call, ok := in.(*ssa.Call)
		if !ok || len(call.Call.Args) != 1 || raw(call.Call.Args[0]) != ssa.Value(lit.Params[0]) || call.Call.IsInvoke() {
			continue
		}
		if i := parameter(fn, call.Call.Value); i > 0 && decides(call) {
			by = i
		}
	}
	return Outcome{}, by
}

// parameter is the number, from 1 on, of the parameter of fn that v is, or is an element of; 0 where it is none.
func parameter(fn *ssa.Function, v ssa.Value) int {
	for range len(fn.Blocks) + 8 { // a chain of conversions and variables is no longer than that, or is none
		v = raw(v)
		if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
			if at, ok := load.X.(*ssa.IndexAddr); ok {
				v = at.X
				continue
			}
		}
		break
	}
	for i, p := range fn.Params {
		if ssa.Value(p) == v {
			return i + 1
		}
	}
	return 0
}

// decides reports whether the function of call returns false where call does, or does nothing else.
func decides(call *ssa.Call) bool {
	if call.Call.Signature().Results().Len() == 0 {
		return true
	}
	view := paths.Reachable(call.Parent(), func(v ssa.Value) flow.Truth {
		if v == call {
			return flow.False
		}
		return flow.Unknown
	}, nil)
	after := view.From(call.Block())
	if after[call.Block()] {
		return false // it goes on to ask others
	}
	after[call.Block()] = true
	for b := range after {
		if ret := flow.ReturnOf(b); ret != nil && (len(ret.Results) != 1 || view.ValueAt(ret.Results[0], b) != flow.False) {
			return false
		}
	}
	return true
}

// known is the fate of the function that common calls, of this package or another one; nil where nothing is known of it.
func (t *tombstones) known(common *ssa.CallCommon) *Fate {
	if own := t.pkg.Own(flow.StaticCallee(common)); own != nil && len(own.Params) == len(common.Args) {
		return t.fateOf(own)
	}
	return t.imported(flow.Callee(common))
}

func (t *tombstones) imported(fn *types.Func) *Fate {
	var f Fate
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == t.pass.Pkg || !t.pass.ImportObjectFact(fn.Origin(), &f) {
		return nil
	}
	return &f
}

// elsewhere is how v goes wrong on a tombstone, a function of another package, one that such a function makes, or one that asks others first;
// nil where it does not, or that is not known. Of functions of this package nothing is said.
func (t *tombstones) elsewhere(v ssa.Value) *problem {
	if v == nil {
		return nil
	}
	v = flow.Resolve(v)
	if fn := flow.FuncValue(v); fn != nil {
		obj, _ := fn.Object().(*types.Func)
		return told(t.imported(obj), v, obj)
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	f := t.known(&call.Call)
	if f == nil {
		return nil
	}
	if f.Passes == 0 {
		callee := flow.Callee(&call.Call)
		if callee == nil || callee.Pkg() == t.pass.Pkg {
			return nil
		}
		return told(f, call, callee)
	}
	if f.Passes > len(call.Call.Args) {
		return nil
	}
	arg := call.Call.Args[f.Passes-1]
	list := flow.Elements(arg)
	if list == nil {
		list = []ssa.Value{arg}
	}
	for _, e := range list {
		if p := t.elsewhere(e); p != nil {
			return p
		}
	}
	return nil
}

// told is the problem that the fate of fn, a function of another package, is where v is registered.
func told(f *Fate, v ssa.Value, fn *types.Func) *problem {
	if f == nil || f.Called == (Outcome{}) {
		return nil
	}
	return &problem{pos: v.Pos(), text: in(fn, f.Called), panics: f.Called.Panics, sure: f.Called.Sure, byHand: true, by: fn}
}

// in is how fn, of another package, goes wrong, in words.
func in(fn *types.Func, o Outcome) string {
	return "in " + fn.Pkg().Name() + "." + fn.Name() + ", " + o.Text
}
