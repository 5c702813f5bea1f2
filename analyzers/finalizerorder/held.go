package finalizerorder

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// What a reconciler works on is often handed on in a struct that is made for that: the object, its owners, a client and a logger. An object that
// is a field of it is the one that was put there.

// held is p, or where what is at p comes from: p leads through a field of a struct that its function makes, or a constructor gives it, and that is set
// once.
func held(p flow.Path) flow.Path { return heldBy(p, map[madeKey]bool{}) }

func heldBy(p flow.Path, asked map[madeKey]bool) flow.Path {
	for {
		name, rest := firstField(p.Sel)
		if name == "" {
			return p
		}
		var from flow.Path
		if v := setOnce(p.Root, name); v != nil {
			from = flow.PathOf(v)
		} else if call, i := flow.ResultOf(p.Root); call != nil {
			if callee := flow.StaticCallee(&call.Call); callee != nil && callee.Blocks != nil {
				if in, ok := made(madeKey{callee, i, name}, asked); ok {
					from, _ = flow.Substitute(in, callee, call.Call.Args)
				}
			}
		}
		if !from.Known() || from.Root == p.Root {
			return p
		}
		p = flow.Path{Root: from.Root, Sel: from.Sel + rest}
	}
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
	for _, r := range *alloc.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == ssa.Value(alloc) {
				return nil // all of it is set
			}
		case *ssa.FieldAddr:
			if flow.Field(r.X.Type(), r.Field).Name() != field {
				continue
			}
			for _, u := range *r.Referrers() {
				if st, ok := u.(*ssa.Store); ok && st.Addr == ssa.Value(r) {
					if only != nil {
						return nil
					}
					only = st.Val
				}
			}
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
// that is not one of them, or a part of it. What is in asked is being asked for.
func made(k madeKey, asked map[madeKey]bool) (from flow.Path, ok bool) {
	if asked[k] {
		return flow.Path{}, false
	}
	asked[k] = true
	defer delete(asked, k)
	for ret := range flow.Returns(k.fn) {
		v, sure := flow.Returned(ret, k.i)
		if !sure {
			return flow.Path{}, false
		}
		if flow.IsNil(v) {
			continue
		}
		p := flow.PathOf(v)
		p = heldBy(flow.Path{Root: p.Root, Sel: p.Sel + "." + k.field}, asked)
		if param, is := p.Root.(*ssa.Parameter); !is || param.Parent() != k.fn || ok && from != p {
			return flow.Path{}, false
		}
		from, ok = p, true
	}
	return from, ok
}
