package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkRemovedBeforeDelete reports the writes in fn that leave an object without finalizers and are followed by a deletion
// of the same object: a finalizer that is added in between makes the deletion hang.
//
// Writes and deletions are the events of fn (event.go), with those of its callees by summary. A deletion follows a write if
// it may be executed after it in one activation of fn, back edges apart, and is of the same object: by access path, by the
// key and element of one iteration over a map, or in a later loop over the same slice. Objects that are being deleted
// already, and kinds to which no analyzed code adds finalizers, are left alone.
func (a *analyzer) checkRemovedBeforeDelete(fn *ssa.Function) {
	events := a.events(fn)
	for _, w := range a.clearingWrites(events) {
		if a.deletingAlready(w, events) || a.nobodyAdds(w) {
			continue
		}
		for _, d := range events {
			if d.kind != deletes || w.in == d.in || a.guarded(d) {
				continue
			}
			if !((d.obj.same(w.obj) || ofOneEntry(w, d)) && comesBefore(w, d)) && !inLoopBehind(w, d) {
				continue
			}
			reportRemovedBeforeDelete(a.pass, w, d)
			break
		}
	}
}

// comesBefore reports whether w may be executed before d in one activation: deferred calls run at the end, the last first.
func comesBefore(w, d event) bool {
	switch {
	case w.deferred && d.deferred:
		return flow.ReachesForward(d.in, w.in, nil)
	case w.deferred:
		return false
	case d.deferred:
		return flow.ReachesForward(w.in, d.in, nil) || flow.ReachesForward(d.in, w.in, nil)
	}
	return flow.ReachesForward(w.in, d.in, nil)
}

// nobodyAdds reports whether no code is known to add a finalizer to the object of w: it is of a kind of this module, or of
// a built-in kind on which the cluster keeps no finalizer, and neither this package nor the methods of the kind add one.
// For kinds of other modules that is unknown.
func (a *analyzer) nobodyAdds(w event) bool {
	t := kubeapi.Named(w.obj.typ)
	if call, ok := w.in.(*ssa.Call); t == nil && ok && call.Call.Signature().Results().Len() == 2 { // a request by name that returns the object
		t = kubeapi.Named(call.Call.Signature().Results().At(0).Type())
	}
	if a.nobodyAddsToAny(requestObjectType(w, t)) {
		return true
	}
	if t == nil || types.IsInterface(t) { // as in a helper that takes any object
		t = kindOf(w.obj)
	}
	if t == nil || types.IsInterface(t) || t.Obj().Pkg() == nil || a.changesOf().added[t] || !a.ofModule(t) && (isCustom(t) || kubeapi.Guarded(t)) {
		return false
	}
	return !flow.Any(t.Methods(), func(m *types.Func) bool {
		var f Effects
		return a.fact(m, &f) && slices.ContainsFunc(f.Events, func(e Effect) bool {
			return e.Param == 0 && (kind(e.Kind) == adds || kind(e.Kind) == addsNow)
		})
	})
}

// requestObjectType is the static type of the object in the request w, t if that is not known.
func requestObjectType(w event, t *types.Named) *types.Named {
	if call, ok := w.in.(ssa.CallInstruction); ok {
		if r, ok := kubeapi.RequestOf(call.Common()); ok && r.Object != nil {
			return kubeapi.Named(flow.Unwrap(r.Object).Type())
		}
	}
	return t
}

// nobodyAddsToAny reports whether t is an interface of the module for its own kinds, with methods that not every object
// has, and the package adds a finalizer to no implementation of it.
func (a *analyzer) nobodyAddsToAny(t *types.Named) bool {
	if t == nil || t.Obj().Pkg() == nil || !a.ofModule(t) {
		return false
	}
	of, ok := t.Underlying().(*types.Interface)
	if !ok || !asksForMore(of) {
		return false
	}
	for added := range a.changesOf().added {
		if added == nil || types.Implements(added, of) || types.Implements(types.NewPointer(added), of) {
			return false // nil: a finalizer is added to an object of unknown type
		}
	}
	return true
}

// asksForMore reports whether the interface of has methods that not every object has.
func asksForMore(of *types.Interface) bool {
	common := map[string]bool{}
	commonMethods(of, common)
	return flow.Any(of.Methods(), func(m *types.Func) bool { return !common[m.Name()] })
}

