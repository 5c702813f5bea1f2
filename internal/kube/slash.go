package kube

import (
	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// typesPackage is that of NamespacedName, schemaPackage that of GroupVersion.
const (
	typesPackage  = "k8s.io/apimachinery/pkg/types"
	schemaPackage = "k8s.io/apimachinery/pkg/runtime/schema"
)

// HasSlash reports whether the string v holds a slash, as far as it is known by what it is: the names and namespaces of objects, the values of their
// labels and the groups of the API have none, a namespaced name that is written out always has one, and so has a group with its version, but for the core group.
func HasSlash(v ssa.Value) flow.Truth { return hasSlash(v, map[ssa.Value]bool{}) }

func hasSlash(v ssa.Value, seen map[ssa.Value]bool) flow.Truth {
	v = flow.Resolve(v)
	if seen[v] {
		return flow.Either
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.String {
			return flow.Settled(strings.Contains(constant.StringVal(x.Value), "/"))
		}
	case *ssa.Phi:
		t := hasSlash(x.Edges[0], seen)
		for _, e := range x.Edges[1:] {
			if hasSlash(e, seen) != t {
				return flow.Either
			}
		}
		return t
	case *ssa.BinOp:
		if x.Op != token.ADD {
			return flow.Either
		}
		a, b := hasSlash(x.X, seen), hasSlash(x.Y, seen)
		switch {
		case a == flow.Yes || b == flow.Yes:
			return flow.Yes
		case a == b:
			return a
		}
	case *ssa.Call:
		return slashIn(&x.Call, seen)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return flow.Either
		}
		at := flow.Resolve(x.X)
		if load, ok := at.(*ssa.UnOp); ok && load.Op == token.MUL {
			at = load.X // of a pointer to it
		}
		if fa, ok := at.(*ssa.FieldAddr); ok && isName(fa) {
			return flow.No
		}
	case *ssa.Lookup:
		if ofLabels(x.X) {
			return flow.No
		}
	case *ssa.Extract:
		if look, ok := x.Tuple.(*ssa.Lookup); ok && x.Index == 0 && ofLabels(look.X) {
			return flow.No
		}
	case *ssa.Field:
		if f := flow.Field(x.X.Type(), x.Field); f != nil && IsType(x.X.Type(), typesPackage, "NamespacedName") {
			return flow.No
		}
	}
	return flow.Either
}

// ofLabels reports whether m are the labels of an object: the API server takes no value with a slash.
func ofLabels(m ssa.Value) bool {
	switch x := flow.Resolve(m).(type) {
	case *ssa.Call:
		fn := flow.Callee(&x.Call)
		return fn != nil && fn.Name() == "GetLabels" && IsGetter(fn)
	case *ssa.UnOp:
		fa, ok := x.X.(*ssa.FieldAddr)
		return ok && x.Op == token.MUL && MetadataField(fa) == "Labels"
	}
	return false
}

// isName reports whether fa is the name or the namespace of an object, one of a NamespacedName, or the group of what a field refers to.
func isName(fa *ssa.FieldAddr) bool {
	f := flow.Field(fa.X.Type(), fa.Field)
	if f != nil && f.Name() == "APIGroup" && f.Pkg() != nil && strings.HasPrefix(f.Pkg().Path(), "k8s.io/api/") {
		return true
	}
	return f != nil && (f.Name() == "Name" || f.Name() == "Namespace") && (IsType(fa.X.Type(), MetaV1, "ObjectMeta") || IsType(fa.X.Type(), typesPackage, "NamespacedName"))
}

// slashIn is HasSlash of what call gives.
func slashIn(call *ssa.CallCommon, seen map[ssa.Value]bool) flow.Truth {
	fn, recv := flow.Callee(call), flow.Recv(call)
	if fn == nil {
		return flow.Either
	}
	switch {
	case recv == nil && fn.Pkg() != nil && fn.Pkg().Path() == "fmt" && fn.Name() == "Sprintf":
		if hasSlash(call.Args[0], seen) == flow.Yes {
			return flow.Yes
		}
	case recv != nil && fn.Name() == "String" && IsType(recv.Type(), typesPackage, "NamespacedName"):
		return flow.Yes
	case recv != nil && fn.Name() == "String" && IsType(recv.Type(), schemaPackage, "GroupVersion"):
		if withGroup(recv) {
			return flow.Yes
		}
	case recv != nil && (fn.Name() == "GetName" || fn.Name() == "GetNamespace") && IsObject(recv.Type()):
		return flow.No
	}
	return flow.Either
}

// withGroup reports whether gv is the group and version that a package of an API declares for its kinds: only that of the core has no group.
func withGroup(gv ssa.Value) bool {
	load, ok := flow.Resolve(gv).(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && (g.Name() == "GroupVersion" || g.Name() == "SchemeGroupVersion") && !strings.HasSuffix(g.Pkg.Pkg.Path(), "/core/v1")
}
