package eventfilter

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

const (
	builderPackage = kube.ControllerRuntime + "/pkg/builder"
	sourcePackage  = kube.ControllerRuntime + "/pkg/source"
	ctrlController = kube.ControllerRuntime + "/pkg/controller"
)

// watch is one kind that a controller gets events of, and the predicates that all have to let an event through.
type watch struct {
	kind types.Type // nil where it is not known
	role string     // the method that set it up: For, Owns, Watches or Watch
	pred *pred
	own  []*pred // of this watch alone
	pos  token.Pos
	// metadata: only the metadata of the objects is watched.
	metadata bool
	raw      bool // the filters of the builder do not guard it
}

// controller is what one chain of calls of a builder sets up, or the Watch calls of one function.
type controller struct {
	fn        *ssa.Function
	watches   []*watch
	reconcile *ssa.Function // nil where it is not in this package
	// filters are the predicates of WithEventFilter, which all watches share.
	filters []*pred
}

// controllers are what the package sets up.
func (ps predicates) controllers() []*controller {
	var all []*controller
	for _, fn := range ps.pkg.Funcs {
		byRoot := map[ssa.Value]*controller{}
		get := func(root ssa.Value) *controller {
			c := byRoot[root]
			if c == nil {
				c = &controller{fn: fn}
				byRoot[root] = c
				all = append(all, c)
			}
			return c
		}
		flow.Calls(fn, func(call ssa.CallInstruction) {
			callee := flow.Callee(call.Common())
			if callee == nil || callee.Pkg() == nil {
				return
			}
			switch {
			case kube.SamePackage(callee.Pkg().Path(), builderPackage) && (kube.RecvName(callee) == "Builder" || kube.RecvName(callee) == "TypedBuilder"):
				ps.built(get(chainRoot(flow.Recv(call.Common()), 0)), callee.Name(), call)
			case callee.Name() == "Watch" && kube.SamePackage(callee.Pkg().Path(), ctrlController):
				if w := ps.watched(call); w != nil {
					c := get(flow.Resolve(flow.Recv(call.Common())))
					c.watches = append(c.watches, w)
				}
			}
		})
	}
	for _, c := range all {
		if c.reconcile == nil {
			c.reconcile = ps.ownReconcile(c.fn)
		}
		if c.reconcile == nil {
			c.reconcile = ps.onlyReconcile()
		}
		for _, w := range c.watches {
			list := append([]*pred{}, w.own...)
			if !w.raw {
				list = append(list, c.filters...)
			}
			w.pred = &pred{op: opAnd, list: list, pos: w.pos}
		}
	}
	return all
}

// chainRoot is where a chain of builder calls begins.
func chainRoot(v ssa.Value, depth int) ssa.Value {
	v = flow.Resolve(v)
	if depth > 64 {
		return v
	}
	switch x := v.(type) {
	case *ssa.Call:
		callee := flow.Callee(&x.Call)
		if recv := flow.Recv(&x.Call); recv != nil && callee != nil && callee.Pkg() != nil && kube.SamePackage(callee.Pkg().Path(), builderPackage) {
			return chainRoot(recv, depth+1)
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			if in, ok := e.(ssa.Instruction); ok && x.Block().Dominates(in.Block()) {
				continue // round a loop
			}
			return chainRoot(e, depth+1)
		}
	}
	return v
}

// built notes what the call of the builder's method name adds to c.
func (ps predicates) built(c *controller, name string, call ssa.CallInstruction) {
	args := flow.Args(call.Common())
	switch name {
	case "For", "Owns", "Watches", "WatchesMetadata":
		w := &watch{role: name, pos: call.Pos(), metadata: name == "WatchesMetadata"}
		if len(args) == 0 {
			return
		}
		w.kind = watchedKind(args[0])
		if len(args) > 1 {
			options := args[len(args)-1]
			if list := flow.Elements(options); list != nil {
				for _, o := range list {
					ps.option(w, o)
				}
			} else if k, ok := options.(*ssa.Const); !ok || k.Value != nil {
				w.own = append(w.own, &pred{op: opUnknown, pos: call.Pos()})
			}
		}
		c.watches = append(c.watches, w)
	case "WatchesRawSource":
		if src, ok := flow.Resolve(args[0]).(*ssa.Call); ok {
			if w := ps.source(src, call.Pos()); w != nil {
				w.raw = true
				c.watches = append(c.watches, w)
			}
		}
	case "WithEventFilter":
		c.filters = append(c.filters, ps.of(args[0], call.Pos(), 0))
	case "Complete", "Build":
		c.reconcile = ps.reconcilerOf(args[0], 0)
	}
}

