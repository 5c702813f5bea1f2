package finalizerorder

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Who writes objects of any kind, as they come from templates or other clusters, writes those whose own controllers guard them, too.

// checkAnyKind reports the update behind in, which gives the Unstructured at x the resource version of the stored object at y: x is no change of y, is of a kind that
// nobody here knows, and is given none of the finalizers of y.
func (a *analyzer) checkAnyKind(in ssa.Instruction, x, y ssa.Value, events []event) {
	made, stored := objectOf(x), objectOf(y)
	x = lastStored(x)
	if !isUnstructured(x) || !made.known() || made.path == stored.path || made.key.Known() || !a.isMadeAnew(in, x, made, stored, events) {
		return
	}
	fn := in.Parent()
	if keepsFinalizers(fn, made) || looksAtFinalizers(fn, stored) || goTogether(in, made, stored) || takesContent(fn, made, stored) || lookedUpWithoutNamespace(stored, events) || a.knowsKind(x, map[ssa.Value]bool{}) {
		return
	}
	for _, w := range events {
		if w.kind == writes && !w.deferred && w.obj.path == made.path && isUpdate(w) && !isTrial(w) && !ofOneResource(w) && flow.Reaches(in, w.in, nil) {
			rule.Report(a.pass, rule.Finding{
				Pos: w.in.Pos(), Sub: "anykind", Site: "bare-update",
				Message: fmt.Sprintf("%s loses the finalizers of the stored object with this update: line %d gives it the resource version of that and not its finalizers, and it may be of any kind, such as one whose controller guards its objects; copy them, or patch",
					nameOf(a.pass, w), rule.Line(a.pass, flow.Pos(in))),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(in), Message: "only the resource version is taken over"}},
			})
			return
		}
	}
}

// lastStored is the value that is stored to a variable before v is read from it, on every way; v for any other value.
func lastStored(v ssa.Value) ssa.Value {
	v = flow.Resolve(v)
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return v
	}
	variable, ok := load.X.(*ssa.Alloc)
	if !ok {
		return v
	}
	var stores []*ssa.Store
	for _, r := range *variable.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			stores = append(stores, r)
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			for _, u := range *r.Referrers() {
				if d, ok := u.(*ssa.Defer); !ok || d.Call.Value != ssa.Value(r) { // which comes later
					return v
				}
			}
		default:
			return v
		}
	}
	for _, st := range stores {
		last := st.Addr == ssa.Value(variable) && flow.Dominates(st, load) && !slices.ContainsFunc(stores, func(other *ssa.Store) bool {
			return other != st && flow.Reaches(st, other, nil) && flow.Reaches(other, load, nil)
		})
		if last {
			return flow.Resolve(st.Val)
		}
	}
	return v
}

// isUnstructured reports whether v is an object that may be of any kind.
func isUnstructured(v ssa.Value) bool {
	return kube.IsType(flow.Pointee(flow.Resolve(v).Type()), kube.MetaV1+"/unstructured", "Unstructured")
}

// isMadeAnew reports whether made, the object at x, which gets the version of stored at in, is not what somebody has read and changed: the function creates it where there is none, makes it
// itself, is given both, or has found that it has no version. Who has read it has one, and copies another to write over what others have done in between.
func (a *analyzer) isMadeAnew(in ssa.Instruction, x ssa.Value, made, stored object, events []event) bool {
	of := func(k kind, o object) bool {
		return slices.ContainsFunc(events, func(e event) bool { return e.kind == k && e.obj.path == o.path })
	}
	if of(reads, made) {
		return false
	}
	if _, given := stored.path.Root.(*ssa.Parameter); given && !of(reads, stored) {
		return true
	}
	if _, made := x.(*ssa.Alloc); made {
		return true
	}
	return of(creates, made) || hasNoVersion(in, made)
}

// hasNoVersion reports whether in comes only where o has been found without a resource version.
func hasNoVersion(in ssa.Instruction, o object) bool {
	for test, t := range flow.Decided(in.Block()) {
		eq, ok := test.Cond.(*ssa.BinOp)
		if !ok || eq.Op != token.EQL || t != flow.Yes {
			continue
		}
		for _, v := range []ssa.Value{eq.X, eq.Y} {
			call, ok := flow.Resolve(v).(*ssa.Call)
			if !ok {
				continue
			}
			recv := flow.Recv(&call.Call)
			if fn := flow.Callee(&call.Call); fn != nil && recv != nil && fn.Name() == "GetResourceVersion" && objectOf(recv).path == o.path {
				return true
			}
		}
	}
	return false
}

