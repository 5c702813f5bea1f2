package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// harmlessToMiss reports whether a deletion that the handler fn does not get loses nothing. So it is if fn only
//
//   - queues the key of the object, and the consumers of the queues do nothing for an object that is gone,
//   - queues the key of something else, which a resync or requeue of that queues again, or
//   - passes the object to a worker of another package that cannot distinguish deletions.
func (t *tombstones) harmlessToMiss(fn *ssa.Function) bool {
	return t.onlyForWorkers(fn) || t.onlyQueuesHarmless(fn, fn)
}

// onlyQueuesHarmless reports whether lost, the handler fn or a function that it passes its object to, only queues keys
// which are harmless to miss.
func (t *tombstones) onlyQueuesHarmless(fn, lost *ssa.Function) bool {
	kind, asserted := t.kindOf(fn)
	q := queueing{kind: kind}
	switch {
	case !q.only(t, lost, map[*ssa.Function]bool{}) || len(q.queues) == 0:
		return false
	case !slices.ContainsFunc(q.queues, func(to queue) bool { return !t.hasNoConsumer(to) }):
		return true
	case kind == nil:
		return false
	case q.keyed:
		return t.nothingToDo(kind, q.queues)
	case q.names && !q.others:
		return t.consumersIgnoreGone(&q)
	case !asserted:
		return false
	}
	again := t.resynced(fn)
	// an unknown queue
	return !slices.ContainsFunc(q.queues, func(to queue) bool { return to.field == "" || !slices.Contains(again, to) })
}

// kindOf returns the kind of the objects of the handler fn, and whether fn asserts it; nil if the kind is not known
// or there are several.
func (t *tombstones) kindOf(fn *ssa.Function) (kind types.Type, asserted bool) {
	if kind := t.assertedKind(fn); kind != nil {
		return kind, true
	}
	if kind := t.filteredKind(fn); kind != nil {
		return kind, false
	}
	return t.registeredKind(fn), false
}

// losesNothing reports whether p, in a callee of the handler fn, loses nothing: the callee only queues keys that are
// harmless to miss, and the rest of the handler runs for a tombstone as well.
func (t *tombstones) losesNothing(fn *ssa.Function, p *problem) bool {
	return !p.panics && p.skipped != nil && p.skipped != fn && p.skipped.Signature.Results().Len() == 0 &&
		t.onlyQueuesHarmless(fn, p.skipped)
}

// A queue is a field that holds a work queue. The zero value is an unknown one.
type queue struct {
	owner *types.Named
	field string
}

// resynced returns the queues that get their keys again without an event: from an update handler, not of fn's own
// handler, that is registered with a resync period, or from the function that consumes them.
func (t *tombstones) resynced(fn *ssa.Function) []queue {
	out := t.requeued()
	for _, h := range t.all {
		if h.Val == nil || slices.Contains(h.Deleted.Fns, fn) || !resyncs(h.Val) {
			continue
		}
		for _, fn := range h.Updated.Fns {
			var q queueing
			q.only(t, fn, map[*ssa.Function]bool{})
			out = append(out, q.queues...)
		}
	}
	return out
}

// resyncs reports whether v, a handler, is registered with a resync period of its own.
func resyncs(v ssa.Value) bool {
	for in := range values.Uses(v) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if args := flow.Args(call.Common()); len(args) == 2 && kubeapi.Called(call.Common()).Name == kubeapi.AddWithResync {
			if k, constant := args[1].(*ssa.Const); !constant || k.Int64() > 0 {
				return true
			}
		}
	}
	return false
}

// assertedKind returns the one type that fn, or a function that it calls, asserts objects to have; if they assert
// none, the one that the create and update functions of its handlers assert. It is nil if there is none or there are
// several.
func (t *tombstones) assertedKind(fn *ssa.Function) types.Type {
	all := kubeapi.AssertedTypes(slices.Collect(t.pkg.Reach(program.Calls, fn))...)
	if len(all) == 0 {
		var others []*ssa.Function
		for _, h := range t.all {
			if !slices.Contains(h.Deleted.Fns, fn) {
				continue
			}
			fns := slices.Concat(h.Created.Fns, h.Updated.Fns)
			if len(kubeapi.AssertedTypes(fns...)) != 1 {
				return nil
			}
			others = append(others, fns...)
		}
		all = kubeapi.AssertedTypes(others...)
	}
	if len(all) == 1 {
		return all[0]
	}
	return nil
}

