package finalizerorder

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// keeps reports whether fn gives the object at objs to something that may write it unseen: a function that cannot be
// looked into, a place that outlives fn, its result.
func (a *analyzer) keeps(fn *ssa.Function, objs []flow.Path) bool {
	return len(objs) > 0 && a.kept.Ask(keyOf(fn, objs), false, func() bool {
		for in := range flow.Instrs(fn) {
			if a.keepsAt(in, objs) {
				return true
			}
		}
		return false
	})
}

// keepsBeside reports whether the function of e gives the object of e to something that may write it unseen, before e or behind it: what it does on other ways
// is about what it reads there.
func (a *analyzer) keepsBeside(e event) bool {
	fn, objs := e.in.Parent(), e.obj.places()[:1]
	if !a.keeps(fn, objs) {
		return false
	}
	for in := range flow.Instrs(fn) {
		if (in == e.in || flow.Reaches(in, e.in, nil) || flow.Reaches(e.in, in, nil)) && a.keepsAt(in, objs) {
			return true
		}
	}
	return false
}

func (a *analyzer) keepsAt(in ssa.Instruction, objs []flow.Path) bool {
	is := func(v ssa.Value) bool { return v != nil && isOneOf(v, objs) }
	switch in := in.(type) {
	case *ssa.Store:
		if _, local := in.Addr.(*ssa.Alloc); local {
			return false
		}
		if flow.Argument(in.Addr) && isArgumentOf(in.Addr.(*ssa.IndexAddr).X, harmless) {
			return false
		}
		return is(in.Val)
	case *ssa.MapUpdate:
		return is(in.Value) || is(in.Key)
	case *ssa.Send:
		return is(in.X)
	case *ssa.Return:
		for _, r := range in.Results {
			if is(r) {
				return true
			}
		}
	case *ssa.Phi:
		for _, e := range in.Edges {
			if is(e) && flow.Resolve(in) == ssa.Value(in) {
				return true // from here on it goes by another name
			}
		}
	case *ssa.MakeClosure:
		for _, v := range in.Bindings {
			if is(v) || isVariableOf(v, objs) {
				return a.keeps(in.Fn.(*ssa.Function), objs)
			}
		}
	case *ssa.Go:
		for _, arg := range in.Call.Args {
			if is(arg) {
				return true
			}
		}
	case ssa.CallInstruction:
		return a.callKeeps(in, objs)
	}
	return false
}

// isVariableOf reports whether v is the address of a variable that holds the object.
func isVariableOf(v ssa.Value, objs []flow.Path) bool {
	s := flow.SingleStore(v)
	return s != nil && isOneOf(s, objs)
}

// isOneOf reports whether v is the object at one of objs itself, not a part of it.
func isOneOf(v ssa.Value, objs []flow.Path) bool {
	p := objectOf(v).path
	for _, o := range objs {
		if p == o {
			return true
		}
	}
	return false
}

// isArgumentOf reports whether the argument list arr goes to calls for which ok holds only.
func isArgumentOf(arr ssa.Value, ok func(ssa.CallInstruction) bool) bool {
	for _, r := range *arr.Referrers() {
		s, isSlice := r.(*ssa.Slice)
		if !isSlice {
			continue
		}
		for _, u := range *s.Referrers() {
			if c, isCall := u.(ssa.CallInstruction); !isCall || !ok(c) {
				return false
			}
		}
	}
	return true
}

func (a *analyzer) callKeeps(call ssa.CallInstruction, objs []flow.Path) bool {
	given := -1
	args := flow.AllArgs(call.Common())
	for i, arg := range args {
		if isOneOf(arg, objs) {
			given = i
		}
	}
	if given < 0 || harmless(call) {
		return false
	}
	fn := flow.Callee(call.Common())
	if fn == nil {
		return true
	}
	if callee := flow.StaticCallee(call.Common()); callee != nil && callee.Blocks != nil {
		return a.keeps(callee, a.into(objs, callee, call.Common().Args))
	}
	if _, ok := a.apiEvents(call, fn); ok {
		return false
	}
	var fact Effects
	if a.fact(fn, &fact) {
		for _, p := range fact.Keeps {
			if p == given {
				return true
			}
		}
		return false
	}
	return true
}

// harmless reports whether call is of a function that takes an object and does not write it, whatever it is given.
func harmless(call ssa.CallInstruction) bool {
	fn := flow.Callee(call.Common())
	if fn == nil {
		b, ok := call.Common().Value.(*ssa.Builtin)
		return ok && b.Name() != "append"
	}
	if recv := flow.Recv(call.Common()); recv != nil && kube.IsObject(recv.Type()) {
		return true // a method of the object itself
	}
	if fn.Name() == "Accessor" {
		return true // the object by another name
	}
	if r := fn.Signature().Results(); r.Len() > 0 && types.Identical(r.At(0).Type().Underlying(), byteSlice) && !usesClient(call) {
		if callee := flow.StaticCallee(call.Common()); callee == nil || callee.Blocks == nil {
			return !sent(call) // it encodes the object
		}
	}
	if callee := flow.StaticCallee(call.Common()); callee != nil && callee.Blocks != nil {
		return false
	}
	if r, ok := kube.RequestOf(call.Common()); ok && (r.Verb == kube.VerbGet || r.Verb == kube.VerbDelete) {
		return true
	}
	if r := call.Common().Signature().Results(); kube.Logs(fn) && (r.Len() != 1 || !flow.IsBool(r.At(0).Type())) { // a comparison goes by it
		return true
	}
	return looksOnly(fn.Name()) && (fn.Name() != "Get" || len(flow.Args(call.Common())) < 2)
}

// sent reports whether what encoder makes of an object, or what is made of that, goes to a request, to a function that gives nothing
// back for it and so may make one, or to the caller in the answer of
// a webhook. What is to be done with the text itself, the caller says.
func sent(encoder ssa.CallInstruction) bool {
	text := encoder.Value()
	return text != nil && goesTo(text, func(user ssa.Instruction) bool {
		if ret, ok := user.(*ssa.Return); ok {
			return slices.ContainsFunc(ret.Results, func(r ssa.Value) bool { return flow.IsStruct(r.Type()) })
		}
		call, ok := user.(ssa.CallInstruction)
		if !ok || kube.Logs(flow.Callee(call.Common())) {
			return false
		}
		if r, ok := kube.RequestOf(call.Common()); ok {
			return r.Verb != kube.VerbGet
		}
		r := call.Common().Signature().Results()
		_, builtin := call.Common().Value.(*ssa.Builtin)
		return !builtin && (r.Len() == 0 || r.Len() == 1 && flow.IsError(r.At(0).Type()))
	})
}
