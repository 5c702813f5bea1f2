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

// Fate is the fact of a function that says how it treats tombstones, or handlers that it makes or gets. Numbers of
// parameters start from 1, with the receiver first; 0 means that there is none.
type Fate struct {
	// Params has, in order of the parameters, those that the function mishandles if they are tombstones.
	Params []ParamOutcome
	// Called is how the function, or the literal that it returns, mishandles a tombstone if an informer calls it.
	Called Outcome
	// Passes is the parameter that holds the filters which the returned filter calls: it returns false for a tombstone if
	// one of them does.
	Passes int
	// Deletes is the parameter, a function, that the returned handler calls on deletions.
	Deletes int
	// Always: the returned handler also calls the parameter Deletes on updates.
	Always bool
	// CallsItself are the indices, from 0, of the parameters, handlers, that the function or one of its callees calls: no
	// informer gets them.
	CallsItself []int
	// Adds is the parameter that the function only adds to a work queue of its receiver.
	Adds int
	// Absence is what the function does with a not-found error.
	Absence Absence
}

// AFact marks Fate as a fact.
func (*Fate) AFact() {}

func (f *Fate) String() string { return "tombstone" }

// ParamOutcome is how a function mishandles a tombstone in one of its parameters.
type ParamOutcome struct {
	Param int // its index, from 0
	Outcome
}

// outcomeOf returns how the function mishandles a tombstone that is its parameter i, counted from 0.
func (f *Fate) outcomeOf(i int) Outcome {
	for _, g := range f.Params {
		if g.Param == i {
			return g.Outcome
		}
	}
	return Outcome{}
}

// Outcome is how a function mishandles a tombstone. The zero value: it does not, or that is not known.
type Outcome struct {
	Text          string
	Panics        bool
	Unconditional bool // even if other code handles tombstones
}

// Facts returns the types of facts of this check.
func Facts() []analysis.Fact { return []analysis.Fact{(*Fate)(nil), (*link.Summary[Part])(nil)} }

// export exports the facts of the functions and interface methods of the package.
func (t *tombstones) export() {
	for _, fn := range t.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		if f := t.fateOf(fn); !f.empty() {
			t.pass.ExportObjectFact(obj, f)
		}
	}
}

// empty reports whether the fact says nothing.
func (f *Fate) empty() bool {
	return f.Params == nil && f.Called == (Outcome{}) && f.Passes == 0 && f.Deletes == 0 && f.CallsItself == nil &&
		f.Adds == 0 && f.Absence == (Absence{})
}

// fateOf returns the fact of fn, a function of the package. It is computed once.
func (t *tombstones) fateOf(fn *ssa.Function) *Fate {
	f, ok := t.fates[fn]
	if !ok {
		f = t.findFate(fn)
		t.fates[fn] = f
	}
	return f
}

