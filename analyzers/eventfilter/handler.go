package eventfilter

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// eventHandler is a handler of events that is written by hand: of controller-runtime or of client-go.
type eventHandler struct {
	create, update *ssa.Function
	kind           types.Type // of the objects, nil where it is not known
	name           string
	// informer: it is given objects, not events.
	informer bool
}

// eventHandlers are those of the package: methods Create and Update with events, OnAdd and OnUpdate, and the functions of
// handler.Funcs and cache.ResourceEventHandlerFuncs.
func (ps predicates) eventHandlers() []*eventHandler {
	var all []*eventHandler
	byOwner := map[ssa.Value]*eventHandler{}
	for _, fn := range ps.all() {
		for st, fa := range flow.FieldStores(fn) {
			f := flow.Field(fa.X.Type(), fa.Field)
			informer := kube.IsType(fa.X.Type(), kube.Cache, "ResourceEventHandlerFuncs") || kube.IsType(fa.X.Type(), kube.Cache, "ResourceEventHandlerDetailedFuncs")
			if f == nil || !informer && !kube.IsType(fa.X.Type(), kube.Handler, "Funcs") && !kube.IsType(fa.X.Type(), kube.Handler, "TypedFuncs") {
				continue
			}
			fns := functions(st.Val, ps.pkg, 0)
			if len(fns) != 1 || len(fns[0].Blocks) == 0 {
				continue
			}
			h := byOwner[fa.X]
			if h == nil {
				h = &eventHandler{informer: informer}
				byOwner[fa.X] = h
				all = append(all, h)
			}
			switch f.Name() {
			case "AddFunc", "CreateFunc":
				h.create = fns[0]
			case "UpdateFunc":
				h.update = fns[0]
			}
		}
	}
	byType := map[*types.Named]*eventHandler{}
	for _, fn := range ps.pkg.Funcs {
		recv := fn.Signature.Recv()
		if recv == nil || fn.Signature.Results().Len() != 0 {
			continue
		}
		n := kube.Named(recv.Type())
		if n == nil {
			continue
		}
		var create, informer bool
		switch fn.Name() {
		case "Create", "Update":
			events := 0
			for i := range fn.Signature.Params().Len() {
				if kube.IsEvent(fn.Signature.Params().At(i).Type(), fn.Name()) {
					events++
				}
			}
			if events != 1 {
				continue
			}
			create = fn.Name() == "Create"
		case "OnAdd", "OnUpdate":
			if !isHandlerType(recv.Type()) {
				continue
			}
			create, informer = fn.Name() == "OnAdd", true
		default:
			continue
		}
		h := byType[n]
		if h == nil {
			h = &eventHandler{informer: informer}
			byType[n] = h
			all = append(all, h)
		}
		if create {
			h.create = fn
		} else {
			h.update = fn
		}
	}
	var with []*eventHandler
	for _, h := range all {
		if h.update == nil {
			continue
		}
		h.name = flow.FuncName(h.update)
		if h.update.Parent() != nil {
			h.name = "this update handler"
		}
		h.kind = handledKind(h.update)
		with = append(with, h)
	}
	return with
}

