package lock

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// aliases are the operations of the package by which a lock may be released through an alias, or an access path may
// come to name another lock.
type aliases struct {
	classes  map[Class]bool      // locks whose address or whose Unlock is kept as a value
	paths    map[flow.Path]bool  // the same, for locks without a class
	assigned map[*types.Var]bool // fields that are stored to other than while a new object is built
	names    map[string]bool     // their names
}

func (e *engine) indexAliases() *aliases {
	a := &aliases{
		classes: map[Class]bool{}, paths: map[flow.Path]bool{},
		assigned: map[*types.Var]bool{}, names: map[string]bool{},
	}
	e.eachInstr(func(in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.MakeClosure: // mu.Unlock as a value
			if obj := flow.Object(x.Fn.(*ssa.Function)); obj != nil && len(x.Bindings) == 1 && obj.Pkg() != nil &&
				lockPackages[kubeapi.Path(obj.Pkg().Path())] {
				if m, ok := methods[obj.Name()]; ok && m.action == release {
					a.add(x.Bindings[0])
				}
			}
		case *ssa.Store:
			fa, field := x.Addr.(*ssa.FieldAddr)
			if field {
				if _, fresh := flow.PathOf(fa.X).Root.(*ssa.Alloc); !fresh {
					if f := flow.Field(fa.X.Type(), fa.Field); f != nil {
						a.assigned[f.Origin()], a.names[f.Name()] = true, true
					}
				}
			}
			_, local := x.Addr.(*ssa.Alloc)
			if !local && isLock(x.Val) && !(field && kubeapi.IsType(fa.X.Type(), "sync", "Cond")) {
				a.add(x.Val)
			}
		}
	})
	return a
}

// isLock reports whether v is the address of a mutex that lies in another object.
func isLock(v ssa.Value) bool {
	v = flow.Resolve(v)
	if _, ok := v.(*ssa.FieldAddr); !ok {
		if _, ok := v.(*ssa.Global); !ok {
			return false
		}
	}
	n := kubeapi.Named(v.Type())
	return n != nil && n.Obj().Pkg() != nil && lockPackages[kubeapi.Path(n.Obj().Pkg().Path())] &&
		(n.Obj().Name() == "Mutex" || n.Obj().Name() == "RWMutex")
}

func (a *aliases) add(lock ssa.Value) {
	if c := classOf(lock); c != "" {
		a.classes[c] = true
	} else if p := flow.PathOf(lock); p.Known() {
		a.paths[p] = true
	}
}

// hidden reports whether the lock may be released by code that the analysis does not see.
func (a *aliases) hidden(o op) bool { return a.classes[o.class.Inner()] || a.paths[o.lock] }

// staleAfterCall marks the holds whose paths a call can have moved: those through a variable that is written more than
// once, or through a field that the package assigns.
func (e *engine) staleAfterCall(s *state) {
	copied := false // events that were recorded keep what was held then
	for i, h := range s.held {
		if !h.Stale && e.aliases.movable(h.Path) {
			if !copied {
				s.held, copied = slices.Clone(s.held), true
			}
			s.held[i].Stale = true
		}
	}
}

func (a *aliases) movable(p flow.Path) bool {
	if alloc, ok := p.Root.(*ssa.Alloc); ok {
		if _, ptr := alloc.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Pointer); ptr {
			return true
		}
	}
	steps := p.Steps()
	// the last one is the lock itself
	return len(steps) > 1 && slices.ContainsFunc(steps[:len(steps)-1], func(s flow.Step) bool {
		if s.Field != nil {
			return a.assigned[s.Field]
		}
		// Where the types do not say which field a step is, or it is an index, match by name: any assigned field of
		// that name may alias it.
		names := strings.FieldsFunc(s.Text, func(r rune) bool { return strings.ContainsRune(".[]", r) })
		return slices.ContainsFunc(names, func(name string) bool { return a.names[name] })
	})
}
