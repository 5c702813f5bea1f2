package kube

import (
	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// typesPackage is that of NamespacedName.
const typesPackage = "k8s.io/apimachinery/pkg/types"

// HasSlash reports whether the string v holds a slash, as far as it is known by what it is: the names and namespaces of objects have none, and
// a namespaced name that is written out always has one.
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
		if fa, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL && isName(fa) {
			return flow.No
		}
	case *ssa.Field:
		if f := flow.Field(x.X.Type(), x.Field); f != nil && IsType(x.X.Type(), typesPackage, "NamespacedName") {
			return flow.No
		}
	}
	return flow.Either
}

// isName reports whether fa is the name or the namespace of an object, or one of a NamespacedName.
func isName(fa *ssa.FieldAddr) bool {
	f := flow.Field(fa.X.Type(), fa.Field)
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
	case recv != nil && (fn.Name() == "GetName" || fn.Name() == "GetNamespace") && IsObject(recv.Type()):
		return flow.No
	}
	return flow.Either
}