// commonMethods adds to names the methods of of, and of the interfaces embedded in it, that are declared by apimachinery.
func commonMethods(of *types.Interface, names map[string]bool) {
	for m := range of.ExplicitMethods() {
		if kubeapi.OfAPIMachinery(m.Pkg()) {
			names[m.Name()] = true
		}
	}
	for t := range of.EmbeddedTypes() {
		if i, ok := t.Underlying().(*types.Interface); ok {
			commonMethods(i, names)
		}
	}
}

// ofOneEntry reports whether d deletes by the key, and w writes the element, of one iteration over a map.
func ofOneEntry(w, d event) bool {
	call, ok := d.in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	r, ok := kubeapi.RequestOf(call.Common())
	if !ok || r.Name == nil || r.Client == nil {
		return false
	}
	key := rangedBy(flow.PathOf(flow.Resolve(r.Name)).Root, 1)
	if key == nil || key != rangedBy(w.obj.path.Root, 2) && key != rangedBy(w.obj.key.Root, 2) {
		return false
	}
	clients := []ssa.Value{r.Client}
	if phi, ok := flow.Resolve(r.Client).(*ssa.Phi); ok { // one of the edges may have the client of w
		clients = phi.Edges
	}
	return slices.ContainsFunc(clients, func(c ssa.Value) bool { return clientKey(c) == w.obj.client })
}

// inLoopBehind reports whether w writes the elements of a slice in one range loop, and d deletes them in a later one.
func inLoopBehind(w, d event) bool {
	written, first := rangedSlice(w)
	deleted, second := rangedSlice(d)
	return written.Known() && written == deleted && first != second && !w.deferred && !d.deferred && flow.ReachesForward(first.Instrs[len(first.Instrs)-1], d.in, nil)
}

// rangedSlice is the access path of the slice whose elements are the objects of e in a range loop, with the header of that
// loop; the path is unknown for other objects.
func rangedSlice(e event) (flow.Path, *ssa.BasicBlock) {
	call, ok := e.in.(ssa.CallInstruction)
	if !ok {
		return flow.Path{}, nil
	}
	for _, arg := range flow.AllArgs(call.Common()) {
		if !objectOf(arg).same(e.obj) {
			continue
		}
		for v := flow.Unwrap(flow.Resolve(arg)); v != nil; {
			switch x := v.(type) {
			case *ssa.UnOp:
				v = x.X
			case *ssa.FieldAddr:
				v = x.X
			case *ssa.Alloc: // the variable of the range
				v = flow.StoredOnce(x)
			case *ssa.IndexAddr:
				if header := flow.RangeHeader(x.Index); header != nil {
					return flow.PathOf(x.X), header
				}
				return flow.Path{}, nil
			default:
				v = nil
			}
		}
	}
	return flow.Path{}, nil
}

// rangedBy is the *ssa.Next of a range over a map whose key (i 1) or element (i 2) is v or the variable at v; nil for other
// values.
func rangedBy(v ssa.Value, i int) *ssa.Next {
	if alloc, ok := v.(*ssa.Alloc); ok {
		v = nil
		for _, r := range *alloc.Referrers() { // methods that change the variable are no stores
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(alloc) {
				if v != nil {
					return nil
				}
				v = st.Val
			}
		}
	}
	x, ok := v.(*ssa.Extract)
	if !ok || x.Index != i {
		return nil
	}
	next, _ := x.Tuple.(*ssa.Next)
	return next
}

func reportRemovedBeforeDelete(pass *analysis.Pass, w, d event) {
	name := nameOf(pass, w)
	rule.Report(pass, rule.Finding{
		Pos: w.in.Pos(), Sub: "removedbeforedelete", Site: "early-removal",
		Message: fmt.Sprintf("%s loses all its finalizers before it is deleted (line %d): one added in between makes the deletion hang; delete first",
			name, rule.Line(pass, flow.Pos(d.in))),
		Related: related(w, d),
	})
}

func related(w, d event) []analysis.RelatedInformation {
	var out []analysis.RelatedInformation
	if w.at != nil && w.at != w.in {
		out = append(out, analysis.RelatedInformation{Pos: flow.Pos(w.at), Message: "the finalizers are removed here"})
	}
	out = append(out, analysis.RelatedInformation{Pos: flow.Pos(d.in), Message: "the object is deleted here"})
	if d.at != nil && d.at != d.in {
		out = append(out, analysis.RelatedInformation{Pos: flow.Pos(d.at), Message: "by this call"})
	}
	return out
}
