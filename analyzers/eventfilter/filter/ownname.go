package filter

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// isOwnKey reports whether v is the name of the object that is reconciled, with nothing added to it, or a key with that name.
func (n *namer) isOwnKey(v ssa.Value) bool {
	return (&ownName{n: n, seen: map[ssa.Value]bool{}}).is(v)
}

// An ownName looks whether something is the name of the object that is reconciled.
type ownName struct {
	n     *namer
	seen  map[ssa.Value]bool
	given []*ssa.Call // the calls of the functions of the package that have given it
}

func (o *ownName) is(v ssa.Value) bool {
	v = flow.Resolve(v)
	if o.seen[v] {
		return false
	}
	o.seen[v] = true
	defer delete(o.seen, v)
	switch x := v.(type) {
	case *ssa.Parameter:
		return o.handed(x)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return false
		}
		if fa, ok := x.X.(*ssa.FieldAddr); ok && kube.MetadataField(fa) == "Name" {
			return o.isItself(kube.MetadataOwner(fa.X))
		}
		return o.is(x.X)
	case *ssa.Alloc:
		return o.isKey(x)
	case *ssa.Call:
		return o.isGiven(x)
	}
	return false
}

// isItself reports whether v is the object that is reconciled.
func (o *ownName) isItself(v ssa.Value) bool {
	v = flow.Unwrap(flow.Resolve(v))
	return o.n.s.isOwn(v.Type()) && !o.n.isAnother(v, map[ssa.Value]bool{})
}

// isKey reports whether the key made has the name.
func (o *ownName) isKey(made *ssa.Alloc) bool {
	if !kube.IsType(made.Type(), namesPackage, "NamespacedName") {
		return false
	}
	for st, fa := range flow.FieldStores(made.Parent()) {
		if fa.X == ssa.Value(made) && flow.Field(fa.X.Type(), fa.Field).Name() == "Name" && o.is(st.Val) {
			return true
		}
	}
	return false
}

// isGiven reports whether call gives the name: it asks the object for it, makes a key of the object, or a function of the package does.
func (o *ownName) isGiven(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	switch {
	case fn == nil:
		return false
	case kube.IsGetter(fn) && fn.Name() == "GetName":
		return o.isItself(kube.MetadataOwner(flow.Recv(&call.Call)))
	case kube.Symbol{Pkg: kube.Client, Name: "ObjectKeyFromObject"}.Is(fn):
		return o.isItself(call.Call.Args[0])
	}
	own := o.n.d.ps.pkg.Callee(&call.Call)
	if own == nil || call.Call.Signature().Results().Len() != 1 {
		return false
	}
	o.given = append(o.given, call)
	defer func() { o.given = o.given[:len(o.given)-1] }()
	some := false
	for ret := range flow.Returns(own) {
		if !o.is(ret.Results[0]) {
			return false
		}
		some = true
	}
	return some
}

// handed reports whether the parameter p is given the name: by the call that is followed, or else by all that there are.
func (o *ownName) handed(p *ssa.Parameter) bool {
	at := flow.ParamIndex(p.Parent(), p)
	if last := len(o.given) - 1; last >= 0 && o.n.d.ps.pkg.Callee(&o.given[last].Call) == p.Parent() {
		call := o.given[last]
		o.given = o.given[:last]
		defer func() { o.given = append(o.given, call) }()
		return o.is(flow.AllArgs(&call.Call)[at])
	}
	calls := o.n.d.ps.pkg.Callers(p.Parent())
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		args := flow.AllArgs(call.Common())
		return at >= len(args) || !o.is(args[at])
	})
}