// option notes the predicates that an option of a watch holds.
func (ps predicates) option(w *watch, o ssa.Value) {
	v := flow.Unwrap(o)
	if load, ok := v.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok && g.Pkg != nil && kube.SamePackage(g.Pkg.Pkg.Path(), builderPackage) {
			w.metadata = true // builder.OnlyMetadata
			return
		}
	}
	if kube.IsType(v.Type(), builderPackage, "Predicates") {
		if call, ok := flow.Resolve(v).(*ssa.Call); ok {
			w.own = append(w.own, ps.list(flow.Args(&call.Call), call.Pos())...)
			return
		}
	}
	if n := kube.Named(v.Type()); n != nil && n.Obj().Pkg() != nil && kube.SamePackage(n.Obj().Pkg().Path(), builderPackage) && n.Obj().Name() != "Predicates" {
		return // projections and the like
	}
	w.own = append(w.own, &pred{op: opUnknown, pos: w.pos})
}

// list are the predicates of a variadic argument, the last one of args.
func (ps predicates) list(args []ssa.Value, at token.Pos) []*pred {
	if len(args) == 0 {
		return nil
	}
	elements, ok := elementsOf(args[len(args)-1], 0)
	if !ok {
		return []*pred{{op: opUnknown, pos: at}}
	}
	var list []*pred
	for _, e := range elements {
		list = append(list, ps.of(e, at, 0))
	}
	return list
}

// elementsOf are the values that the slice v surely holds, where it was built up by appending in this function.
func elementsOf(v ssa.Value, depth int) (list []ssa.Value, ok bool) {
	if depth > 8 {
		return nil, false
	}
	switch x := v.(type) {
	case *ssa.Const:
		return nil, x.Value == nil
	case *ssa.Slice:
		list = flow.Elements(x)
		return list, list != nil
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(x.Call.Args) != 2 {
			return nil, false
		}
		first, ok := elementsOf(x.Call.Args[0], depth+1)
		if !ok {
			return nil, false
		}
		second, ok := elementsOf(x.Call.Args[1], depth+1)
		return append(first[:len(first):len(first)], second...), ok
	case *ssa.Phi: // what all ways have in common
		for i, e := range x.Edges {
			other, ok := elementsOf(e, depth+1)
			if !ok {
				return nil, false
			}
			if i == 0 {
				list = slices.Clone(other)
				continue
			}
			list = slices.DeleteFunc(list, func(v ssa.Value) bool { return !slices.Contains(other, v) })
		}
		return list, true
	}
	return nil, false
}

// watchedKind is the type of the object in whose place v stands: &T{}, or a source.Kind of it.
func watchedKind(v ssa.Value) types.Type {
	v = flow.Resolve(v)
	if alloc, ok := v.(*ssa.Alloc); ok && kube.IsType(alloc.Type(), sourcePackage, "Kind") {
		for _, r := range *alloc.Referrers() {
			if fa, ok := r.(*ssa.FieldAddr); ok && flow.Field(fa.X.Type(), fa.Field).Name() == "Type" {
				for _, r := range *fa.Referrers() {
					if st, ok := r.(*ssa.Store); ok {
						return watchedKind(st.Val)
					}
				}
			}
		}
		return nil
	}
	if _, iface := v.Type().Underlying().(*types.Interface); iface {
		return nil
	}
	n := kube.Named(v.Type())
	if n == nil || n.Obj().Pkg() == nil {
		return nil
	}
	switch n.Obj().Name() {
	case "Unstructured", "PartialObjectMetadata":
		return nil
	}
	return v.Type()
}

// watched is the kind and the predicates of a call of Controller.Watch(source, handler, predicates...), or since 0.19
// Watch(source.Kind(cache, object, handler, predicates...)).
func (ps predicates) watched(call ssa.CallInstruction) *watch {
	args := flow.Args(call.Common())
	if len(args) == 0 {
		return nil
	}
	w := &watch{role: "Watch", pos: call.Pos()}
	src := flow.Resolve(args[0])
	if c, ok := src.(*ssa.Call); ok {
		if w = ps.source(c, call.Pos()); w == nil {
			return nil
		}
	} else {
		w.kind = watchedKind(src)
	}
	if len(args) >= 2 {
		w.role = role(args[1])
	}
	if len(args) >= 3 {
		w.own = ps.list(args, call.Pos())
	}
	return w
}

