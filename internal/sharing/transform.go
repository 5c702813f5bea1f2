package sharing

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
)

// A Transform is what a transform function of informers leaves of the objects of one kind before they come to the cache.
type Transform struct {
	Kind string // the type, with the path of its package
	Made bool   // the cache gets an object that the function has made, which has something at Paths only; else one that has nothing there
	// Paths are those of fields, from the object.
	Paths []string
}

// Empties reports whether the objects have nothing at path.
func (t Transform) Empties(path string) bool {
	leads := func(from, to string) bool { // the one is the other, or a part of it
		rest, ok := strings.CutPrefix(to, from)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	if t.Made {
		return !slices.ContainsFunc(t.Paths, func(p string) bool { return leads(p, path) || leads(path, p) })
	}
	return slices.ContainsFunc(t.Paths, func(p string) bool { return leads(p, path) })
}

// Transforms are those of the functions that the package makes transform functions of, as far as it shows what they leave, sorted.
func (a *Sharing) Transforms() []Transform {
	var out []Transform
	for _, fn := range a.p.All() {
		for in := range flow.Instrs(fn) {
			made, ok := in.(*ssa.ChangeType)
			if !ok || !kube.IsType(made.Type(), kube.Cache, "TransformFunc") {
				continue
			}
			if f := a.p.Own(flow.FuncValue(made.X)); f != nil {
				out = append(out, transformsOf(f)...)
			}
		}
	}
	slices.SortFunc(out, func(x, y Transform) int {
		return cmp.Or(strings.Compare(x.Kind, y.Kind), slices.Compare(x.Paths, y.Paths))
	})
	return slices.CompactFunc(out, func(x, y Transform) bool { return x.Kind == y.Kind && slices.Equal(x.Paths, y.Paths) })
}

// transformsOf are those of fn, a transform function, where all that it gives without an error it has made, or all of it is what it got.
// Nothing is known of others.
func transformsOf(fn *ssa.Function) (out []Transform) {
	var made []*ssa.Alloc
	got := 0
	for ret := range flow.Returns(fn) {
		if !flow.IsNil(ret.Results[1]) {
			continue // the object does not come to the cache
		}
		switch obj := flow.Resolve(ret.Results[0]).(type) {
		case *ssa.Alloc:
			made = append(made, obj)
		default:
			if assertedOf(obj) != given(fn) {
				return nil
			}
			got++
		}
	}
	switch {
	case len(made) == 0:
		return emptied(fn)
	case got > 0:
		return nil
	}
	for _, obj := range made {
		paths, known := filled(obj)
		if !known {
			return nil
		}
		out = append(out, Transform{kindName(obj), true, paths})
	}
	return out
}

// given is the object that fn, a transform function, is called with.
func given(fn *ssa.Function) ssa.Value { return fn.Params[len(fn.Params)-1] }

// kindName is the name of the type that v points to.
func kindName(v ssa.Value) string {
	if n := kube.Named(v.Type()); n != nil {
		return link.TypeName(n)
	}
	return ""
}

// assertedOf is the value of which v is asserted to be something; v itself where it is not.
func assertedOf(v ssa.Value) ssa.Value {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	if t, ok := v.(*ssa.TypeAssert); ok {
		return flow.Resolve(t.X)
	}
	return v
}

// filled are the paths at which the struct that obj is made with gets something; known is false where it may get more.
func filled(obj *ssa.Alloc) (paths []string, known bool) {
	known = true
	seen := map[ssa.Value]bool{}
	var visit func(addr ssa.Value, at string)
	visit = func(addr ssa.Value, at string) {
		if seen[addr] {
			known = false // it is in there twice, or holds what it had
			return
		}
		seen[addr] = true
		for _, r := range *addr.Referrers() {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				visit(r, at+"."+fieldName(r.X.Type(), r.Field))
			case *ssa.Store:
				part, isLoad := r.Val.(*ssa.UnOp)
				zero, isConst := r.Val.(*ssa.Const)
				switch {
				case r.Addr != addr:
					known = false
				case isConst && zero.Value == nil:
				case isLoad && isLocal(part.X): // the literal of a struct in it
					visit(part.X, at)
				default:
					paths = append(paths, at)
				}
			case *ssa.UnOp, *ssa.MakeInterface, *ssa.DebugRef:
			default:
				known = false
			}
		}
	}
	visit(obj, "")
	slices.Sort(paths)
	return slices.Compact(paths), known
}

// isLocal reports whether addr is that of a variable of the function.
func isLocal(addr ssa.Value) bool {
	_, ok := addr.(*ssa.Alloc)
	return ok
}

// emptied are the transforms of fn as to the fields that it sets to nil, whatever the object has, where it is of the kind.
func emptied(fn *ssa.Function) (out []Transform) {
	fields := map[string][]string{} // by kind
	set := map[string]bool{}        // those that get something
	for in := range flow.Instrs(fn) {
		st, ok := in.(*ssa.Store)
		if !ok {
			continue
		}
		obj, sel := place(st.Addr)
		kind := kindName(obj)
		switch {
		case sel == "" || assertedOf(obj) != given(fn):
		case flow.IsNil(st.Val) && decidedByKind(st.Block()):
			fields[kind] = append(fields[kind], sel)
		default:
			set[kind+sel] = true
		}
	}
	for kind, paths := range fields {
		paths = slices.DeleteFunc(paths, func(p string) bool { return set[kind+p] })
		slices.Sort(paths)
		out = append(out, Transform{Kind: kind, Paths: slices.Compact(paths)})
	}
	return out
}

// decidedByKind reports whether control comes to b for all objects of a kind.
func decidedByKind(b *ssa.BasicBlock) bool {
	for test := range flow.Decided(b) {
		x, ok := test.Cond.(*ssa.Extract)
		if !ok {
			return false
		}
		if _, ok := x.Tuple.(*ssa.TypeAssert); !ok {
			return false
		}
	}
	return true
}