// handledKind is the type of the objects that the handler or predicate fn expects.
func handledKind(fn *ssa.Function) types.Type {
	for _, p := range fn.Params {
		if !kube.IsEvent(p.Type(), "") {
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

// handlers reports handlers that drop the update that sets the deletion timestamp of an object that they put into the
// queue themselves, and for which the package removes a finalizer.
func (d *droppedEvents) handlers(all []*eventHandler) {
	for _, h := range all {
		if h.kind == nil || !rule.Wanted(d.pass, h.update.Pos()) {
			continue
		}
		ch := deletionChange(hasGeneration(h.kind) != no)
		ch.kind = h.kind
		d.neverReady(h)
		d.unseen(all, h)
		if !judge(h.update, inputs(h.update), ch).drops() || judge(h.update, inputs(h.update), anyChange(true)).drops() {
			continue
		}
		if other := d.otherHandler(all, h, ch); other || !queuesItself(h.update, 0) {
			continue
		}
		at := d.finalizers.removed(d.ps.pkg.Funcs, h.kind)
		if at == nil {
			continue
		}
		d.report(rule.Finding{Pos: h.update.Pos(), Sub: "deletion", Message: fmt.Sprintf(
			"%s drops the update that sets the deletion timestamp of %s, but %s waits for it to remove the finalizer (line %d): the object is never deleted",
			h.name, kindOf(h.kind), flow.FuncName(at.Parent()), rule.Line(d.pass, at.Pos())),
			Related: []analysis.RelatedInformation{{Pos: at.Pos(), Message: "the finalizer is removed here"}}})
	}
}

// unseen reports the handler h, which queues its object itself, where it drops the changes of annotations and labels
// that the package reads.
func (d *droppedEvents) unseen(all []*eventHandler, h *eventHandler) {
	if !queuesItself(h.update, 0) || judge(h.update, inputs(h.update), anyChange(true)).drops() {
		return
	}
	for _, rd := range d.reads.needs(d.workers(all), h.kind) {
		ch, what := d.wanted(rd)
		ch.kind = h.kind
		if what == "" || !judge(h.update, inputs(h.update), ch).drops() || d.otherHandler(all, h, ch) {
			continue
		}
		d.report(d.unseenFinding(h.update.Pos(), h.name, h.kind, what, rd))
		return
	}
}

// workers are the functions of the package that are no part of a handler.
func (d *droppedEvents) workers(all []*eventHandler) []*ssa.Function {
	if d.work != nil {
		return d.work
	}
	own := map[*ssa.Function]bool{}
	for _, o := range all {
		for _, fn := range []*ssa.Function{o.update, o.create} {
			if fn != nil && !own[fn] {
				for _, f := range region(d.ps.pkg, fn) {
					own[f] = true
				}
			}
		}
	}
	for _, fn := range d.ps.pkg.Funcs {
		if !own[fn] && rule.Wanted(d.pass, fn.Pos()) {
			d.work = append(d.work, fn)
		}
	}
	return d.work
}

// otherHandler reports whether another handler of the same kind may act on ch.
func (d *droppedEvents) otherHandler(all []*eventHandler, h *eventHandler, ch change) bool {
	for _, o := range all {
		if o != h && o.kind != nil && sameType(o.kind, h.kind) && !judge(o.update, inputs(o.update), ch).drops() && queuesItself(o.update, 0) {
			return true
		}
	}
	return false
}

// queuesItself reports whether fn puts the name of the object that it is given into a queue, not that of another one.
func queuesItself(fn *ssa.Function, depth int) bool {
	found := false
	flow.Calls(fn, func(c ssa.CallInstruction) {
		callee := flow.Callee(c.Common())
		if found || kube.Logs(callee) {
			return
		}
		if callee != nil && callee.Name() == "GetControllerOf" {
			return
		}
		if callee != nil && (callee.Name() == "Add" || callee.Name() == "AddAfter" || callee.Name() == "AddRateLimited") {
			for _, a := range flow.Args(c.Common()) {
				found = found || namesObject(a, map[ssa.Value]bool{})
			}
			return
		}
		if static := flow.StaticCallee(c.Common()); static != nil && static.Pkg == fn.Pkg && depth < 3 && len(static.Blocks) > 0 {
			for i, a := range flow.AllArgs(c.Common()) {
				if i < len(static.Params) && mayBeObject(a.Type()) && derivesFromParam(a) {
					found = found || queuesItself(static, depth+1)
				}
			}
		}
	})
	return found
}

// derivesFromParam reports whether v is an object that the function was given, or a version in its event.
func derivesFromParam(v ssa.Value) bool {
	for range 16 {
		v = flow.Resolve(v)
		switch x := v.(type) {
		case *ssa.Parameter:
			return true
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Alloc:
			s := storedOnce(x)
			if s == nil {
				return false
			}
			v = s
		default:
			return false
		}
	}
	return false
}

// namesObject reports whether v is made from the name of an object that its function was given.
func namesObject(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || len(seen) > 200 {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return kube.MetadataField(x) == "Name" && derivesFromParam(kube.MetadataOwner(x.X))
	case *ssa.Call:
		callee := flow.Callee(&x.Call)
		if callee == nil {
			return false
		}
		args := flow.AllArgs(&x.Call)
		switch {
		case callee.Name() == "GetName" && len(args) == 1:
			return derivesFromParam(kube.MetadataOwner(args[0]))
		case callee.Name() == "ObjectKeyFromObject", sigKey(callee.Name()), callee.Name() == "KeyFunc":
			return len(args) > 0 && derivesFromParam(args[len(args)-1])
		}
	case *ssa.Alloc:
		for _, r := range *x.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr == v && namesObject(r.Val, seen) {
					return true
				}
			case *ssa.FieldAddr:
				for _, r := range *r.Referrers() {
					switch r := r.(type) {
					case *ssa.Store:
						if namesObject(r.Val, seen) {
							return true
						}
					case *ssa.FieldAddr: // a struct in a struct
						for _, r := range *r.Referrers() {
							if st, ok := r.(*ssa.Store); ok && namesObject(st.Val, seen) {
								return true
							}
						}
					}
				}
			}
		}
		return false
	}
	in, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, op := range in.Operands(nil) {
		if *op != nil && namesObject(*op, seen) {
			return true
		}
	}
	return false
}

// neverReady reports a handler whose Create turns objects away because of their status, while its Update drops the
// update that changes the status.
func (d *droppedEvents) neverReady(h *eventHandler) {
	if h.create == nil {
		return
	}
	ch := statusChange()
	ch.kind = h.kind
	if !judge(h.update, inputs(h.update), ch).drops() || judge(h.update, inputs(h.update), anyChange(true)).drops() {
		return
	}
	if v := judge(h.create, inputs(h.create), anyChange(true)); !v.pass || !v.drop {
		return
	}
	at := statusTest(h.create, h.kind, 0)
	if !at.IsValid() {
		return
	}
	d.report(rule.Finding{Pos: h.update.Pos(), Sub: "metadata", Message: fmt.Sprintf(
		"%s drops updates of %s that change only the status, but %s turns objects away by their status at line %d: one that becomes ready later is never seen",
		h.name, kindOf(h.kind), flow.FuncName(h.create), rule.Line(d.pass, at)),
		Related: []analysis.RelatedInformation{{Pos: at, Message: "the status decides here"}}})
}

// statusTest is where fn, or a function of this package that it hands the object to, tests the status of an object of
// type kind and may return without doing anything; NoPos where it does not.
func statusTest(fn *ssa.Function, kind types.Type, depth int) token.Pos {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			f := flow.Field(in.X.Type(), in.Field)
			if f != nil && f.Name() == "Status" && sameType(in.X.Type(), kind) && derivesFromParam(in.X) {
				return in.Pos()
			}
		case ssa.CallInstruction:
			static := flow.StaticCallee(in.Common())
			if static == nil || static.Pkg != fn.Pkg || depth >= 3 {
				continue
			}
			for i, a := range flow.AllArgs(in.Common()) {
				if i < len(static.Params) && sameType(a.Type(), kind) && derivesFromParam(a) {
					if at := statusTest(static, kind, depth+1); at.IsValid() {
						return at
					}
				}
			}
		}
	}
	return token.NoPos
}
