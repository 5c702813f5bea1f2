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

// idle reports whether nothing is lost with a deletion that the handler fn does not see: it only queues the key of the object, and whoever
// takes keys from the queues of the package does nothing about an object that is gone; or it queues the key of something else, which
// the resync of that queues again; or the key of all that its controller does, which comes again after a time; or it only forgets what nobody asks for again.
func (t *tombstones) idle(fn *ssa.Function) bool {
	return t.worked(fn) || t.forgets(fn, lastAny(fn)) || paced(fn) || t.queuesForNothing(fn, fn)
}

// queuesForNothing reports whether lost, which the handler fn gives its object to, or is, only queues keys that nobody misses.
func (t *tombstones) queuesForNothing(fn, lost *ssa.Function) bool {
	kind, asserted := t.kindOf(fn)
	q := queueing{kind: kind}
	switch {
	case !q.only(t, lost, map[*ssa.Function]bool{}) || len(q.queues) == 0:
		return false
	case !slices.ContainsFunc(q.queues, func(to queue) bool { return !t.isUnworked(to) }):
		return true
	case kind == nil:
		return false
	case q.keyed:
		return t.nothingToDo(kind, q.queues)
	case q.names && !q.others:
		return t.workedOffForNothing(&q)
	case !asserted:
		return false
	}
	again := t.resynced(fn)
	return !slices.ContainsFunc(q.queues, func(to queue) bool { return to.field == "" || !slices.Contains(again, to) }) // which one it is has to be known
}

// kindOf is the one kind of the objects that the handler fn is given, and whether that is asserted there; nil where it is not known, or there are several.
func (t *tombstones) kindOf(fn *ssa.Function) (kind types.Type, asserted bool) {
	if kind := t.assertedKind(fn); kind != nil {
		return kind, true
	}
	if kind := t.filteredKind(fn); kind != nil {
		return kind, false
	}
	return t.registeredKind(fn), false
}

// losesNothing reports whether nothing is lost where p happens in a function that the handler fn gives its object to: what else the handler does is done for a
// tombstone as well.
func (t *tombstones) losesNothing(fn *ssa.Function, p *problem) bool {
	return !p.panics && p.loses != nil && p.loses != fn && p.loses.Signature.Results().Len() == 0 && t.queuesForNothing(fn, p.loses)
}

// A queue is one in a field of a type.
type queue struct {
	owner *types.Named
	field string
}

// resynced are the queues to which handlers of the package but that of fn add that hear of all objects again after a time, and those to which who
// works them off adds again.
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

// resyncs reports whether v, a handler, is registered with a period of its own.
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

// assertedKind is the one type that fn, or what it calls, asserts objects to have; where it asserts none, the one that the other functions of its
// handlers do. It is nil where there is none or are several.
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

// filteredKind is the one type that the filters before the handlers with fn assert objects to have; nil where there is none or are several.
func (t *tombstones) filteredKind(fn *ssa.Function) types.Type {
	var filters []*ssa.Function
	for _, h := range t.all {
		if h.Behind != nil && slices.Contains(h.Behind.Deleted.Fns, fn) {
			filters = append(filters, h.Filter.Fns...)
		}
	}
	if all := kubeapi.AssertedTypes(filters...); len(all) == 1 {
		return all[0]
	}
	return nil
}

// queueing is what a handler does to queue a key.
type queueing struct {
	kind   types.Type // of the object; nil where that does not matter
	keyed  bool       // by a key function of the object
	names  bool       // by the name of the object
	others bool       // by something else as well
	queues []queue
	// of are the object that the handler is given, and what callees get of it; nil where nobody asks for differs.
	of      map[ssa.Value]bool
	differs bool // what is queued depends on the object, or is one of several, some of which another object may leave out
	relists bool // somebody is asked to queue all that an informer has
	// from are the arguments of parameters.
	from map[*ssa.Parameter]ssa.Value
}

// only reports whether fn does nothing else.
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

// onlyCalls reports whether fn does nothing that others see but such calls, in place or deferred.
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

func (q *queueing) call(t *tombstones, call *ssa.Call, seen map[*ssa.Function]bool) bool {
	if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
		return true
	}
	if own := t.pkg.Callee(&call.Call); own != nil {
		q.hand(own, flow.AllArgs(&call.Call))
		before := len(q.queues)
		does := q.only(t, own, seen)
		q.differs = q.differs || len(q.queues) > before && flow.InLoop(call.Block())
		return does
	}
	fn := flow.Callee(&call.Call)
	if fn == nil || fn.Pkg() == nil {
		return fn != nil // the text of an error
	}
	switch {
	case kubeapi.Logs(fn):
	case kubeapi.MakesKey(fn):
		q.keyed = q.keyed || q.isKeyOf(call.Call.Args[len(call.Call.Args)-1])
	case kubeapi.KnativeQueue(&call.Call) != nil:
		q.differs, q.keyed = true, q.keyed || q.isKeyOf(flow.Args(&call.Call)[0])
		q.queues = append(q.queues, queue{owner: kubeapi.KnativeQueue(&call.Call)})
	case kubeapi.QueueOpOf(fn).Adds():
		q.differs = q.differs || flow.InLoop(call.Block()) || slices.ContainsFunc(flow.Args(&call.Call), func(a ssa.Value) bool { return dependsOn(a, q.of) })
		p := flow.PathOf(q.resolve(flow.Recv(&call.Call)))
		if !p.Known() || p.Sel == "" || kubeapi.Named(p.Root.Type()) == nil {
			return false // which queue it is only callers know
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
	case kubeapi.OfListers(fn.Pkg()): // a look into a cache
	case kubeapi.FromUnstructured(fn):
		return own(flow.Unwrap(flow.Args(&call.Call)[1])) // it makes a typed object
	case kubeapi.Content.Has(fn):
	case kubeapi.GivesLogger(fn), kubeapi.Accessor.Has(fn), givesInformer(fn), givesLister(fn), madeToLog(call):
	case q.of != nil && call.Call.Signature().Results().Len() == 0 && slices.ContainsFunc(flow.Args(&call.Call), func(a ssa.Value) bool { return kubeapi.IsInformer(a.Type()) }):
		q.relists = true
		q.differs = q.differs || slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return dependsOn(a, q.of) })
	default: // for a log
		res := call.Call.Signature().Results()
		if !call.Call.IsInvoke() && res.Len() > 0 && !slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return reaches(a.Type()) }) {
			return true // it is given copies, and so changes nothing
		}
		return res.Len() == 1 && (flow.IsString(res.At(0).Type()) || kubeapi.MakesError(fn))
	}
	return true
}