// looksAtFinalizers reports whether fn asks for the finalizers of o: it may hand them on.
func looksAtFinalizers(fn *ssa.Function, o object) bool {
	for in := range flow.Instrs(fn) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		f := flow.Callee(call.Common())
		if f != nil && speaksOfFinalizers(f.Name()) && slices.ContainsFunc(flow.AllArgs(call.Common()), func(v ssa.Value) bool { return objectOf(v).path == o.path }) {
			return true
		}
	}
	return false
}

// goTogether reports whether, on a way that leads over in, both objects are given to one function that does more than compare them, which may make one of both.
func goTogether(in ssa.Instruction, x, y object) bool {
	found, own := false, in.Parent().Pkg
	flow.Calls(in.Parent(), func(c ssa.CallInstruction) {
		has := func(o object) bool {
			return slices.ContainsFunc(flow.AllArgs(c.Common()), func(v ssa.Value) bool { return objectOf(flow.Unwrap(v)).path.Root == o.path.Root })
		}
		callee := flow.Callee(c.Common())
		if callee != nil && callee.Name() == "SetUnstructuredContent" && has(x) {
			found = found || flow.ReadsFrom(flow.Args(c.Common())[0], y.path)
		}
		found = found || has(x) && has(y) && (flow.Reaches(c, in, nil) || flow.Reaches(in, c, nil)) && !answers(c.Common().Signature()) &&
			(callee == nil || !kube.Logs(callee) && (own == nil || callee.Pkg() == own.Pkg || !compares(callee.Name())))
	})
	return found
}

// takesContent reports whether fn puts something of y into a field of x.
func takesContent(fn *ssa.Function, x, y object) bool {
	for st, fa := range flow.FieldStores(fn) {
		if objectOf(fa.X).path == x.path && flow.ReadsFrom(st.Val, y.path) {
			return true
		}
	}
	return false
}

// isTrial reports whether w is a dry run, which changes nothing.
func isTrial(w event) bool {
	call, ok := w.at.(ssa.CallInstruction)
	if !ok {
		return false
	}
	return slices.ContainsFunc(flow.Args(call.Common()), func(v ssa.Value) bool {
		s, ok := v.(*ssa.Slice)
		return ok && slices.ContainsFunc(flow.Elements(s), func(e ssa.Value) bool {
			load, ok := flow.Resolve(e).(*ssa.UnOp)
			if !ok {
				return false
			}
			g, ok := load.X.(*ssa.Global)
			return ok && g.Name() == "DryRunAll"
		})
	})
}

// lookedUpWithoutNamespace reports whether the stored object is asked for by a name alone: who does so knows that its kind has no namespaces, as with a CustomResourceDefinition,
// and so knows the kind.
func lookedUpWithoutNamespace(stored object, events []event) bool {
	return slices.ContainsFunc(events, func(e event) bool {
		call, ok := e.in.(ssa.CallInstruction)
		if !ok || e.kind != reads || e.obj.path != stored.path {
			return false
		}
		r, ok := kube.RequestOf(call.Common())
		if !ok || r.Name == nil {
			return false
		}
		load, ok := flow.Resolve(r.Name).(*ssa.UnOp)
		if !ok {
			return false
		}
		key, ok := load.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		named := false
		for _, u := range *key.Referrers() {
			switch u := u.(type) {
			case *ssa.FieldAddr:
				f := flow.Field(key.Type(), u.Field)
				if f == nil || f.Name() != "Name" {
					return false
				}
				named = true
			case *ssa.UnOp, *ssa.DebugRef:
			default:
				return false
			}
		}
		return named
	})
}

// ofOneResource reports whether w is made by a dynamic client for a resource that is written out, or a variable of a package.
func ofOneResource(w event) bool {
	call, ok := w.at.(ssa.CallInstruction)
	if !ok {
		return false
	}
	r, ok := kube.RequestOf(call.Common())
	for ok {
		of, is := flow.Resolve(r.Client).(*ssa.Call)
		if !is {
			return false
		}
		if fn := flow.Callee(&of.Call); fn != nil && fn.Name() == "Resource" && len(flow.Args(&of.Call)) == 1 {
			return isConstantKind(flow.Args(&of.Call)[0])
		}
		if r.Client = flow.Recv(&of.Call); r.Client == nil {
			return false
		}
	}
	return false
}

