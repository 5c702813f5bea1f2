package lock

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// canonical rewrites p to the access path of an alias that the constructors of the package show: newT(x).f is x if newT
// stores its parameter in the field f, and x.items[k].owner is x if each element is stored with that owner. It
// terminates: it sees through each call once, and the second rule shortens the path.
func (e *engine) canonical(p flow.Path) flow.Path {
	var through []ssa.Value
	for {
		q, ok := p, false
		if !slices.Contains(through, p.Root) {
			if q, ok = e.constructed(p); ok {
				through = append(through, p.Root)
			}
		}
		if !ok {
			q, ok = e.backPointer(p)
		}
		if !ok {
			return p
		}
		p = q
	}
}

// constructed sees through a call of a constructor: newT(x).f is x where newT returns &T{f: x}.
func (e *engine) constructed(p flow.Path) (flow.Path, bool) {
	call, i := flow.ResultOf(p.Root)
	if call == nil || p.Sel == "" {
		return p, false
	}
	fn := flow.StaticCallee(&call.Call)
	if fn == nil || fn.Pkg != e.pkg.Package {
		return p, false
	}
	first := p.Steps()[0]
	fields := e.fieldsOf(fn, i)
	from, ok := fields[first.Field]
	if !ok && first.Field == nil { // fn returns an interface: look the field up by name
		for f, p := range fields {
			if "."+f.Name() == first.Text {
				from, ok = p, true
			}
		}
	}
	if !ok {
		return p, false
	}
	q, ok := flow.Substitute(from, fn, call.Call.Args)
	return flow.Path{Root: q.Root, Sel: q.Sel + p.Sel[len(first.Text):]}, ok
}

// fieldsOf are the fields that fn fills with its parameters in the new object that it returns as result i.
func (e *engine) fieldsOf(fn *ssa.Function, i int) map[*types.Var]flow.Path {
	if i > 0 {
		return nil
	}
	return e.constructors.Ask(fn, nil, func() map[*types.Var]flow.Path { return filled(newObject(fn)) })
}

// newObject is the one new object that fn returns as its first result where it does not return nil; nil where there is
// none.
func newObject(fn *ssa.Function) *ssa.Alloc {
	var made *ssa.Alloc
	for ret := range flow.Returns(fn) {
		if len(ret.Results) == 0 {
			return nil
		}
		if flow.IsNil(ret.Results[0]) || ret.Block() == fn.Recover {
			continue
		}
		v, _ := flow.Returned(ret, 0)
		v = flow.Resolve(v)
		if mi, ok := v.(*ssa.MakeInterface); ok {
			v = flow.Resolve(mi.X)
		}
		if load, ok := v.(*ssa.UnOp); ok { // a struct that is returned by value
			v = load.X
		}
		a, ok := v.(*ssa.Alloc)
		if !ok || made != nil && made != a {
			return nil
		}
		made = a
	}
	return made
}

// filled are the fields of the new object that are stored once, with a place that has a name.
func filled(made *ssa.Alloc) map[*types.Var]flow.Path {
	m := map[*types.Var]flow.Path{}
	if made == nil {
		return m
	}
	for _, r := range *made.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, r := range *fa.Referrers() {
			st, ok := r.(*ssa.Store)
			if !ok || st.Addr != ssa.Value(fa) {
				continue
			}
			if f := flow.Field(fa.X.Type(), fa.Field); f != nil {
				p := flow.PathOf(st.Val)
				if _, twice := m[f.Origin()]; twice {
					p = flow.Path{}
				}
				m[f.Origin()] = p
			}
		}
	}
	for f, p := range m {
		if !p.Known() {
			delete(m, f)
		}
	}
	return m
}

// A backLink is a field of the elements of a container, or of the object in a field, that points to the object with the
// container or field.
type backLink struct {
	container, field *types.Var
	direct           bool
}

