package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// chosen reports whether the object that call reads is one that somebody names in the object that is reconciled, or that has a name of its own: not
// one that the reconciler has noted in the status, an owner, the namespace, or what another object names, which changes together with that. Named
// tells whether its name comes from the spec.
func (d *dropped) chosen(call *ssa.Call, s *sources) (chosen, named bool) {
	var from []ssa.Value
	if r, ok := kube.RequestOf(&call.Call); ok && r.Name != nil {
		from = append(from, r.Name)
		if client, ok := flow.Resolve(r.Client).(*ssa.Call); ok { // of a namespace
			from = append(from, flow.Args(&client.Call)...)
		}
	} else {
		for _, a := range flow.Args(&call.Call) {
			if mayName(a.Type()) {
				from = append(from, a)
			}
			if kube.IsType(a.Type(), kube.MetaV1, "ObjectMeta") && d.ps.pkg.Callee(&call.Call) == nil {
				return false, false // it may go by the owners
			}
		}
	}
	n := &namer{d: d, s: s, seen: map[ssa.Value]bool{}}
	if slices.ContainsFunc(from, n.isOwnKey) {
		return false, false // what has the name of the object itself goes with it
	}
	for _, v := range from {
		n.follow(v)
	}
	return !n.other, n.named
}

// mayName reports whether a value of type t may be, or hold, the name of an object.
func mayName(t types.Type) bool {
	return flow.IsString(t) || kube.IsObject(t) || kube.IsType(t, namesPackage, "NamespacedName")
}

// namesPackage has the type of a name with its namespace.
const namesPackage = "k8s.io/apimachinery/pkg/types"

// A namer follows what a name is made from.
type namer struct {
	d     *dropped
	s     *sources
	seen  map[ssa.Value]bool
	other bool // it is not made of what is reconciled, or of a part of that which nobody chooses
	named bool // a part of it lies in the spec
}

func (n *namer) follow(v ssa.Value) {
	if v == nil || n.seen[v] || n.other {
		return
	}
	n.seen[v] = true
	switch x := v.(type) {
	case *ssa.FieldAddr:
		if notesIdentity(x.X.Type()) || isBound(x) {
			n.other = true // who has written that has seen the object
			return
		}
		if owner := kube.MetadataOwner(x.X); oneObject(pointerTo(owner.Type())) != nil {
			n.field(x, owner)
			return
		}
	case *ssa.Parameter:
		if kube.IsType(x.Type(), kube.Reconcile, "Request") {
			n.other = true // what has the name of the object itself goes with it
			return
		}
		if oneObject(x.Type()) == nil {
			n.callers(x)
		} else if !n.s.isOwn(x.Type()) {
			n.other = true
		}
		return
	case *ssa.Alloc:
		for _, stored := range flow.StoredIn(x) {
			n.follow(stored)
		}
	case *ssa.Call:
		if fn := flow.Callee(&x.Call); fn != nil && slices.Contains([]string{"GetLabels", "GetOwnerReferences"}, fn.Name()) {
			n.other = true
			return
		}
	}
	n.given(v)
	in, ok := v.(ssa.Instruction)
	if !ok {
		return
	}
	if t := oneObject(v.Type()); t != nil {
		if _, made := v.(*ssa.Alloc); !made || n.filled(v) {
			n.other = n.other || !n.s.isOwn(t)
			return
		}
	}
	for _, op := range in.Operands(nil) {
		if *op != nil {
			n.follow(*op)
		}
	}
}

// given notes where v, a result of a function of the package, is taken from a reference to one object: whatever else that returns is no name of one.
func (n *namer) given(v ssa.Value) {
	call, i := flow.ResultOf(v)
	if call == nil || v == ssa.Value(call) && call.Call.Signature().Results().Len() > 1 {
		return
	}
	fn := n.d.ps.pkg.Callee(&call.Call)
	if fn == nil {
		return
	}
	for ret := range flow.Returns(fn) {
		n.other = n.other || flow.MadeOf(ret.Results[i], func(x ssa.Value) bool {
			field, ok := x.(*ssa.FieldAddr)
			return ok && notesIdentity(field.X.Type())
		})
	}
}