// filteredKind returns the one type that the filters around the handlers with fn assert objects to have; nil if there
// is none or there are several.
func (t *tombstones) filteredKind(fn *ssa.Function) types.Type {
	var filters []*ssa.Function
	for _, h := range t.all {
		if h.Wrapped != nil && slices.Contains(h.Wrapped.Deleted.Fns, fn) {
			filters = append(filters, h.Filter.Fns...)
		}
	}
	if all := kubeapi.AssertedTypes(filters...); len(all) == 1 {
		return all[0]
	}
	return nil
}

// queueing is what a handler that only queues keys does.
type queueing struct {
	kind   types.Type // of the object; nil if the kind does not matter
	keyed  bool       // queues the result of a key function for the object
	names  bool       // queues the name of the object
	others bool       // queues something else as well
	queues []queue
	// of are the object that the handler gets, and the parameters of callees that depend on it; nil if differs is not
	// needed.
	of      map[ssa.Value]bool
	differs bool // what is queued depends on the object, or may be one of several keys
	relists bool // a function is called that queues all objects of an informer
	// from are the arguments passed for parameters.
	from map[*ssa.Parameter]ssa.Value
}

// only reports whether fn does nothing but queue keys, and notes them. seen are the functions visited.
func (q *queueing) only(t *tombstones, fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return true
	}
	seen[fn] = true
	return onlyCalls(fn, func(c ssa.CallInstruction) bool {
		call, ok := c.(*ssa.Call)
		return ok && q.call(t, call, seen)
	})
}

// onlyCalls reports whether fn has no visible effect except calls, deferred ones included, for which such holds.
func onlyCalls(fn *ssa.Function, such func(ssa.CallInstruction) bool) bool {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Go, *ssa.Send, *ssa.MapUpdate, *ssa.Select:
			return false
		case *ssa.Store:
			if _, arg := in.Addr.(*ssa.IndexAddr); !arg && !own(in.Addr) {
				return false
			}
		case ssa.CallInstruction:
			if !such(in) {
				return false
			}
		}
	}
	return true
}

// own reports whether addr is a variable of the function, or a part of one.
func own(addr ssa.Value) bool {
	for {
		switch x := addr.(type) {
		case *ssa.Alloc:
			return true
		case *ssa.FieldAddr:
			addr = x.X
		default:
			return false
		}
	}
}

// call reports whether call only queues keys, or has no visible effect, and notes the keys.
func (q *queueing) call(t *tombstones, call *ssa.Call, seen map[*ssa.Function]bool) bool {
	if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
		return true
	}
	if own := t.pkg.Callee(&call.Call); own != nil {
		q.bindParams(own, flow.AllArgs(&call.Call))
		before := len(q.queues)
		does := q.only(t, own, seen)
		q.differs = q.differs || len(q.queues) > before && flow.InLoop(call.Block())
		return does
	}
	fn := flow.Callee(&call.Call)
	if fn == nil || fn.Pkg() == nil {
		return fn != nil // error.Error
	}
	switch {
	case kubeapi.Logs(fn):
	case kubeapi.MakesKey(fn):
		q.keyed = q.keyed || q.isKeyOf(call.Call.Args[len(call.Call.Args)-1])
	case kubeapi.KnativeQueue(&call.Call) != nil:
		q.differs, q.keyed = true, q.keyed || q.isKeyOf(flow.Args(&call.Call)[0])
		q.queues = append(q.queues, queue{owner: kubeapi.KnativeQueue(&call.Call)})
	case kubeapi.QueueOpOf(fn).Adds():
		q.differs = q.differs || flow.InLoop(call.Block()) ||
			slices.ContainsFunc(flow.Args(&call.Call), func(a ssa.Value) bool { return dependsOn(a, q.of) })
		p := flow.PathOf(q.resolve(flow.Recv(&call.Call)))
		if !p.Known() || p.Sel == "" || kubeapi.Named(p.Root.Type()) == nil {
			return false // the queue depends on the caller
		}
		q.queues = append(q.queues, queue{kubeapi.Named(p.Root.Type()), p.Sel})
		q.by(flow.Args(&call.Call)[0])
	case t.imported(fn) != nil && t.imported(fn).Adds > 0:
		to := queueOf(q.resolve(flow.Recv(&call.Call)))
		if to == (queue{}) {
			return false
		}
		q.differs = true
		q.queues = append(q.queues, to)
		q.by(flow.AllArgs(&call.Call)[t.imported(fn).Adds-1])
	case kubeapi.OfListers(fn.Pkg()): // reads a cache
	case kubeapi.FromUnstructured(fn):
		return own(flow.Unwrap(flow.Args(&call.Call)[1])) // it makes a typed object
	case kubeapi.Content.Has(fn):
	case kubeapi.GivesLogger(fn), kubeapi.Accessor.Has(fn), returnsInformer(fn), returnsLister(fn), madeToLog(call):
	case q.of != nil && call.Call.Signature().Results().Len() == 0 &&
		slices.ContainsFunc(flow.Args(&call.Call), func(a ssa.Value) bool { return kubeapi.IsInformer(a.Type()) }):
		q.relists = true
		q.differs = q.differs || slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return dependsOn(a, q.of) })
	default: // for a log
		res := call.Call.Signature().Results()
		if !call.Call.IsInvoke() && res.Len() > 0 &&
			!slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return reaches(a.Type()) }) {
			return true // it only gets copies, and so changes nothing
		}
		return res.Len() == 1 && (flow.IsString(res.At(0).Type()) || kubeapi.MakesError(fn))
	}
	return true
}