func (t *tombstones) findFate(fn *ssa.Function) *Fate {
	f := &Fate{CallsItself: t.callsItselfOf(fn), Adds: t.addsOf(fn), Absence: t.findAbsence(fn)}
	for i, p := range fn.Params {
		if !kubeapi.IsAny(p.Type()) {
			continue
		}
		if o := outcome(t.memo.Ask(p, fate{handled: true}, func() fate { return t.follow(fn, p, false) })); o != (Outcome{}) {
			f.Params = append(f.Params, ParamOutcome{i, o})
		}
	}
	if obj := lastAny(fn); obj != nil {
		if f.Called = outcome(t.follow(fn, obj, true)); !f.Called.Panics && t.harmlessToMiss(fn) {
			f.Called = Outcome{}
		}
	}
	results := fn.Signature.Results()
	if results.Len() != 1 {
		return f
	}
	sig, ok := results.At(0).Type().Underlying().(*types.Signature)
	if ok && sig.Params().Len() == 1 && kubeapi.IsAny(sig.Params().At(0).Type()) {
		f.Called, f.Passes = t.madeLiteral(fn)
	}
	updates := 0
	// Deletes is known only if fn makes one struct with one delete function: of several, any may be the one returned, and
	// a handler that a filter wraps does not get all deletions.
	stores := 0
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

// passedOn returns the number, from 1, of the parameter of fn that v is, or that is the only argument of the call
// that makes v; 0 if it is none.
func passedOn(fn *ssa.Function, v ssa.Value) int {
	if call, ok := raw(v).(*ssa.Call); ok && len(call.Call.Args) == 1 {
		v = call.Call.Args[0]
	}
	return parameter(fn, v)
}

// outcome returns the first problem of f, the zero value if there is none.
func outcome(f fate) Outcome {
	if len(f.problems) == 0 {
		return Outcome{}
	}
	return Outcome{f.problems[0].text, f.problems[0].panics, f.problems[0].unconditional}
}

// lastAny returns the last parameter of fn if its type is any, otherwise nil.
func lastAny(fn *ssa.Function) *ssa.Parameter {
	if n := len(fn.Params); n > 0 && kubeapi.IsAny(fn.Params[n-1].Type()) {
		return fn.Params[n-1]
	}
	return nil
}

// madeLiteral returns how the function literal that fn returns mishandles a tombstone, and the number, from 1, of the
// parameter of fn that decides the result of the literal; zero values if fn returns several literals or something
// else.
func (t *tombstones) madeLiteral(fn *ssa.Function) (Outcome, int) {
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

// parameter returns the number, from 1, of the parameter of fn that v is, or is an element of; 0 if it is neither.
func parameter(fn *ssa.Function, v ssa.Value) int {
	for range len(fn.Blocks) + 8 { // bounds cycles through variables
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

// decides reports whether the function that contains call must return false if call returns false, and calls nothing
// of the kind again; a call without results decides.
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
		return false // in a loop: other calls may return true
	}
	after[call.Block()] = true
	for b := range after {
		if ret := flow.ReturnOf(b); ret != nil && (len(ret.Results) != 1 || view.ValueAt(ret.Results[0], b) != flow.False) {
			return false
		}
	}
	return true
}

// known returns the fact of the callee of common, of this package or another one; nil if there is none.
func (t *tombstones) known(common *ssa.CallCommon) *Fate {
	if own := t.pkg.Own(flow.StaticCallee(common)); own != nil && len(own.Params) == len(common.Args) {
		return t.fateOf(own)
	}
	return t.imported(flow.Callee(common))
}

// imported returns the fact of fn, a function of another package; nil if there is none.
func (t *tombstones) imported(fn *types.Func) *Fate {
	var f Fate
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == t.pass.Pkg || !t.pass.ImportObjectFact(fn.Origin(), &f) {
		return nil
	}
	return &f
}

// problemInOtherPackage returns how v mishandles tombstones if that is the fault of a function of another package: v
// is that function, a literal that it returns, or a filter that calls such filters. It is nil if v does not, or if
// that is not known; functions of this package are reported where they are.
func (t *tombstones) problemInOtherPackage(v ssa.Value) *problem {
	if v == nil {
		return nil
	}
	v = flow.Resolve(v)
	if fn := flow.FuncValue(v); fn != nil {
		obj, _ := fn.Object().(*types.Func)
		return problemOfFact(t.imported(obj), v, obj)
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
		return problemOfFact(f, call, callee)
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
		if p := t.problemInOtherPackage(e); p != nil {
			return p
		}
	}
	return nil
}

// problemOfFact returns the problem of registering v, which the fact f of fn, a function of another package,
// describes; nil if f has none.
func problemOfFact(f *Fate, v ssa.Value, fn *types.Func) *problem {
	if f == nil || f.Called == (Outcome{}) {
		return nil
	}
	return &problem{
		pos: v.Pos(), text: in(fn, f.Called), panics: f.Called.Panics, unconditional: f.Called.Unconditional,
		noSafeFix: true, by: fn,
	}
}

// in returns the description of o, the outcome in fn, a function of another package.
func in(fn *types.Func, o Outcome) string {
	return "in " + fn.Pkg().Name() + "." + fn.Name() + ", " + o.Text
}