// knowsKind reports whether who makes the Unstructured x says of what kind it is: its function, that of which it is the result, or all that hand it over. What only other packages hand
// over they may know: such a function serves for what an operator has in its own files as well as for what its users write.
func (a *analyzer) knowsKind(x ssa.Value, seen map[ssa.Value]bool) bool {
	x = flow.Resolve(x)
	if seen[x] {
		return true // the others say
	}
	seen[x] = true
	if fn := x.Parent(); fn != nil && writesKind(fn, objectOf(x)) {
		return true
	}
	switch x := x.(type) {
	case *ssa.Parameter:
		i, callers := flow.ParamIndex(x.Parent(), x), a.pkg.Callers(x.Parent())
		return !slices.ContainsFunc(callers, func(c ssa.CallInstruction) bool {
			args := flow.AllArgs(c.Common())
			return i < 0 || i >= len(args) || !a.knowsKind(args[i], seen)
		})
	case *ssa.Alloc:
		of := convertedFrom(x)
		return of != nil && a.knowsKind(of, seen)
	case *ssa.Phi:
		return !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return !a.knowsKind(e, seen) })
	case *ssa.Call, *ssa.Extract:
		call, i := flow.ResultOf(x)
		if call == nil {
			return false
		}
		maker := a.pkg.Callee(&call.Call)
		if maker == nil {
			return false
		}
		known := false
		for ret := range flow.Returns(maker) {
			if flow.IsNil(ret.Results[i]) {
				continue
			}
			if known = a.knowsKind(ret.Results[i], seen); !known {
				return false
			}
		}
		return known
	}
	return false
}

// convertedFrom is the parameter of which the new Unstructured is another form: it has what a function has made of that alone; nil for any other.
func convertedFrom(made *ssa.Alloc) *ssa.Parameter {
	var parts []ssa.Value
	for st, fa := range flow.FieldStores(made.Parent()) {
		if fa.X == ssa.Value(made) {
			parts = append(parts, st.Val)
		}
	}
	for _, r := range *made.Referrers() {
		if i, ok := r.(*ssa.MakeInterface); ok {
			for _, u := range *i.Referrers() {
				if c, ok := u.(ssa.CallInstruction); ok && len(flow.Args(c.Common())) == 2 { // of bytes
					parts = append(parts, flow.Args(c.Common())...)
				}
			}
		}
	}
	for _, v := range parts {
		call, _ := flow.ResultOf(flow.Resolve(v))
		if call == nil || len(flow.Args(&call.Call)) != 1 {
			continue
		}
		if p, ok := lastStored(flow.Args(&call.Call)[0]).(*ssa.Parameter); ok && kube.IsObject(p.Type()) || ok && kube.IsType(p.Type(), "k8s.io/apimachinery/pkg/runtime", "Object") {
			return p
		}
	}
	return nil
}

// writesKind reports whether fn gives o a kind that is written out.
func writesKind(fn *ssa.Function, o object) bool {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Call:
			f, recv, args := flow.Callee(&in.Call), flow.Recv(&in.Call), flow.Args(&in.Call)
			if f == nil || recv == nil || len(args) != 1 || objectOf(recv).path != o.path {
				continue
			}
			if f.Name() == "SetKind" && isConstant(args[0]) || f.Name() == "SetGroupVersionKind" && isConstantKind(args[0]) {
				return true
			}
		case *ssa.MapUpdate: // of the content
			if k, ok := flow.Unwrap(in.Key).(*ssa.Const); !ok || k.Value == nil || k.Value.Kind() != constant.String || constant.StringVal(k.Value) != "kind" || !isConstant(in.Value) {
				continue
			}
			for st, fa := range flow.FieldStores(fn) {
				if flow.Resolve(st.Val) == flow.Resolve(in.Map) && objectOf(fa.X).path == o.path {
					return true
				}
			}
		}
	}
	return false
}

// isConstant reports whether v is written out.
func isConstant(v ssa.Value) bool { return text(flow.Unwrap(v)) != "" }

// isConstantKind reports whether the GroupVersionKind, or Resource, v has a kind that is written out, or is that of a variable of a package.
func isConstantKind(v ssa.Value) bool {
	switch v := flow.Resolve(v).(type) {
	case *ssa.Call:
		fn := flow.Callee(&v.Call)
		return fn != nil && (fn.Name() == "WithKind" || fn.Name() == "WithResource") && len(flow.Args(&v.Call)) == 1 && isConstant(flow.Args(&v.Call)[0])
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.Global:
			return true
		case *ssa.Alloc:
			for st, fa := range flow.FieldStores(x.Parent()) {
				if f := flow.Field(fa.X.Type(), fa.Field); fa.X == ssa.Value(x) && f != nil && (f.Name() == "Kind" || f.Name() == "Resource") && isConstant(st.Val) {
					return true
				}
			}
		}
	}
	return false
}
