package finalizerorder

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// What is so whenever a function runs for an object is so at the next try, too. What was found once may be gone by then.

// everyTime reports whether call is made whenever its function runs for the object at obj: no test in front of it has asked for more than
// errors, the deletion, a finalizer, or what somebody wants. That a request found something is more, unless it is one of failing.
func everyTime(call *ssa.Call, obj ssa.Value, failing map[*ssa.Call]bool) bool {
	for test, t := range flow.PathCondition(call.Block()) {
		if t == flow.Unknown {
			continue
		}
		cond, _ := flow.StripNot(test.Cond)
		err := askedError(cond)
		if err == nil {
			if !sameEachRun(cond, obj) {
				return false
			}
			continue
		}
		of, _ := flow.ResultOf(flow.Resolve(err))
		if of == nil {
			return false
		}
		if get, ok := kubeapi.RequestOf(&of.Call); ok && !failing[of] && get.Verb == kubeapi.VerbGet && (get.Object == nil || obj == nil || objectOf(get.Object).path.Root != obj) {
			return false // it has looked whether something is there
		}
	}
	return true
}

// askedError is the error that cond asks for, whether there is one or whether it says that something is gone; nil where it asks for none.
func askedError(cond ssa.Value) ssa.Value {
	if call, ok := cond.(*ssa.Call); ok && isGoneTest(call) {
		return call.Call.Args[0]
	}
	x, _, ok := flow.NilTest(cond)
	if !ok || !flow.IsError(x.Type()) {
		return nil
	}
	if call, ok := flow.Resolve(x).(*ssa.Call); ok && isGoneTest(call) { // IgnoreNotFound
		return call.Call.Args[0]
	}
	return x
}

// sameEachRun reports whether v is the same whenever its function runs for the object obj: made of constants, parameters and what that object says.
func sameEachRun(v, obj ssa.Value) bool {
	work := values.From(v)
	for v := range work.Resolved() {
		from, same := sameEachRunIf(v, obj)
		if !same {
			return false
		}
		work.Add(from...)
	}
	return true
}

// sameEachRunIf reports whether v is, for the object obj, if the values from are.
func sameEachRunIf(v, obj ssa.Value) (from []ssa.Value, same bool) {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Parameter, *ssa.FreeVar:
		return nil, true
	case *ssa.Phi: // the counter of a loop
		return v.Edges, flow.IsInteger(v.Type())
	case *ssa.Slice:
		from = flow.Elements(v)
		return from, len(from) > 0
	case *ssa.BinOp, *ssa.Convert, *ssa.Extract, *ssa.TypeAssert, *ssa.Field:
		return values.Operands(v), true
	case *ssa.Call:
		callee := flow.StaticCallee(&v.Call)
		if _, request := kubeapi.RequestOf(&v.Call); request || flow.ErrorResult(v.Call.Signature()) >= 0 && (callee == nil || callee.Blocks != nil) ||
			callee != nil && remembers(callee) {
			return nil, false
		}
		from = flow.AllArgs(&v.Call)
		return from, len(from) > 0
	case *ssa.Alloc: // a key
		for range flow.Referrers[ssa.CallInstruction](v) {
			if obj != v {
				return nil, false
			}
		}
		return flow.StoredIn(v), true
	case *ssa.UnOp:
		if _, variable := v.X.(*ssa.Alloc); v.Op == token.NOT || variable && v.Op == token.MUL {
			return []ssa.Value{v.X}, true
		}
	}
	p := flow.PathOf(v)
	if strings.Contains(p.Sel, ".Items[") || strings.Contains(p.Sel, ".Status.") {
		return nil, false
	}
	switch p.Root.(type) {
	case *ssa.Parameter, *ssa.Global, *ssa.FreeVar:
		return nil, true
	case *ssa.Alloc:
		if p.Root != obj {
			return []ssa.Value{p.Root}, true
		}
	case *ssa.Call, *ssa.TypeAssert:
		if p.Root != v {
			return []ssa.Value{p.Root}, true
		}
	}
	return nil, obj != nil && p.Root == obj
}

// remembers reports whether fn looks into a map that the process keeps: what it finds there may be gone at the next try.
func remembers(fn *ssa.Function) bool {
	for lookup := range flow.InstrsOf[*ssa.Lookup](fn) {
		switch root := flow.PathOf(lookup.X).Root.(type) {
		case *ssa.Parameter:
			if _, given := root.Type().Underlying().(*types.Map); !given && !kubeapi.IsObject(root.Type()) {
				return true
			}
		case *ssa.Global:
			return true
		}
	}
	return false
}