// backPointer rewrites x.items[k].owner and x.item.owner to x according to the back links.
func (e *engine) backPointer(p flow.Path) (flow.Path, bool) {
	if len(e.links) == 0 {
		return p, false
	}
	before, steps := 0, p.Steps()
	for i, s := range steps {
		if i+2 < len(steps) && s.Field != nil && steps[i+1].Field == nil &&
			e.links[backLink{s.Field, steps[i+2].Field, false}] {
			after := before + len(s.Text) + len(steps[i+1].Text) + len(steps[i+2].Text)
			return flow.Path{Root: p.Root, Sel: p.Sel[:before] + p.Sel[after:]}, true
		}
		if i+1 < len(steps) && s.Field != nil && e.links[backLink{s.Field, steps[i+1].Field, true}] {
			after := before + len(s.Text) + len(steps[i+1].Text)
			return flow.Path{Root: p.Root, Sel: p.Sel[:before] + p.Sel[after:]}, true
		}
		before += len(s.Text)
	}
	return p, false
}

// backThrough is backPointer for a place that is reached through an interface: sel, the end of p, leads on from an
// object of type t.
func (e *engine) backThrough(p flow.Path, sel string, t types.Type) (flow.Path, bool) {
	base := flow.Path{Root: p.Root, Sel: strings.TrimSuffix(p.Sel, sel)}
	steps := base.Steps()
	name, _, _ := strings.Cut(strings.TrimPrefix(sel, "."), ".")
	obj, path, _ := types.LookupFieldOrMethod(t, true, e.pass.Pkg, name)
	f, ok := obj.(*types.Var)
	if !ok || len(path) != 1 || len(steps) == 0 || steps[len(steps)-1].Field == nil {
		return p, false
	}
	last := steps[len(steps)-1]
	if !e.links[backLink{last.Field, f.Origin(), true}] {
		return p, false
	}
	sel = strings.TrimSuffix(base.Sel, last.Text) + strings.TrimPrefix(sel, "."+name)
	return flow.Path{Root: p.Root, Sel: sel}, true
}

// indexLinks finds the back links: all stores to the container, or all stores of one type to the field, store objects
// with that owner, and the owner field is written only during construction.
func (e *engine) indexLinks() {
	e.links = map[backLink]bool{}
	type kind struct {
		container *types.Var
		elem      *types.Named // of a field; one field of an interface type has objects of many
	}
	puts := map[kind]int{}
	votes, kinds := map[backLink]int{}, map[backLink]kind{}
	see := func(container flow.Path, elem ssa.Value, direct bool) {
		steps := container.Steps()
		if len(steps) == 0 || steps[len(steps)-1].Field == nil {
			return
		}
		last := steps[len(steps)-1]
		owner := flow.Path{Root: container.Root, Sel: container.Sel[:len(container.Sel)-len(last.Text)]}
		k := kind{container: last.Field}
		if direct {
			if elem = flow.Unwrap(elem); types.IsInterface(elem.Type()) {
				return
			}
			if k.elem = kubeapi.Named(elem.Type()); k.elem == nil {
				return
			}
		}
		puts[k]++
		for f, at := range e.fieldsIn(elem) {
			if at == owner && !e.aliases.assigned[f] {
				l := backLink{last.Field, f, direct}
				kinds[l] = k
				votes[l]++
			}
		}
	}
	e.eachInstr(func(in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.MapUpdate:
			see(flow.PathOf(x.Map), x.Value, false)
		case *ssa.Store:
			if v := flow.Unwrap(x.Val); isBuiltin(v, "append") {
				for _, elem := range flow.Elements(v.(*ssa.Call).Call.Args[1]) {
					see(flow.PathOf(x.Addr), elem, false)
				}
			} else if _, ok := x.Addr.(*ssa.FieldAddr); ok && !flow.IsNil(x.Val) {
				see(flow.PathOf(x.Addr), x.Val, true)
			}
		}
	})
	for l, n := range votes {
		e.links[l] = n == puts[kinds[l]]
	}
}

// fieldsIn are the fields of a new object v that are filled with places that have a name in the same function.
func (e *engine) fieldsIn(v ssa.Value) map[*types.Var]flow.Path {
	switch x := flow.Resolve(v).(type) {
	case *ssa.Alloc:
		return filled(x)
	case *ssa.Call:
		fn := flow.StaticCallee(&x.Call)
		if fn == nil || fn.Pkg != e.pkg.Package {
			return nil
		}
		out := map[*types.Var]flow.Path{}
		for f, p := range e.fieldsOf(fn, 0) {
			if q, ok := flow.Substitute(p, fn, x.Call.Args); ok {
				out[f] = q
			}
		}
		return out
	}
	return nil
}