// source is the kind of source.Kind(cache, object), since 0.19 with a handler and predicates.
func (ps predicates) source(c *ssa.Call, at token.Pos) *watch {
	callee := flow.Callee(&c.Call)
	if callee == nil || callee.Pkg() == nil || !kube.SamePackage(callee.Pkg().Path(), sourcePackage) || callee.Name() != "Kind" && callee.Name() != "TypedKind" {
		return nil
	}
	args := flow.Args(&c.Call)
	if len(args) < 2 {
		return nil
	}
	w := &watch{role: "Watch", pos: at, kind: watchedKind(args[1])}
	if len(args) >= 4 {
		w.own, w.role = ps.list(args, at), role(args[2])
	}
	return w
}

// role is the builder's name for a watch with handler h: For, where it queues the object itself, Owns, where it queues
// the owner, and Watch else.
func role(h ssa.Value) string {
	h = flow.Resolve(h)
	t := h.Type()
	if load, ok := h.(*ssa.UnOp); ok {
		t = load.X.Type()
	}
	if call, ok := h.(*ssa.Call); ok {
		callee := flow.Callee(&call.Call)
		if callee != nil && callee.Pkg() != nil && kube.SamePackage(callee.Pkg().Path(), kube.Handler) && strings.HasSuffix(callee.Name(), "EnqueueRequestForOwner") {
			return "Owns"
		}
		return "Watch"
	}
	switch {
	case kube.IsType(t, kube.Handler, "EnqueueRequestForObject"), kube.IsType(t, kube.Handler, "TypedEnqueueRequestForObject"):
		return "For"
	case kube.IsType(t, kube.Handler, "EnqueueRequestForOwner"):
		return "Owns"
	}
	return "Watch"
}

// onlyReconcile is the method Reconcile of the only type of the package that has one with a result to call again.
func (ps predicates) onlyReconcile() *ssa.Function {
	var only *ssa.Function
	for _, fn := range ps.pkg.Funcs {
		if !kube.IsReconcile(flow.Object(fn)) {
			continue
		}
		if only != nil {
			return nil
		}
		only = fn
	}
	return only
}

// reconcilerOf is the Reconcile method of what v holds, also where an adapter of another package wraps it.
func (ps predicates) reconcilerOf(v ssa.Value, depth int) *ssa.Function {
	v = flow.Resolve(v)
	if call, ok := v.(*ssa.Call); ok && depth < 3 {
		if fn := ps.method(v.Type(), "Reconcile"); fn != nil {
			return fn
		}
		for _, a := range flow.Args(&call.Call) {
			if fn := ps.reconcilerOf(a, depth+1); fn != nil {
				return fn
			}
		}
		return nil
	}
	if fn := flow.FuncValue(v); fn != nil && fn.Pkg == ps.pkg.Package {
		if fn.Parent() == nil && fn.Synthetic != "" {
			if obj := flow.Object(fn); obj != nil {
				if m := fn.Prog.FuncValue(obj); m != nil {
					fn = m
				}
			}
		}
		return fn
	}
	return ps.method(v.Type(), "Reconcile")
}

// ownReconcile is the Reconcile method of the receiver of fn, nil where there is none.
func (ps predicates) ownReconcile(fn *ssa.Function) *ssa.Function {
	recv := flow.Decl(fn).Signature.Recv()
	if recv == nil {
		return nil
	}
	return ps.method(recv.Type(), "Reconcile")
}

// method is the method name of t, where it is declared in this package.
func (ps predicates) method(t types.Type, name string) *ssa.Function {
	n := kube.Named(t)
	if n == nil {
		return nil
	}
	if _, iface := n.Underlying().(*types.Interface); iface {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, ps.pkg.Pkg, name)
	m, ok := obj.(*types.Func)
	if !ok || m.Pkg() != ps.pkg.Pkg {
		return nil
	}
	fn := ps.pkg.Prog.FuncValue(m.Origin())
	if fn == nil || len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}
