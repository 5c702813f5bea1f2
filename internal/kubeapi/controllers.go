package kubeapi

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A Controller is what one chain of calls of a builder sets up, or the Watch calls of one function.
type Controller struct {
	Fn        *ssa.Function // that sets it up
	Reconcile *ssa.Function // nil if it is not in this package
	Far       *types.Func   // the method Reconcile, where another package has it
	Watches   []*Watch
	Filters   []PredicateArg // of WithEventFilter, which all watches share that are not raw
	Shared    bool           // the builder is passed to a function, which may add to it
	Manager   ssa.Value      // that it is made for, nil if it is not known
}

// A Watch is one kind that a controller gets events of.
type Watch struct {
	Kind types.Type // nil if it is not known
	// Role is the method of the builder: For if the object itself is queued, Owns if its owner is, Watches or Watch.
	Role       string
	Handler    ssa.Value      // nil if the role says what it does
	Predicates []PredicateArg // which all have to let an event through
	Pos        token.Pos
	Metadata   bool      // only the metadata of the objects is watched
	EveryOwner bool      // of one that Owns: not only the controller of an object is queued
	Raw        bool      // the filters of the builder do not guard it
	Cache      ssa.Value // that source.Kind names; nil for that of the manager

	object ssa.Value       // of the kind
	set    *ssa.BasicBlock // where it is set up
}

// A PredicateArg is a predicate that is passed at At. Its value is nil if it is not known.
type PredicateArg struct {
	Value ssa.Value
	At    token.Pos
}

// Controllers returns what the package sets up.
func Controllers(p Package) []*Controller {
	var all []*Controller
	for _, fn := range p.All() {
		byRoot := map[ssa.Value]*Controller{}
		get := func(root ssa.Value) *Controller {
			c := byRoot[root]
			if c == nil {
				c = &Controller{Fn: fn, Manager: managerOf(root)}
				byRoot[root] = c
				all = append(all, c)
			}
			return c
		}
		for call := range flow.Calls(fn) {
			for _, a := range flow.Args(call.Common()) {
				if IsType(a.Type(), builderPackage, "Builder") || IsType(a.Type(), builderPackage, "TypedBuilder") {
					get(chainRoot(a)).Shared = true
				}
			}
			switch callee := SymbolOf(flow.Callee(call.Common())); {
			case callee.Pkg == builderPackage && (callee.Recv == "Builder" || callee.Recv == "TypedBuilder"):
				get(chainRoot(flow.Recv(call.Common()))).built(p, callee.Name, call)
			case callee.Pkg == controllerPackage && callee.Name == "Watch":
				c := get(flow.Resolve(flow.Recv(call.Common())))
				if w := watched(call); w != nil {
					c.Watches = append(c.Watches, w)
				}
			}
		}
	}
	for _, c := range all {
		if recv := flow.Decl(c.Fn).Signature.Recv(); c.Reconcile == nil && c.Far == nil && recv != nil {
			c.Reconcile = p.MethodOf(recv.Type(), ReconcileName)
		}
		if c.Reconcile == nil && c.Far == nil {
			c.Reconcile = OnlyReconcile(p)
		}
	}
	return all
}

// managerOf returns the manager that a builder or controller is made for, nil if it is not known.
func managerOf(v ssa.Value) ssa.Value {
	call, _ := flow.ResultOf(v)
	if call == nil {
		return nil
	}
	i := slices.IndexFunc(call.Call.Args, func(a ssa.Value) bool { return IsManager(a.Type()) })
	if i < 0 {
		return nil
	}
	return call.Call.Args[i]
}

// chainRoot returns where a chain of builder calls begins.
func chainRoot(v ssa.Value) ssa.Value {
	work := values.From(v)
	for v = range work.Resolved() {
		switch x := v.(type) {
		case *ssa.Call:
			if recv := flow.Recv(&x.Call); recv != nil && SymbolOf(flow.Callee(&x.Call)).Pkg == builderPackage {
				work.Add(recv)
			}
		case *ssa.Phi:
			for _, e := range x.Edges {
				if in, ok := e.(ssa.Instruction); !ok || !x.Block().Dominates(in.Block()) { // not round a loop
					work.Add(e)
					break
				}
			}
		}
	}
	return v
}

