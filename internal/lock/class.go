// Package lock computes lock sets: which locks are held at each program point.
//
// A lock has two identities. Its access path (flow.Path) is for must-alias within a function and, with actual arguments
// substituted, across calls. Its [Class], the owner's type and the field, is for may-alias. Every function is summarised
// once, bottom-up over the call graph ([Summary]); summaries cross packages as facts.
package lock

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Class is a kind of lock: "pkg/path.Type.field", "pkg/path.var"; "" where it has no name that another function could
// use, as for a local variable. Where the type that has the field lies by value in a field of another object, and that
// is known, "@pkg/path.Outer.field" follows: a type that wraps a mutex and is embedded in many others is many kinds of
// lock.
type Class string

// Inner is the class without the object around it.
func (c Class) Inner() Class {
	inner, _, _ := strings.Cut(string(c), "@")
	return Class(inner)
}

// owner is the type that has the field, "" for a variable.
func (c Class) owner() string {
	s := string(c.Inner())
	i := strings.LastIndexByte(s, '/') + 1
	parts := strings.Split(s[i:], ".")
	if len(parts) < 3 {
		return ""
	}
	return s[:i] + parts[0] + "." + parts[1]
}

// same reports whether c and o may be one kind of lock: the objects around them are one, or are not known.
func (c Class) same(o Class) bool {
	ci, co, _ := strings.Cut(string(c), "@")
	oi, oo, _ := strings.Cut(string(o), "@")
	return ci == oi && (co == oo || co == "" || oo == "")
}

// several reports whether the structs and variables of the package have room for more than one object of the type that
// has the lock c.
func (e *engine) several(c Class) bool {
	owner := c.owner()
	if owner == "" {
		return false
	}
	if e.rooms == nil {
		e.rooms = map[string]int{}
		room := func(t types.Type) {
			if n := kubeapi.Named(t); n != nil && n.Obj().Pkg() != nil {
				e.rooms[kubeapi.Path(n.Obj().Pkg().Path())+"."+n.Obj().Name()]++
			}
		}
		scope := e.pass.Pkg.Scope()
		for _, name := range scope.Names() {
			switch obj := scope.Lookup(name).(type) {
			case *types.Var:
				room(obj.Type())
			case *types.TypeName:
				if st, ok := obj.Type().Underlying().(*types.Struct); ok && !obj.IsAlias() {
					for f := range st.Fields() {
						room(f.Type())
					}
				}
			}
		}
	}
	return e.rooms[owner] > 1
}

// within is c in an object that lies at addr.
func (c Class) within(addr ssa.Value) Class {
	switch addr.(type) {
	case *ssa.FieldAddr, *ssa.Global:
	default:
		return c
	}
	if c == "" || strings.Contains(string(c), "@") {
		return c
	}
	if outer := classOf(addr); outer != "" && !strings.HasPrefix(string(c), string(outer)+".") {
		return c + "@" + outer
	}
	return c
}

// lockClass is the class of the lock at v.
func lockClass(v ssa.Value) Class {
	c := classOf(v)
	if fa, ok := flow.Resolve(v).(*ssa.FieldAddr); ok {
		return c.within(fa.X)
	}
	return c
}

// classOf is the class of the lock (or channel, or wait group) at v.
func classOf(v ssa.Value) Class {
	sel := ""
	var loads []ssa.Value // a variable that is set to what it points to would come back
	for {
		v = flow.Resolve(v)
		var t types.Type
		var i int
		switch x := v.(type) {
		case *ssa.FieldAddr:
			t, i, v = x.X.Type(), x.Field, x.X
		case *ssa.Field:
			t, i, v = x.X.Type(), x.Field, x.X
		case *ssa.Global:
			if x.Pkg != nil {
				return Class(kubeapi.Path(x.Pkg.Pkg.Path()) + "." + x.Name() + sel)
			}
			return ""
		case *ssa.UnOp:
			if slices.Contains(loads, v) {
				return ""
			}
			loads, v = append(loads, v), x.X
			continue
		default:
			return ""
		}
		f := flow.Field(t, i)
		if f == nil {
			return ""
		}
		sel = "." + f.Name() + sel
		// A field of a struct without a name, or of a condition variable, is known by the object that has it.
		if n := kubeapi.Named(t); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != "sync" {
			return Class(kubeapi.Path(n.Obj().Pkg().Path()) + "." + n.Obj().Name() + sel)
		}
	}
}
