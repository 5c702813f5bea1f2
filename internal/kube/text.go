package kube

import (
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// typesPackage is that of NamespacedName, schemaPackage that of GroupVersion.
const (
	typesPackage  = "k8s.io/apimachinery/pkg/types"
	schemaPackage = "k8s.io/apimachinery/pkg/runtime/schema"
)

// A Piece is a part of a string: a text that is always the same, or what is not known before the program runs.
type Piece struct {
	Text  string     // where it is the same
	Of    any        // else what it is: an access path, or a value
	Field string     // Name or Namespace of that, where it is one of an object
	Slash flow.Truth // whether it holds a slash
}

// HasSlash reports whether the string v holds a slash, as far as it is known by what it is: the names and namespaces of objects, the values of their
// labels and the groups of the API have none, a namespaced name that is written out always has one, and so has a group with its version, but for the core group.
func HasSlash(v ssa.Value) flow.Truth { return slashIn(TextOf(v)) }

func slashIn(pieces []Piece) flow.Truth {
	all := flow.No
	for _, p := range pieces {
		switch p.Slash {
		case flow.Yes:
			return flow.Yes
		case flow.Either:
			all = flow.Either
		}
	}
	return all
}

// Longer reports whether a string of the pieces x is always longer than one of y: it has all that y has of what is not known, and more text.
func Longer(x, y []Piece) bool {
	rest, more := slices.Clone(x), 0
	for _, p := range x {
		more += len(p.Text)
	}
	for _, p := range y {
		if more -= len(p.Text); p.Of == nil {
			continue
		}
		at := slices.IndexFunc(rest, func(q Piece) bool { return q.Of == p.Of && q.Field == p.Field })
		if at < 0 {
			return false
		}
		rest = slices.Delete(rest, at, at+1)
	}
	return more > 0
}

// TextOf are the pieces of the string v.
func TextOf(v ssa.Value) []Piece { return textOf(v, map[ssa.Value]bool{}) }

// identity is what stands for v wherever it is read.
func identity(v ssa.Value) any {
	if p := flow.PathOf(v); p.Known() {
		return p
	}
	return v
}

func constantPiece(text string) Piece {
	return Piece{Text: text, Slash: flow.Settled(strings.Contains(text, "/"))}
}

func textOf(v ssa.Value, seen map[ssa.Value]bool) []Piece {
	v = flow.Resolve(v)
	unknown := Piece{Of: identity(v)}
	if seen[v] {
		return []Piece{unknown}
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.String {
			return []Piece{constantPiece(constant.StringVal(x.Value))}
		}
	case *ssa.Phi:
		unknown.Slash = slashIn(textOf(x.Edges[0], seen))
		for _, e := range x.Edges[1:] {
			if slashIn(textOf(e, seen)) != unknown.Slash {
				unknown.Slash = flow.Either
			}
		}
	case *ssa.BinOp:
		if x.Op == token.ADD {
			return append(textOf(x.X, seen), textOf(x.Y, seen)...)
		}
	case *ssa.Call:
		return textOfCall(x, seen)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			break
		}
		at := flow.Resolve(x.X)
		if load, ok := at.(*ssa.UnOp); ok && load.Op == token.MUL {
			at = load.X // of a pointer to it
		}
		if fa, ok := at.(*ssa.FieldAddr); ok && isName(fa) {
			return nameOf(holder(fa), flow.Field(fa.X.Type(), fa.Field).Name(), seen)
		}
	case *ssa.Lookup:
		if ofLabels(x.X) {
			unknown.Slash = flow.No
		}
	case *ssa.Extract:
		if look, ok := x.Tuple.(*ssa.Lookup); ok && x.Index == 0 && ofLabels(look.X) {
			unknown.Slash = flow.No
		}
	case *ssa.Field:
		if f := flow.Field(x.X.Type(), x.Field); f != nil && IsType(x.X.Type(), typesPackage, "NamespacedName") {
			return nameOf(x.X, f.Name(), seen)
		}
	}
	return []Piece{unknown}
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

// holder is the object, or the NamespacedName, of which fa is a field.
func holder(fa *ssa.FieldAddr) ssa.Value {
	if meta, ok := fa.X.(*ssa.FieldAddr); ok && IsType(fa.X.Type(), MetaV1, "ObjectMeta") {
		return meta.X
	}
	return fa.X
}

// nameOf are the pieces of that field, which is without a slash, of an object or a NamespacedName.
func nameOf(of ssa.Value, field string, seen map[ssa.Value]bool) []Piece {
	of = flow.Unwrap(flow.Resolve(of))
	if made, ok := of.(*ssa.Alloc); ok {
		if v := setOnce(made, field, map[*ssa.Alloc]bool{}); v != nil {
			out := textOf(v, seen)
			for i := range out {
				out[i].Slash = flow.No
			}
			return out
		}
	}
	return []Piece{{Of: identity(of), Field: field, Slash: flow.No}}
}

// setOnce is what its function puts into that field of made, where it does so once, and no function literal and no function of its package has made; else nil.
// Seen are the parts of it that were looked at.
func setOnce(made *ssa.Alloc, field string, seen map[*ssa.Alloc]bool) (only ssa.Value) {
	if seen[made] {
		return nil
	}
	seen[made] = true
	is := func(v ssa.Value) bool { return flow.Unwrap(flow.Resolve(v)) == ssa.Value(made) }
	for in := range flow.Instrs(made.Parent()) {
		switch in := in.(type) {
		case *ssa.MakeClosure:
			if slices.ContainsFunc(in.Bindings, is) {
				return nil
			}
		case *ssa.Store:
			fa, ok := in.Addr.(*ssa.FieldAddr)
			var v ssa.Value
			switch {
			case in.Addr == ssa.Value(made) || ok && IsType(in.Val.Type(), MetaV1, "ObjectMeta") && is(fa.X):
				if load, ok := in.Val.(*ssa.UnOp); ok { // a literal in it
					if part, ok := load.X.(*ssa.Alloc); ok {
						v = setOnce(part, field, seen)
					}
				}
			case ok && isName(fa) && is(holder(fa)) && flow.Field(fa.X.Type(), fa.Field).Name() == field:
				v = in.Val
			default:
				continue
			}
			if v == nil || only != nil {
				return nil
			}
			only = v
		case ssa.CallInstruction:
			own := flow.StaticCallee(in.Common())
			if name := Called(in.Common()).Name; name == "" || own != nil && own.Pkg == made.Parent().Pkg || name == "Set"+field {
				if slices.ContainsFunc(flow.AllArgs(in.Common()), is) {
					return nil
				}
			}
		}
	}
	return only
}

// textOfCall are the pieces of what call gives.
func textOfCall(call *ssa.Call, seen map[ssa.Value]bool) []Piece {
	fn, recv := flow.Callee(&call.Call), flow.Recv(&call.Call)
	unknown := Piece{Of: call}
	switch {
	case fn == nil:
	case recv == nil && fn.Pkg() != nil && fn.Pkg().Path() == "fmt" && fn.Name() == "Sprintf":
		return formatted(call, seen)
	case recv != nil && fn.Name() == "String" && IsType(recv.Type(), typesPackage, "NamespacedName"):
		return namespaced(recv, seen)
	case recv != nil && fn.Name() == "String" && IsType(recv.Type(), schemaPackage, "GroupVersion"):
		if withGroup(recv) {
			unknown.Slash = flow.Yes
		}
	case recv != nil && (fn.Name() == "GetName" || fn.Name() == "GetNamespace") && IsObject(recv.Type()):
		return nameOf(recv, strings.TrimPrefix(fn.Name(), "Get"), seen)
	}
	return []Piece{unknown}
}

// namespaced are the pieces of the NamespacedName v, written out.
func namespaced(v ssa.Value, seen map[ssa.Value]bool) []Piece {
	v = flow.Resolve(v)
	if call, ok := v.(*ssa.Call); ok && (Symbol{Client, "", "ObjectKeyFromObject"}).Is(flow.Callee(&call.Call)) {
		v = call.Call.Args[0]
	} else if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		v = load.X
	}
	return append(append(nameOf(v, "Namespace", seen), constantPiece("/")), nameOf(v, "Name", seen)...)
}