// notesIdentity reports whether t is a reference with the identity of one object, other than the metadata of an object itself: a name there is of one that
// has been there.
func notesIdentity(t types.Type) bool {
	n := kube.Named(t)
	if n == nil || kube.IsType(n, kube.MetaV1, "ObjectMeta") || kube.IsObject(pointerTo(n)) {
		return false
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	return slices.ContainsFunc(slices.Collect(st.Fields()), func(f *types.Var) bool { return kube.IsType(f.Type(), namesPackage, "UID") })
}

// isBound reports whether fa is a field in which the cluster notes to which object it has bound another one: that was there then.
func isBound(fa *ssa.FieldAddr) bool {
	n, f := kube.Named(fa.X.Type()), flow.Field(fa.X.Type(), fa.Field)
	return n != nil && n.Obj().Pkg() != nil && f != nil && binding[kube.Symbol{Pkg: kube.Path(n.Obj().Pkg().Path()), Recv: n.Obj().Name(), Name: f.Name()}]
}

// binding are the fields of that sort that have nothing but a name.
var binding = map[kube.Symbol]bool{
	{Pkg: "k8s.io/api/core/v1", Recv: "PodSpec", Name: "NodeName"}:                     true,
	{Pkg: "k8s.io/api/core/v1", Recv: "PersistentVolumeClaimSpec", Name: "VolumeName"}: true,
	{Pkg: "k8s.io/api/core/v1", Recv: "EndpointAddress", Name: "NodeName"}:             true,
	{Pkg: "k8s.io/api/discovery/v1", Recv: "Endpoint", Name: "NodeName"}:               true,
	{Pkg: "k8s.io/api/storage/v1", Recv: "VolumeAttachmentSpec", Name: "NodeName"}:     true,
}

// field is what a field of an object says of a name that is made of it.
func (n *namer) field(x *ssa.FieldAddr, owner ssa.Value) {
	t := pointerTo(owner.Type())
	name := flow.Field(x.X.Type(), x.Field).Name()
	if !n.s.isOwn(t) {
		if made, ok := flow.Resolve(owner).(*ssa.Alloc); ok && !n.filled(made) {
			n.follow(made)
			return
		}
		n.other = true
		return
	}
	n.named = n.named || name == "Spec"
	if name == "Status" || name == "Labels" || name == "OwnerReferences" || n.isAnother(owner, map[ssa.Value]bool{}) {
		n.other = true
	}
}

// isAnother reports whether the object v, of the kind that is reconciled, is not the one itself: it is read by another name, or made here.
func (n *namer) isAnother(v ssa.Value, seen map[ssa.Value]bool) bool {
	v = flow.Unwrap(flow.Resolve(v))
	if seen[v] {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return n.isAnother(e, seen) })
	case *ssa.Alloc:
		read, call := readBy(x)
		return call == nil || !flow.MadeOf(read.Name, isParameter)
	}
	return element(v)
}

// isParameter reports whether v is what a function is given.
func isParameter(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}

// readBy is the request that fills the object made, and its call; nil for none.
func readBy(made *ssa.Alloc) (r kube.Request, call *ssa.Call) {
	for in := range flow.Instrs(made.Parent()) {
		if call, ok := in.(*ssa.Call); ok {
			if r, ok := kube.RequestOf(&call.Call); ok && r.Verb == kube.VerbGet && r.Object != nil && flow.Unwrap(flow.Resolve(r.Object)) == ssa.Value(made) {
				return r, call
			}
		}
	}
	return kube.Request{}, nil
}

// callers follows what a parameter is given.
func (n *namer) callers(p *ssa.Parameter) {
	at := flow.ParamIndex(p.Parent(), p)
	if kube.IsReconcile(flow.Object(p.Parent())) || flow.IsReceiver(p) {
		return
	}
	for _, call := range n.d.ps.pkg.Callers(p.Parent()) {
		if args := flow.AllArgs(call.Common()); at < len(args) {
			n.follow(args[at])
		}
	}
}

// filled reports whether a request fills the object made, by another name than one that was made of the object itself.
func (n *namer) filled(made ssa.Value) bool {
	alloc, ok := made.(*ssa.Alloc)
	if !ok {
		return false
	}
	r, call := readBy(alloc)
	return call != nil && !n.seen[r.Name]
}