// built notes what the call of the builder's method name adds to c.
func (c *Controller) built(p Package, name string, call ssa.CallInstruction) {
	args := flow.Args(call.Common())
	if len(args) == 0 {
		return
	}
	switch name {
	case "For", "Owns", "Watches", "WatchesMetadata":
		w := &Watch{Role: name, Pos: call.Pos(), Metadata: name == "WatchesMetadata"}
		w.of(args[0], call)
		if (name == "Watches" || name == "WatchesMetadata") && len(args) > 1 {
			w.Handler = args[1]
		}
		if options := args[len(args)-1]; len(args) > 1 && !flow.IsNil(options) {
			list := flow.Elements(options)
			for _, o := range list {
				w.option(o)
			}
			if list == nil {
				w.Predicates = append(w.Predicates, PredicateArg{At: call.Pos()})
			}
		}
		c.Watches = append(c.Watches, w)
	case "WatchesRawSource":
		w := (*Watch)(nil)
		if src, ok := flow.Resolve(args[0]).(*ssa.Call); ok {
			w = source(src, call.Pos())
		}
		if w == nil {
			return
		}
		w.Raw = true
		c.Watches = append(c.Watches, w)
	case "WithEventFilter":
		c.Filters = append(c.Filters, PredicateArg{args[0], call.Pos()})
	case "Complete", "Build":
		c.Reconcile, c.Far = reconcilerOf(p, args[0])
	}
}

// option notes what an option of a watch says.
func (w *Watch) option(o ssa.Value) {
	v := flow.Unwrap(o)
	if load, ok := v.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok && g.Pkg != nil && SamePackage(g.Pkg.Pkg.Path(), builderPackage) {
			w.Metadata = w.Metadata || g.Name() == "OnlyMetadata"
			w.EveryOwner = w.EveryOwner || g.Name() == "MatchEveryOwner"
			return
		}
	}
	option := NameIn(v.Type(), builderPackage)
	if option != "" && option != "Predicates" {
		return // projections and the like
	}
	if call, ok := flow.Resolve(v).(*ssa.Call); ok && option != "" {
		w.Predicates = append(w.Predicates, listed(flow.Args(&call.Call), call.Pos())...)
		return
	}
	w.Predicates = append(w.Predicates, PredicateArg{At: w.Pos})
}

// listed returns the predicates of a variadic argument, the last one of args.
func listed(args []ssa.Value, at token.Pos) []PredicateArg {
	if len(args) == 0 {
		return nil
	}
	elements, ok := flow.Appended(args[len(args)-1])
	if !ok {
		return []PredicateArg{{At: at}}
	}
	var list []PredicateArg
	for _, e := range elements {
		list = append(list, PredicateArg{e, at})
	}
	return list
}

// Object returns the object that w is set up with, whose kind is watched; nil if it is not known.
func (w *Watch) Object() ssa.Value { return w.object }

// of notes that w, which call sets up, is of objects of the type of v: of &T{}, or of a source.Kind of it.
func (w *Watch) of(v ssa.Value, call ssa.CallInstruction) {
	w.object, w.Kind, w.set = watchedObject(v), watchedKind(v), call.Block()
}

// watchedKind returns the type of the object in whose place v stands: &T{}, or a source.Kind of it.
func watchedKind(v ssa.Value) types.Type {
	obj := watchedObject(v)
	if obj == nil || OneKind(obj.Type()) == nil {
		return nil
	}
	return obj.Type()
}

// watchedObject returns v, or the object of the source.Kind that v is; nil if that has none.
func watchedObject(v ssa.Value) ssa.Value {
	v = flow.Resolve(v)
	if alloc, ok := v.(*ssa.Alloc); ok && IsType(alloc.Type(), sourcePackage, "Kind") {
		for st, fa := range flow.FieldStores(alloc.Parent()) {
			if fa.X == v && flow.Field(fa.X.Type(), fa.Field).Name() == "Type" {
				return watchedObject(st.Val)
			}
		}
		return nil
	}
	return v
}