// isKeyOf reports whether v may be the object, by its type.
func (q *queueing) isKeyOf(v ssa.Value) bool {
	of := flow.Unwrap(v).Type()
	return q.kind == nil || types.IsInterface(of) || types.Identical(of, q.kind)
}

// bindParams notes the arguments that fn is called with.
func (q *queueing) bindParams(fn *ssa.Function, args []ssa.Value) {
	for i, p := range fn.Params {
		if i >= len(args) {
			return
		}
		if q.from == nil {
			q.from = map[*ssa.Parameter]ssa.Value{}
		}
		q.from[p] = args[i]
		if dependsOn(args[i], q.of) {
			q.of[p] = true
		}
	}
}

// resolve returns v, or the argument that was passed for it if v is a parameter.
func (q *queueing) resolve(v ssa.Value) ssa.Value {
	work := values.From(v)
	for v = range work.All() {
		if p, ok := flow.Resolve(v).(*ssa.Parameter); ok {
			work.Add(q.from[p])
		}
	}
	return v
}

// returnsInformer reports whether fn, without parameters, returns an informer.
func returnsInformer(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && kubeapi.IsInformer(sig.Results().At(0).Type())
}

// returnsLister reports whether fn, without parameters, returns a value whose type is from a package of listers.
func returnsLister(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 {
		return false
	}
	n := kubeapi.Named(sig.Results().At(0).Type())
	return n != nil && kubeapi.OfListers(n.Obj().Pkg())
}

// reaches reports whether a value of the type t may refer to memory that is shared with other values: it is a
// pointer, a function, an interface, a channel, a map or a slice.
func reaches(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Struct:
		return false
	}
	return true
}

// nothingToDo reports whether the consumers of the queues return at once if there is no object of the kind. The
// consumers are the functions that split a key: the methods of the types that have the queues, or all functions of
// the package if these have none. If no function splits a key, they are the functions that read such an object by a
// name that they get: for a kind without namespaces that is the key.
func (t *tombstones) nothingToDo(kind types.Type, queues []queue) bool {
	if slices.ContainsFunc(queues, func(q queue) bool { return kubeapi.IsKnative(q.owner) }) {
		return t.observesNone(kind)
	}
	ofQueue := func(fn *ssa.Function) bool {
		recv := fn.Signature.Recv()
		return recv != nil && slices.ContainsFunc(queues, func(q queue) bool { return q.owner == kubeapi.Named(recv.Type()) })
	}
	takesName := func(fn *ssa.Function) bool { return takesName(fn, kind) }
	for _, takes := range []func(*ssa.Function) bool{takesKey, takesName} {
		var own, all []*ssa.Function
		for _, fn := range t.pkg.Funcs {
			if takes(fn) {
				all = append(all, fn)
				if ofQueue(fn) {
					own = append(own, fn)
				}
			}
		}
		if len(own) > 0 {
			all = own
		}
		if len(all) > 0 {
			return !slices.ContainsFunc(all, func(fn *ssa.Function) bool { return !t.ignoresGone(fn, kind) })
		}
	}
	return false
}