// isKeyOf reports whether the key of v is that of the object, as far as its type says.
func (q *queueing) isKeyOf(v ssa.Value) bool {
	of := flow.Unwrap(v).Type()
	return q.kind == nil || types.IsInterface(of) || types.Identical(of, q.kind)
}

// hand notes what fn is called with.
func (q *queueing) hand(fn *ssa.Function, args []ssa.Value) {
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

// resolve is v, or what the function was called with, where v is a parameter.
func (q *queueing) resolve(v ssa.Value) ssa.Value {
	work := values.From(v)
	for v = range work.All() {
		if p, ok := flow.Resolve(v).(*ssa.Parameter); ok {
			work.Add(q.from[p])
		}
	}
	return v
}

// givesInformer reports whether fn, without parameters, gives an informer.
func givesInformer(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && kubeapi.IsInformer(sig.Results().At(0).Type())
}

// givesLister reports whether fn, without parameters, gives something of a package of listers.
func givesLister(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 {
		return false
	}
	n := kubeapi.Named(sig.Results().At(0).Type())
	return n != nil && kubeapi.OfListers(n.Obj().Pkg())
}

// reaches reports whether what is not a copy can be reached from a value of the type t at once: it is a pointer, a function, an interface, a
// channel or a map.
func reaches(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Struct:
		return false
	}
	return true
}

// nothingToDo reports whether each function that takes a key apart returns without more ado where it finds no object of the kind: of the methods
// of those who have the queues, or of all functions of the package where these have none. Where none takes a key apart, those count that read
// such an object by a name that they are given: of a kind without namespaces that is the key.
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
			return !slices.ContainsFunc(all, func(fn *ssa.Function) bool { return !t.leavesGone(fn, kind) })
		}
	}
	return false
}

// takesName reports whether fn, which may fail and gives nothing else, reads an object of the kind from a cache by the name that it is given, or by a part
// of that.
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

// whole is the string of which name is one of the parts that a function of another package gives, or else name itself.
func whole(name ssa.Value) ssa.Value {
	name = flow.Resolve(name)
	call, _ := flow.ResultOf(name)
	if call == nil || call.Call.IsInvoke() || len(call.Call.Args) != 1 || !flow.IsString(call.Call.Args[0].Type()) {
		return name
	}
	return flow.Resolve(call.Call.Args[0])
}

// returnsNil reports whether b does nothing but log, and returns no error.
func returnsNil(b *ssa.BasicBlock) bool {
	return onlyReturns(b, func(err ssa.Value) bool { return flow.IsNil(err) })
}

// givesUp reports whether b does nothing but log, and returns failed, or an error that is made of it.
func givesUp(b *ssa.BasicBlock, failed ssa.Value) bool {
	return onlyReturns(b, func(err ssa.Value) bool { return dependsOn(err, map[ssa.Value]bool{failed: true}) })
}

// endsWell reports whether call is one of a function in sight that does nothing but give back results of which the error is nil, as one that spells out an empty Result does.
func endsWell(call *ssa.Call) bool {
	fn := flow.StaticCallee(&call.Call)
	if fn == nil || len(fn.Blocks) != 1 || fn.Signature.Params().Len() > 0 { // who is given something may be about to do something
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

// onlyReturns reports whether b does nothing but log, and returns such an error.
func onlyReturns(b *ssa.BasicBlock, such func(ssa.Value) bool) bool {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Call:
			fn := flow.Callee(&in.Call)
			if endsWell(in) {
				continue
			}
			if res := in.Call.Signature().Results(); !kubeapi.Logs(fn) && (res.Len() != 1 || !flow.IsString(res.At(0).Type()) && !kubeapi.MakesError(fn) && !kubeapi.WrapsError(fn)) {
				return false
			}
		case *ssa.Jump:
			return len(b.Succs[0].Preds) == 1 && onlyReturns(b.Succs[0], such)
		case *ssa.Return:
			i := flow.ErrorResult(b.Parent().Signature)
			if i < 0 {
				return true
			}
			if call, _ := flow.ResultOf(flow.Given(in, i)); call != nil && call.Block() == b && endsWell(call) {
				return such(ssa.NewConst(nil, in.Results[i].Type()))
			}
			return such(flow.Given(in, i))
		case *ssa.If, *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.MapUpdate, *ssa.Panic:
			return false
		}
	}
	return false
}
