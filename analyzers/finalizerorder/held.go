package finalizerorder

import (
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// What a reconciler works on is often handed on in a struct that is made for that: the object, its owners, a client and a logger. An object that
// is a field of it is the one that was put there.

// held is p, or where what is at p comes from: p leads through a field of a struct that its function makes, or a constructor of the package gives, and
// that is set once.
func held(p flow.Path) flow.Path { return constructors{}.held(p) }

// held is as the function of that name, with constructors of other packages.
func (a *analyzer) held(p flow.Path) flow.Path { return constructors{a: a}.held(p) }

// parts yields the fields of the struct that v points to of which held knows where they come from, with that.
func (a *analyzer) parts(v ssa.Value) iter.Seq2[string, flow.Path] {
	return func(yield func(string, flow.Path) bool) {
		base := flow.PathOf(v)
		for _, f := range a.objectFields(v.Type()) {
			p := flow.Path{Root: base.Root, Sel: base.Sel + "." + f}
			if q := a.held(p); q != p && !yield(f, q) {
				return
			}
		}
	}
}

// objectFields are the names of the fields with objects that the struct has to which t points, none where that is an object itself.
func (a *analyzer) objectFields(t types.Type) (names []string) {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || a.isObject(types.NewPointer(t)) {
		return nil
	}
	for f := range st.Fields() {
		if a.isObject(f.Type()) {
			names = append(names, f.Name())
		}
	}
	return names
}

// constructors asks constructors for what they put into the fields of their results.
type constructors struct {
	a     *analyzer        // nil where those of other packages are not asked
	asked map[madeKey]bool // what is being asked for
}

func (m constructors) held(p flow.Path) flow.Path {
	for seen := []flow.Path{}; ; { // two structs may be made of each other, in a loop
		name, rest := firstField(p.Sel)
		if name == "" || slices.Contains(seen, p) {
			return p
		}
		seen = append(seen, p)
		var from flow.Path
		if v := setOnce(p.Root, name); v != nil {
			switch v.Type().Underlying().(type) {
			case *types.Pointer, *types.Interface: // a part of an object, as its metadata, is one itself
				from = flow.PathOf(v)
			}
		} else if call, i := flow.ResultOf(p.Root); call != nil {
			from = m.taken(call, i, name)
		}
		if !from.Known() || from.Root == p.Root {
			return p
		}
		p = flow.Path{Root: from.Root, Sel: from.Sel + rest}
	}
}

// taken is where the field of the struct that result i of call is comes from, not known where that cannot be said.
func (m constructors) taken(call *ssa.Call, i int, field string) flow.Path {
	callee := flow.StaticCallee(&call.Call)
	if callee == nil {
		return flow.Path{}
	}
	if callee.Blocks != nil {
		if in, ok := m.made(madeKey{callee, i, field}); ok {
			from, _ := flow.Substitute(in, callee, call.Call.Args)
			return from
		}
		return flow.Path{}
	}
	var fact Effects
	fn := flow.Callee(&call.Call)
	if m.a == nil || fn == nil || !m.a.fact(fn, &fact) {
		return flow.Path{}
	}
	for _, x := range fact.Makes {
		if args := flow.AllArgs(&call.Call); x.Result == i && x.Field == field && x.Param < len(args) {
			p := flow.PathOf(args[x.Param])
			return flow.Path{Root: p.Root, Sel: p.Sel + x.Sel}
		}
	}
	return flow.Path{}
}

// firstField is the name of the field that sel begins with, empty where it begins with something else, and what comes behind it.
func firstField(sel string) (name, rest string) {
	sel, ok := strings.CutPrefix(sel, ".")
	if !ok {
		return "", ""
	}
	if i := strings.IndexAny(sel, ".[("); i >= 0 {
		return sel[:i], sel[i:]
	}
	return sel, ""
}

// setOnce is the only value that the field of the struct at root, which root's function makes, gets there; nil where there is none or more than one.
func setOnce(root ssa.Value, field string) (only ssa.Value) {
	alloc, ok := root.(*ssa.Alloc)
	if !ok || isVariable(alloc) {
		return nil
	}
	for range flow.StoresTo(alloc) {
		return nil // all of it is set
	}
	for f, st := range flow.FieldsSet(alloc) {
		if f.Name() == field {
			if only != nil {
				return nil
			}
			only = st.Val
		}
	}
	return only
}

// A madeKey asks for a field of what is result i of fn.
type madeKey struct {
	fn    *ssa.Function
	i     int
	field string
}

// made is where the field of the struct that k asks for comes from, in terms of the parameters of its function, wherever that gives one; not ok where
// that is not one of them, or a part of it.
func (m constructors) made(k madeKey) (from flow.Path, ok bool) {
	if m.asked[k] {
		return flow.Path{}, false
	}
	if m.asked == nil {
		m.asked = map[madeKey]bool{}
	}
	m.asked[k] = true
	defer delete(m.asked, k)
	for ret := range flow.Returns(k.fn) {
		v, sure := flow.Returned(ret, k.i)
		if !sure {
			return flow.Path{}, false
		}
		if flow.IsNil(v) {
			continue
		}
		p := flow.PathOf(v)
		p = m.held(flow.Path{Root: p.Root, Sel: p.Sel + "." + k.field})
		if param, is := p.Root.(*ssa.Parameter); !is || param.Parent() != k.fn || ok && from != p {
			return flow.Path{}, false
		}
		from, ok = p, true
	}
	return from, ok
}

// makes says what fn puts into the structs that it gives.
func (a *analyzer) makes(fn *ssa.Function) (all []Made) {
	for i := range fn.Signature.Results().Len() {
		for _, f := range a.objectFields(fn.Signature.Results().At(i).Type()) {
			if p, ok := (constructors{a: a}).made(madeKey{fn, i, f}); ok {
				all = append(all, Made{i, f, flow.ParamIndex(fn, p.Root.(*ssa.Parameter)), p.Sel})
			}
		}
	}
	return all
}