// takesName reports whether fn, with at most one result, reads an object of the kind from a cache by the name that it
// gets as a parameter, or by a part of that name.
func takesName(fn *ssa.Function, kind types.Type) bool {
	if fn.Signature.Results().Len() > 1 {
		return false // a helper
	}
	return flow.Any(flow.Calls(fn), func(c ssa.CallInstruction) bool {
		r, ok := kubeapi.RequestOf(c.Common())
		if !ok || r.Verb != kubeapi.VerbGet || !r.Cached || r.Name == nil {
			return false
		}
		p, given := whole(r.Name).(*ssa.Parameter)
		of := kubeapi.Named(c.Common().Signature().Results().At(0).Type())
		return given && p.Parent() == fn && flow.IsString(p.Type()) && of == kubeapi.Named(kind)
	})
}

// whole returns the string that name is a part of, if name comes from a function of one string, otherwise name.
func whole(name ssa.Value) ssa.Value {
	name = flow.Resolve(name)
	call, _ := flow.ResultOf(name)
	if call == nil || call.Call.IsInvoke() || len(call.Call.Args) != 1 || !flow.IsString(call.Call.Args[0].Type()) {
		return name
	}
	return flow.Resolve(call.Call.Args[0])
}

// returnsNil reports whether b only logs and returns, with a nil error if the function has an error result.
func returnsNil(b *ssa.BasicBlock) bool {
	return onlyReturns(b, func(err ssa.Value) bool { return flow.IsNil(err) })
}

// returnsFailure reports whether b only logs and returns failed, or an error that is made of it.
func returnsFailure(b *ssa.BasicBlock, failed ssa.Value) bool {
	return onlyReturns(b, func(err ssa.Value) bool { return dependsOn(err, map[ssa.Value]bool{failed: true}) })
}

// returnsNilError reports whether the callee of call, which has no parameters, is known and only returns results with
// a nil error, such as a function that returns an empty Result.
func returnsNilError(call *ssa.Call) bool {
	fn := flow.StaticCallee(&call.Call)
	if fn == nil || len(fn.Blocks) != 1 || fn.Signature.Params().Len() > 0 { // with parameters it may have an effect
		return false
	}
	for _, in := range fn.Blocks[0].Instrs {
		if kubeapi.OnlyLogs(in) {
			continue
		}
		switch in := in.(type) {
		case *ssa.Alloc, *ssa.FieldAddr, *ssa.UnOp:
		case *ssa.Store:
			if _, own := flow.Base(in.Addr).(*ssa.Alloc); !own {
				return false
			}
		case *ssa.Return:
			i := flow.ErrorResult(fn.Signature)
			return i >= 0 && flow.IsNil(in.Results[i])
		default:
			return false
		}
	}
	return false
}

// onlyReturns reports whether b only logs and returns an error for which such holds.
func onlyReturns(b *ssa.BasicBlock, such func(ssa.Value) bool) bool {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Call:
			fn := flow.Callee(&in.Call)
			if returnsNilError(in) {
				continue
			}
			if res := in.Call.Signature().Results(); !kubeapi.Logs(fn) &&
				(res.Len() != 1 || !flow.IsString(res.At(0).Type()) && !kubeapi.MakesError(fn) && !kubeapi.WrapsError(fn)) {
				return false
			}
		case *ssa.Jump:
			return len(b.Succs[0].Preds) == 1 && onlyReturns(b.Succs[0], such)
		case *ssa.Return:
			i := flow.ErrorResult(b.Parent().Signature)
			if i < 0 {
				return true
			}
			if call, _ := flow.ResultOf(flow.Given(in, i)); call != nil && call.Block() == b && returnsNilError(call) {
				return such(ssa.NewConst(nil, in.Results[i].Type()))
			}
			return such(flow.Given(in, i))
		case *ssa.If, *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.MapUpdate, *ssa.Panic:
			return false
		}
	}
	return false
}
