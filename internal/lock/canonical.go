package lock

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// canonical rewrites a path where the package's own constructors say that another one names the same place: the field
// of a new object that was filled with an argument, and the field of an element that points back to the object whose
// element it is.
func (e *engine) canonical(p flow.Path) flow.Path {
	for range 4 {
		q, ok := e.constructed(p)
		if !ok {
			q, ok = e.backPointer(p)
		}
		if !ok {
			return p
		}
		p = q
	}
	return p
}

// firstStep cuts ".field" off the front of sel.
func firstStep(sel string) (field, rest string, ok bool) {
	if sel == "" || sel[0] != '.' {
		return "", "", false
	}
	end := strings.IndexAny(sel[1:], ".[")
	if end < 0 {
		return sel[1:], "", true
	}
	return sel[1 : end+1], sel[end+1:], true
}

// constructed sees through a call of a constructor: newT(x).f is x where newT returns &T{f: x}.
func (e *engine) constructed(p flow.Path) (flow.Path, bool) {
	call, i := flow.ResultOf(p.Root)
	if call == nil {
		return p, false
	}
	field, rest, ok := firstStep(p.Sel)
	fn := flow.StaticCallee(&call.Call)
	if !ok || fn == nil || fn.Pkg != e.pkg.Package {
		return p, false
	}
	from, ok := e.fieldsOf(fn, i)[field]
	if !ok {
		return p, false
	}
	q, ok := flow.Substitute(from, fn, call.Call.Args, 0)
	return flow.Path{Root: q.Root, Sel: q.Sel + rest}, ok
}

// fieldsOf are the fields that fn fills with its parameters in the new object that it returns as result i.
func (e *engine) fieldsOf(fn *ssa.Function, i int) map[string]flow.Path {
	if i > 0 {
		return nil
	}
	if m, ok := e.constructors[fn]; ok {
		return m
	}
	m := map[string]flow.Path{}
	e.constructors[fn] = m
	var made *ssa.Alloc
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if len(ret.Results) == 0 {
			return m
		}
		if c, ok := ret.Results[0].(*ssa.Const); ok && c.IsNil() {
			continue
		}
		v, _ := flow.Returned(ret, 0)
		v = flow.Resolve(v)
		if load, ok := v.(*ssa.UnOp); ok { // a struct that is returned by value
			v = load.X
		}
		a, ok := v.(*ssa.Alloc)
		if !ok || made != nil && made != a {
			return m
		}
		made = a
	}
	if made != nil {
		filled(made, m)
	}
	return m
}

// filled adds the fields of the new object that are stored once, with a place that has a name.
func filled(made *ssa.Alloc, m map[string]flow.Path) {
	twice := map[string]bool{}
	for _, r := range *made.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		name := strings.TrimPrefix(flow.PathOf(fa).Sel, ".")
		for _, r := range *fa.Referrers() {
			st, ok := r.(*ssa.Store)
			if !ok || st.Addr != ssa.Value(fa) {
				continue
			}
			if _, ok := m[name]; ok {
				twice[name] = true
			}
			if p := flow.PathOf(st.Val); p.Known() {
				m[name] = p
			}
		}
	}
	for name := range twice {
		delete(m, name)
	}
}

// A link says that the elements of a container have a field that points to the object that has the container.
type link struct{ container, field string }

// backPointer rewrites x.items[k].owner to x where every element is put into items with that owner.
func (e *engine) backPointer(p flow.Path) (flow.Path, bool) {
	if len(e.links) == 0 || !strings.Contains(p.Sel, "]") {
		return p, false
	}
	for l := range e.links {
		start := strings.Index(p.Sel, "."+l.container+"[")
		if start < 0 {
			continue
		}
		end := strings.Index(p.Sel[start:], "]")
		rest := p.Sel[start+end+1:]
		if after, ok := strings.CutPrefix(rest, "."+l.field); ok && (after == "" || after[0] == '.' || after[0] == '[') {
			return flow.Path{Root: p.Root, Sel: p.Sel[:start] + after}, true
		}
	}
	return p, false
}

// indexLinks looks at everything that is put into containers: a link holds where all elements of a container agree, and
// where the field is written only while its object is built.
func (e *engine) indexLinks() {
	bad := map[link]bool{}
	votes := map[link]bool{}
	fields := map[string]map[string]bool{} // by container: the fields that some element points back with
	type put struct {
		container string
		back      map[string]bool
	}
	var puts []put
	see := func(container flow.Path, elem ssa.Value) {
		i := strings.LastIndex(container.Sel, ".")
		if i < 0 || strings.Contains(container.Sel[i:], "[") {
			return
		}
		owner := flow.Path{Root: container.Root, Sel: container.Sel[:i]}
		p := put{container.Sel[i+1:], map[string]bool{}}
		for name, at := range e.fieldsIn(elem) {
			if at == owner && !e.aliases.names[name] {
				p.back[name] = true
				if fields[p.container] == nil {
					fields[p.container] = map[string]bool{}
				}
				fields[p.container][name] = true
			}
		}
		puts = append(puts, p)
	}
	e.eachInstr(func(in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.MapUpdate:
			see(flow.PathOf(x.Map), x.Value)
		case *ssa.Store:
			c, ok := flow.Unwrap(x.Val).(*ssa.Call)
			if !ok {
				return
			}
			if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
				for _, elem := range flow.Elements(c.Call.Args[1]) {
					see(flow.PathOf(x.Addr), elem)
				}
			}
		}
	})
	for _, p := range puts {
		for f := range fields[p.container] {
			if l := (link{p.container, f}); p.back[f] {
				votes[l] = true
			} else {
				bad[l] = true
			}
		}
	}
	e.links = map[link]bool{}
	for l := range votes {
		if !bad[l] {
			e.links[l] = true
		}
	}
}

// fieldsIn are the fields of a new object v that are filled with places that have a name in the same function.
func (e *engine) fieldsIn(v ssa.Value) map[string]flow.Path {
	out := map[string]flow.Path{}
	switch x := flow.Resolve(v).(type) {
	case *ssa.Alloc:
		filled(x, out)
	case *ssa.Call:
		fn := flow.StaticCallee(&x.Call)
		if fn == nil || fn.Pkg != e.pkg.Package {
			return nil
		}
		for name, p := range e.fieldsOf(fn, 0) {
			if q, ok := flow.Substitute(p, fn, x.Call.Args, 0); ok {
				out[name] = q
			}
		}
	}
	return out
}