// watched returns the call of Controller.Watch(source, handler, predicates...), or since 0.19
// Watch(source.Kind(cache, object, handler, predicates...)); nil for other sources.
func watched(call ssa.CallInstruction) *Watch {
	args := flow.Args(call.Common())
	if len(args) == 0 {
		return nil
	}
	w := &Watch{Role: RoleWatch, Pos: call.Pos()}
	src := flow.Resolve(args[0])
	if c, ok := src.(*ssa.Call); ok {
		if w = source(c, call.Pos()); w == nil {
			return nil
		}
		w.set = call.Block()
	} else {
		w.of(src, call)
	}
	if len(args) >= 2 {
		w.Role, w.Handler = role(args[1]), args[1]
	}
	if len(args) >= 3 {
		w.Predicates = listed(args, call.Pos())
	}
	return w
}

// source returns the kind of source.Kind(cache, object), since 0.19 with a handler and predicates.
func source(c *ssa.Call, at token.Pos) *Watch {
	callee := SymbolOf(flow.Callee(&c.Call))
	args := flow.Args(&c.Call)
	if callee.Pkg != sourcePackage || callee.Name != "Kind" && callee.Name != "TypedKind" || len(args) < 2 {
		return nil
	}
	w := &Watch{Role: RoleWatch, Pos: at, Cache: args[0]}
	w.of(args[1], c)
	if len(args) >= 4 {
		w.Predicates, w.Role, w.Handler = listed(args, at), role(args[2]), args[2]
	}
	return w
}

// role returns the role of a watch with handler h: For if it queues the object itself, Owns if it queues the owner,
// or Watch.
func role(h ssa.Value) string {
	h = flow.Resolve(h)
	if call, ok := h.(*ssa.Call); ok {
		if callee := SymbolOf(flow.Callee(&call.Call)); callee.Pkg == HandlerPkg && strings.HasSuffix(callee.Name, "EnqueueRequestForOwner") {
			return "Owns"
		}
		return "Watch"
	}
	t := h.Type()
	if load, ok := h.(*ssa.UnOp); ok {
		t = load.X.Type()
	}
	if st, ok := flow.Pointee(t).Underlying().(*types.Struct); ok && st.NumFields() > 0 && st.Field(0).Embedded() && roleOf(t) == "" {
		t = st.Field(0).Type() // which counts the events, or the like, besides
	}
	return cmp.Or(roleOf(t), "Watch")
}

// QueuesOwner reports whether w queues the owner of an object.
func (w *Watch) QueuesOwner() bool {
	return w.Role == RoleOwns || w.Handler != nil && role(w.Handler) == "Owns"
}

func roleOf(handler types.Type) string {
	switch {
	case IsType(handler, HandlerPkg, "EnqueueRequestForObject"), IsType(handler, HandlerPkg, "TypedEnqueueRequestForObject"):
		return "For"
	case IsType(handler, HandlerPkg, "EnqueueRequestForOwner"):
		return "Owns"
	}
	return ""
}

// OnlyReconcile returns the method Reconcile of the only reconciler of the package, nil if there are none or several.
func OnlyReconcile(p Package) *ssa.Function {
	var only *ssa.Function
	for _, fn := range p.All() {
		if !IsReconcile(flow.Object(fn)) {
			continue
		}
		if only != nil {
			return nil
		}
		only = fn
	}
	return only
}

// reconcilerOf returns the Reconcile method of what v holds, if through an adapter of another package; far is that of
// a type of another package.
func reconcilerOf(p Package, v ssa.Value) (fn *ssa.Function, far *types.Func) {
	work := values.From(v)
	for v := range work.Resolved() {
		if fn := p.MethodOf(v.Type(), ReconcileName); fn != nil {
			return fn, nil
		}
		if call, ok := v.(*ssa.Call); ok {
			work.Add(flow.Args(&call.Call)...)
		} else if fn := p.Own(flow.FuncValue(v)); fn != nil {
			return fn, nil
		}
	}
	if n := Named(flow.Resolve(v).Type()); n != nil && !types.IsInterface(n) {
		if m := ReconcileOf(n); IsReconcile(m) {
			far = m.Origin()
		}
	}
	return nil, far
}
