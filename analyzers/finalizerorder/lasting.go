package finalizerorder

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
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
			if !lasting(cond, obj) {
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

// lasting reports whether v is the same whenever its function runs for the object obj: made of constants, parameters and what that object says.
func lasting(v, obj ssa.Value) bool { return lasts(v, obj, map[ssa.Value]bool{}) }

func lasts(v, obj ssa.Value, seen map[ssa.Value]bool) bool {
	v = flow.Resolve(v)
	if seen[v] {
		return true // as the rest of it says
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Parameter, *ssa.FreeVar:
		return true
	case *ssa.BinOp:
		return lasts(v.X, obj, seen) && lasts(v.Y, obj, seen)
	case *ssa.Phi: // the counter of a loop
		basic, ok := v.Type().(*types.Basic)
		return ok && basic.Info()&types.IsInteger != 0 && !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !lasts(e, obj, seen) })
	case *ssa.MakeInterface:
		return lasts(v.X, obj, seen)
	case *ssa.Convert:
		return lasts(v.X, obj, seen)
	case *ssa.Slice:
		elems := flow.Elements(v)
		return len(elems) > 0 && !slices.ContainsFunc(elems, func(e ssa.Value) bool { return !lasts(e, obj, seen) })
	case *ssa.Extract:
		return lasts(v.Tuple, obj, seen)
	case *ssa.TypeAssert:
		return lasts(v.X, obj, seen)
	case *ssa.Field:
		return lasts(v.X, obj, seen)
	case *ssa.Call:
		callee := flow.StaticCallee(&v.Call)
		if _, request := kubeapi.RequestOf(&v.Call); request || flow.ErrorResult(v.Call.Signature()) >= 0 && (callee == nil || callee.Blocks != nil) ||
			callee != nil && remembers(callee) {
			return false
		}
		args := flow.AllArgs(&v.Call)
		return len(args) > 0 && !slices.ContainsFunc(args, func(e ssa.Value) bool { return !lasts(e, obj, seen) })
	case *ssa.Alloc: // a key
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				for _, u := range *r.Referrers() {
					if st, ok := u.(*ssa.Store); ok && !lasts(st.Val, obj, seen) {
						return false
					}
				}
			case *ssa.Store:
				if r.Addr == ssa.Value(v) && !lasts(r.Val, obj, seen) {
					return false
				}
			case ssa.CallInstruction:
				return obj == ssa.Value(v)
			}
		}
		return true
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return lasts(v.X, obj, seen)
		}
		if a, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			return lasts(a, obj, seen)
		}
	}
	p := flow.PathOf(v)
	if strings.Contains(p.Sel, ".Items[") || strings.Contains(p.Sel, ".Status.") {
		return false
	}
	switch p.Root.(type) {
	case *ssa.Parameter, *ssa.Global, *ssa.FreeVar:
		return true
	case *ssa.Alloc:
		return p.Root == obj || lasts(p.Root, obj, seen)
	case *ssa.Call, *ssa.TypeAssert:
		if p.Root != v {
			return lasts(p.Root, obj, seen)
		}
	}
	return obj != nil && p.Root == obj
}

// remembers reports whether fn looks into a map that the process keeps: what it finds there may be gone at the next try.
func remembers(fn *ssa.Function) bool {
	for in := range flow.Instrs(fn) {
		lookup, ok := in.(*ssa.Lookup)
		if !ok {
			continue
		}
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
