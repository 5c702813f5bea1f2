package finalizerorder

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Who is given an object and puts parts of another one of its kind into it has no copy of that: it may be the stored object. To take all finalizers off it means
// something only where it is, and then takes those of others.

// checkEmptied reports where fn takes all finalizers off such an object.
func (a *analyzer) checkEmptied(fn *ssa.Function) {
	events := a.events(fn)
	for _, e := range events {
		p, ok := e.obj.path.Root.(*ssa.Parameter)
		if !ok || e.kind != clears || e.deferred || e.in != e.at || p.Parent() != fn || e.obj.path.Sel != "" || kube.OneKind(p.Type()) == nil || a.guarded(e) || asksOrLooks(e.in, e.obj) {
			continue
		}
		from := contentFrom(fn, e.obj)
		if from == nil || isNew(fn, e.obj) || keepsMeta(fn, e.obj) {
			continue
		}
		rule.Report(a.pass, rule.Finding{
			Pos: flow.Pos(e.in), Sub: "dropped", Site: "emptied-list",
			Message: fmt.Sprintf("%s loses all finalizers here, also those that others have put on the stored object: it is no copy, as line %d gives it what another %s has; leave them",
				a.named(e), rule.Line(a.pass, flow.Pos(from)), kube.OneKind(p.Type()).Obj().Name()),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(from), Message: "it is brought to what another one has"}},
		})
		return
	}
}

// contentFrom is where fn gives a field of o, not of its metadata, the same field of another object of its kind; nil where it does not, or gives both objects to one function.
func contentFrom(fn *ssa.Function, o object) *ssa.Store {
	for st, fa := range flow.FieldStores(fn) {
		f := flow.Field(fa.X.Type(), fa.Field)
		if f == nil || f.Embedded() || objectOf(fa.X).path != o.path {
			continue
		}
		y := flow.PathOf(flow.Resolve(st.Val))
		if y.Root == nil || y.Root == o.path.Root || !types.Identical(flow.Pointee(y.Root.Type()), flow.Pointee(o.path.Root.Type())) {
			continue
		}
		if y.Sel == "."+f.Name() && !goTogether(st, o, object{path: flow.Path{Root: y.Root}}) {
			return st
		}
	}
	return nil
}

// isNew reports whether fn takes the version or the identity off o, as from what is to be created.
func isNew(fn *ssa.Function, o object) bool {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Store:
			for _, name := range []string{"ResourceVersion", "UID"} {
				if x := metaField(in.Addr, name); x != nil && objectOf(holder(x)).path == o.path {
					return true
				}
			}
		case *ssa.Call:
			f := flow.Callee(&in.Call)
			if f != nil && (f.Name() == "SetResourceVersion" || f.Name() == "SetUID") && flow.Recv(&in.Call) != nil && objectOf(flow.Recv(&in.Call)).path == o.path {
				return true
			}
		}
	}
	return false
}

// keepsMeta reports whether fn gives o the metadata, or all, of another object: what is taken off is what came with that.
func keepsMeta(fn *ssa.Function, o object) bool {
	for in := range flow.Instrs(fn) {
		st, ok := in.(*ssa.Store)
		if !ok {
			continue
		}
		if f, ok := st.Addr.(*ssa.FieldAddr); ok && kube.IsType(f.Type(), kube.MetaV1, "ObjectMeta") && objectOf(f).path == o.path || st.Addr == o.path.Root {
			return true
		}
	}
	return false
}