// formatted are the pieces of what a call of Sprintf gives.
func formatted(call *ssa.Call, seen map[ssa.Value]bool) (out []Piece) {
	format, known := flow.Resolve(call.Call.Args[0]).(*ssa.Const)
	if !known {
		return []Piece{{Of: call}}
	}
	args, rest := flow.Elements(call.Call.Args[1]), constant.StringVal(format.Value)
	unknown := []Piece{{Of: call}}
	if strings.Contains(rest, "/") {
		unknown[0].Slash = flow.Yes
	}
	for {
		text, after, verb := strings.Cut(rest, "%")
		if text != "" {
			out = append(out, constantPiece(text))
		}
		if !verb {
			return out
		}
		if after == "" || !strings.Contains("svd", after[:1]) || len(args) == 0 {
			return unknown // a width, or another verb
		}
		rest = after[1:]
		switch arg := flow.Unwrap(args[0]); {
		case HasMethod(arg.Type(), "String") || HasMethod(arg.Type(), "Error"):
			out = append(out, Piece{Of: identity(arg)}) // which says what is written
		case flow.IsString(arg.Type()):
			out = append(out, textOf(arg, seen)...)
		case flow.IsInteger(arg.Type()):
			out = append(out, Piece{Of: identity(arg), Slash: flow.No})
		default:
			out = append(out, Piece{Of: identity(arg)})
		}
		args = args[1:]
	}
}

// isName reports whether fa is the name or the namespace of an object, one of a NamespacedName, or the group of what a field refers to.
func isName(fa *ssa.FieldAddr) bool {
	f := flow.Field(fa.X.Type(), fa.Field)
	if f != nil && f.Name() == "APIGroup" && f.Pkg() != nil && strings.HasPrefix(f.Pkg().Path(), "k8s.io/api/") {
		return true
	}
	return f != nil && (f.Name() == "Name" || f.Name() == "Namespace") && (IsType(fa.X.Type(), MetaV1, "ObjectMeta") || IsType(fa.X.Type(), typesPackage, "NamespacedName"))
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
