package filter

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// handler is a handler of updates that is written by hand.
type handler struct {
	*kubeapi.Handler
	create, update *ssa.Function
	kind           types.Type // of the objects, nil where it is not known
}

// handlerOf is the handler of w, where the package has written it by hand; nil else.
func (d *dropped) handlerOf(w *watch) *kubeapi.Handler {
	if w.Handler == nil {
		return nil
	}
	if h := d.structs[kubeapi.StructAddr(w.Handler)]; h != nil {
		return h
	}
	return d.types[kubeapi.Named(flow.Unwrap(flow.Resolve(w.Handler)).Type())]
}

// handlersOf are those of all that handle updates.
func handlersOf(all []*kubeapi.Handler) []*handler {
	var out []*handler
	for _, found := range all {
		update := found.Updated.Fn()
		if update == nil || found.Predicate {
			continue
		}
		out = append(out, &handler{Handler: found, create: found.Created.Fn(), update: update, kind: handledKind(update)})
	}
	return out
}

// handlerName names update, the function of a handler for updates, for a message.
func handlerName(update *ssa.Function) string {
	if update.Parent() != nil {
		return "this update handler"
	}
	return flow.FuncName(update)
}

// by is the update function of a handler as a predicate: it drops what it does nothing about.
func (ps predicates) by(update *ssa.Function) *pred {
	return ps.known(&kubeapi.Predicate{Op: kubeapi.OpFuncs, Fns: map[string]*ssa.Function{kubeapi.EventUpdate: update}, Name: handlerName(update), Pos: update.Pos()})
}

// informed are the handlers of informers as the watches of a controller whose reconciler is not in sight.
func (d *dropped) informed(all []*kubeapi.Handler) *controller {
	c, kinds := &controller{Controller: &kubeapi.Controller{Shared: true}}, d.kindsOf(all)
	for _, h := range all {
		if update := h.Updated.Fn(); h.Informer && update != nil && rule.Wanted(d.pass, update.Pos()) {
			c.watches = append(c.watches, &watch{&kubeapi.Watch{Kind: kinds[h], Pos: h.At}, d.ps.by(update)})
		}
	}
	return c
}

// handledKind is the type of the objects that the handler or predicate fn expects.
func handledKind(fn *ssa.Function) types.Type {
	for _, p := range fn.Params {
		if !kubeapi.IsEvent(p.Type(), "") {
			continue
		}
		if n, ok := types.Unalias(p.Type()).(*types.Named); ok && n.TypeArgs().Len() > 0 {
			if t := n.TypeArgs().At(0); !types.IsInterface(t) {
				return t
			}
		}
	}
	return onlyAsserted(fn)
}

// handling are the handlers that queue the object itself as one controller, whose reconciler are the functions of the package that are no
// part of a handler; nil where there are none.
func (d *dropped) handling(all []*handler) *controller {
	c := &controller{Controller: &kubeapi.Controller{}}
	for _, h := range all {
		if h.kind != nil && queuesItself(d.ps.pkg, h.update) {
			c.Reconcile = h.update
			c.watches = append(c.watches, &watch{&kubeapi.Watch{Role: kubeapi.RoleFor, Kind: h.kind, Pos: h.update.Pos()}, d.ps.by(h.update)})
		}
	}
	if c.Reconcile == nil {
		return nil
	}
	d.needs[c.Reconcile] = d.findNeeds(d.workers(all), nil)
	return c
}

// onlyAsserted is the one concrete type that fn asserts anything to have, nil where there is none or more than one.
func onlyAsserted(fn *ssa.Function) types.Type {
	if all := kubeapi.AssertedTypes(fn); len(all) == 1 {
		return all[0]
	}
	return nil
}

// sameType compares defined types by their names, as one package may have been loaded twice.
func sameType(a, b types.Type) bool {
	m, n := kubeapi.Named(a), kubeapi.Named(b)
	if m == nil || n == nil {
		return types.Identical(a, b)
	}
	return m.Obj().Name() == n.Obj().Name() && m.Obj().Pkg() != nil && n.Obj().Pkg() != nil && m.Obj().Pkg().Path() == n.Obj().Pkg().Path()
}

// kindsOf are the kinds of the objects that the handlers are given, as far as they are known.
func (d *dropped) kindsOf(all []*kubeapi.Handler) map[*kubeapi.Handler]types.Type {
	kinds := map[*kubeapi.Handler]types.Type{}
	for call := range flow.Calls(d.ps.pkg.Funcs...) {
		if kind, handler := kubeapi.HandlerRegistration(call.Common()); kind != nil {
			for h := d.structs[kubeapi.StructAddr(handler)]; h != nil; h = h.Wrapped {
				kinds[h] = kind
			}
		}
	}
	for _, h := range all {
		for _, p := range []kubeapi.HandlerFunc{h.Updated, h.Created, h.Deleted} {
			if fn := p.Fn(); kinds[h] == nil && fn != nil {
				kinds[h] = handledKind(fn)
			}
		}
	}
	return kinds
}
