package startctx

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// Who works off a queue goes on until the queue is shut down. Where the only one who does that is the very function that waits
// for it, behind the wait, as with a deferred ShutDown around a worker that runs on the same goroutine, it never returns.

// shutdowns are what the package does with the queues, and what is built on queues, that it keeps in fields.
type shutdowns struct {
	c     *checker
	ends  map[*types.Var][]ssa.CallInstruction // what shuts down the one in a field
	stray map[*types.Var]bool                  // fields whose contents others may have
	types map[*types.Var][]types.Type          // of what is stored to a field: an interface where nothing else is known
	waits map[*ssa.Function][]shutdownWait     // one for each field
	news  program.Answers[*ssa.Function, bool]
}

// A shutdownWait is an instruction that goes on until what a field has is shut down.
type shutdownWait struct {
	at    ssa.Instruction
	field *types.Var
}

// What a call does to what its receiver has.
type queueUse uint8

const (
	takes   queueUse = 1 << iota // gets an item, and hears of the end
	keepsOn                      // goes on until the end
	ends                         // is the end
)

// lastOut reports the functions that wait for what only they themselves do afterwards.
func (c *checker) lastOut() {
	l := &shutdowns{
		c: c, ends: map[*types.Var][]ssa.CallInstruction{}, stray: map[*types.Var]bool{},
		types: map[*types.Var][]types.Type{}, waits: map[*ssa.Function][]shutdownWait{},
	}
	for _, fn := range c.pkg.Funcs {
		l.stores(fn)
	}
	for _, fn := range c.pkg.Funcs {
		l.index(fn)
	}
	for _, component := range c.pkg.BottomUp(program.Calls | program.Dispatches | program.Mentions) {
		for _, fn := range component { // once: what goes round in a circle ends where its first function does
			l.waits[fn] = l.of(fn)
		}
	}
	for _, fn := range c.pkg.Funcs {
		for _, w := range l.waits[fn] {
			l.judge(fn, w)
		}
		l.export(fn)
	}
}

// stores notes the types of what fn stores to fields.
func (l *shutdowns) stores(fn *ssa.Function) {
	for st, fa := range flow.FieldStores(fn) {
		f := keeps(fa)
		if f == nil || flow.IsNil(st.Val) {
			continue
		}
		t := flow.Unwrap(st.Val).Type()
		if !slices.ContainsFunc(l.types[f], func(o types.Type) bool { return types.Identical(o, t) }) {
			l.types[f] = append(l.types[f], t)
		}
	}
}

// index notes what fn does with the contents of fields.
func (l *shutdowns) index(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			if f := keeps(in); f != nil && !l.onlyCalled(in, f) {
				l.stray[f] = true
			}
		case *ssa.Store:
			if fa, ok := in.Addr.(*ssa.FieldAddr); ok {
				if f := keeps(fa); f != nil && !(l.made(in.Val) && l.onlyCalled(in.Val, f)) {
					l.stray[f] = true
				}
			}
		case ssa.CallInstruction:
			if f := fieldOf(flow.Recv(in.Common())); f != nil && l.use(in)&ends != 0 {
				l.ends[f] = append(l.ends[f], in)
			}
		}
	}
}

// made reports whether v is new, so that nobody else has it: nil, a queue that was just made, or what a function has made that
// keeps nothing of it.
func (l *shutdowns) made(v ssa.Value) bool {
	switch x := flow.Resolve(v).(type) {
	case *ssa.Const:
		return true
	case *ssa.Phi: // one or the other of two that were made just before
		return !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool {
			_, again := flow.Resolve(e).(*ssa.Phi)
			return again || !l.made(e)
		})
	case *ssa.Call:
		callee := flow.Callee(&x.Call)
		if callee == nil || x.Call.IsInvoke() {
			return false
		}
		if kubeapi.OfWorkqueue(callee) {
			return true
		}
		if own := l.c.pkg.Callee(&x.Call); own != nil {
			return l.fresh(own)
		}
		return l.c.factOf(callee).Fresh
	}
	return false
}

// fresh reports whether all that fn returns as its first result is an object that it has made, filled and given to nobody.
func (l *shutdowns) fresh(fn *ssa.Function) bool {
	return l.news.Ask(fn, false, func() bool {
		some := false
		for ret := range flow.Returns(fn) {
			if len(ret.Results) == 0 {
				return false
			}
			if alloc, ok := flow.Unwrap(ret.Results[0]).(*ssa.Alloc); !ok || !kept(alloc) {
				if _, call := flow.Unwrap(ret.Results[0]).(*ssa.Call); !call || !l.made(ret.Results[0]) {
					return false
				}
			}
			some = true
		}
		return some
	})
}

// kept reports whether the function that makes v only fills and returns it.
func kept(v ssa.Value) bool {
	for in := range values.Uses(v) {
		switch in := in.(type) {
		case *ssa.Return:
		case *ssa.FieldAddr:
			if len(*in.Referrers()) != len(slices.Collect(flow.StoresTo(in))) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// keeps is the field at fa where it may keep a queue, or what is built on one, and only the package can see it.
func keeps(fa *ssa.FieldAddr) *types.Var {
	f := flow.Field(fa.X.Type(), fa.Field)
	if f == nil || f.Exported() {
		return nil
	}
	switch f.Type().Underlying().(type) {
	case *types.Interface, *types.Pointer:
		return f.Origin()
	}
	return nil
}

// fieldOf is the field that v was loaded from, nil for others.
func fieldOf(v ssa.Value) *types.Var {
	if v == nil {
		return nil
	}
	if fa := flow.LoadedFrom(v); fa != nil {
		return keeps(fa)
	}
	return nil
}

// onlyCalled reports whether all that is done with v, which is in the field or leads to it, is to call methods of it.
func (l *shutdowns) onlyCalled(v ssa.Value, field *types.Var) bool {
	for in, v := range values.Uses(v) {
		ok := false
		switch in := in.(type) {
		case *ssa.BinOp:
			ok = true
		case *ssa.Store:
			fa, part := in.Addr.(*ssa.FieldAddr)
			ok = part && field != nil && keeps(fa) == field
		case ssa.CallInstruction:
			ok = values.MethodCall(in, v) != nil && (fieldOf(v) != nil || l.use(in)&ends == 0)
		}
		if !ok {
			return false
		}
	}
	return true
}

// use is what the call does to its receiver.
func (l *shutdowns) use(call ssa.CallInstruction) queueUse {
	common := call.Common()
	callee := flow.Callee(common)
	if callee == nil || flow.Recv(common) == nil {
		return 0
	}
	if kubeapi.OfWorkqueue(callee) {
		switch op := kubeapi.QueueOpOf(callee); {
		case op == kubeapi.QueueGet:
			return takes
		case op.ShutsDown():
			return ends
		}
		return 0
	}
	fns := []*types.Func{callee}
	if common.IsInvoke() {
		fns = nil
		for _, t := range l.types[fieldOf(common.Value)] {
			m, ok := methodOf(t, callee.Name())
			if !ok {
				return 0
			}
			fns = append(fns, m)
		}
	}
	var all queueUse
	for i, fn := range fns {
		var one queueUse
		if fn.Pkg() != l.c.pkg.Pkg {
			f := l.c.factOf(fn)
			if f.Waits != nil {
				one |= keepsOn
			}
			if f.Ends != nil {
				one |= ends
			}
		}
		if i == 0 {
			all = one
		}
		all = all&one&keepsOn | (all|one)&ends
	}
	return all
}

// methodOf is the method of that name of a value of type t; false where that is an interface, and so not known.
func methodOf(t types.Type, name string) (*types.Func, bool) {
	if types.IsInterface(t) {
		return nil, false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	m, ok := obj.(*types.Func)
	return m, ok
}

// of are the waits of fn on its own goroutine, the first one for each field, by those of its callees so far.
func (l *shutdowns) of(fn *ssa.Function) []shutdownWait {
	var out []shutdownWait
	add := func(w shutdownWait) {
		if !slices.ContainsFunc(out, func(o shutdownWait) bool { return o.field == w.field }) {
			out = append(out, w)
		}
	}
	for _, loop := range flow.Loops(fn) {
		if w, ok := l.worksOff(loop); ok {
			add(w)
		}
	}
	for at := range flow.Calls(fn) {
		call, ok := at.(*ssa.Call)
		if !ok {
			continue
		}
		if f := fieldOf(flow.Recv(&call.Call)); f != nil && l.use(call)&keepsOn != 0 {
			add(shutdownWait{call, f})
		}
		for _, w := range l.inCallee(fn, call) {
			add(shutdownWait{call, w.field})
		}
	}
	return out
}

// inCallee are the waits of what call runs in its place, with the receiver of fn.
func (l *shutdowns) inCallee(fn *ssa.Function, call *ssa.Call) []shutdownWait {
	callee, recv := l.c.pkg.Callee(&call.Call), flow.Recv(&call.Call)
	for i, arg := range flow.Args(&call.Call) {
		if callee != nil || !slices.Contains(blocking.CalledInPlace(flow.Callee(&call.Call)), i) {
			continue
		}
		callee = l.c.pkg.Own(flow.FuncValue(arg))
		if mc, ok := flow.Resolve(arg).(*ssa.MakeClosure); ok && len(mc.Bindings) == 1 && mc.Fn.(*ssa.Function).Synthetic != "" {
			recv = mc.Bindings[0]
		}
	}
	if callee == nil || callee == fn || recv == nil || callee.Signature.Recv() == nil || fn.Signature.Recv() == nil || flow.ParamIndex(fn, flow.Resolve(recv)) != 0 {
		return nil
	}
	return l.waits[callee]
}

// worksOff reports whether loop ends only where a queue has said that it is shut down, and which.
func (l *shutdowns) worksOff(loop *flow.Loop) (w shutdownWait, ok bool) {
	for _, b := range loop.Exits() {
		test := flow.Branch(b)
		if test == nil {
			return w, false
		}
		v, is := flow.StripNot(test.Cond)
		outside := !loop.Blocks[b.Succs[0]] // the loop is left where the test holds
		var one shutdownWait
		switch x := v.(type) {
		case *ssa.Extract:
			if one, ok = l.quit(x); !ok || outside != is {
				return w, false
			}
		case *ssa.Call:
			field := l.tellsQuit(x)
			if field == nil || outside == is {
				return w, false
			}
			one = shutdownWait{x, field}
		default:
			return w, false
		}
		if w.field != nil && one.field != w.field {
			return w, false
		}
		w = one
	}
	return w, w.field != nil
}

// quit is the wait of which x is the result that says whether the queue is shut down.
func (l *shutdowns) quit(x *ssa.Extract) (shutdownWait, bool) {
	call, ok := x.Tuple.(*ssa.Call)
	if !ok || x.Index != 1 || l.use(call)&takes == 0 {
		return shutdownWait{}, false
	}
	f := fieldOf(flow.Recv(&call.Call))
	return shutdownWait{call, f}, f != nil
}

// tellsQuit is the field of the queue of which the result of call, of a method of the same object, says whether it still
// works: false is returned only where it is shut down.
func (l *shutdowns) tellsQuit(call *ssa.Call) *types.Var {
	fn := l.c.pkg.Callee(&call.Call)
	if fn == nil || fn.Signature.Results().Len() != 1 || !flow.IsBool(fn.Signature.Results().At(0).Type()) {
		return nil
	}
	var field *types.Var
	for ret := range flow.Returns(fn) {
		if ret.Block() == fn.Recover {
			continue // behind a panic that was taken care of
		}
		v, sure := flow.Returned(ret, 0)
		switch t := flow.ConstTruth(v); {
		case !sure || t == flow.Unknown:
			return nil
		case t == flow.True:
			continue
		}
		found := false
		for test, t := range flow.PathCondition(ret.Block()) {
			cond, is := flow.StripNot(test.Cond)
			x, ok := cond.(*ssa.Extract)
			if !ok || t == flow.Unknown || (t == flow.True) != is {
				continue
			}
			if w, ok := l.quit(x); ok {
				if field != nil && field != w.field {
					return nil // either of two ends it
				}
				field, found = w.field, true
			}
		}
		if !found {
			return nil
		}
	}
	return field
}

// judge reports the wait w of fn where all that ends it comes after it.
func (l *shutdowns) judge(fn *ssa.Function, w shutdownWait) {
	all := l.ends[w.field]
	if l.stray[w.field] || len(all) == 0 || l.c.onlyBeside(fn) {
		return
	}
	var own ssa.Instruction // in fn: what leads to the end
	for _, e := range all {
		at, ok := l.late(e, fn, w.at, map[*ssa.Function]bool{})
		if !ok {
			return
		}
		own = at
	}
	how := "later code"
	if _, deferred := own.(*ssa.Defer); deferred {
		how = "its deferred call"
	}
	l.c.reportCalled(fn, rule.Finding{
		Pos: flow.Pos(w.at), Sub: "loop", Site: "self-shut-queue",
		Message: fmt.Sprintf("%s never returns: it waits here until %s is shut down, which only %s (line %d) does; shut it down from another goroutine",
			flow.FuncName(fn), w.field.Name(), how, l.c.line(flow.Pos(own))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(all[0]), Message: w.field.Name() + " is shut down here"}},
	})
}

// late reports whether e runs only after the wait of fn is over, or never, and gives the instruction of fn that leads to it.
func (l *shutdowns) late(e ssa.CallInstruction, fn *ssa.Function, wait ssa.Instruction, seen map[*ssa.Function]bool) (own ssa.Instruction, ok bool) {
	in := e.Parent()
	if _, spawned := e.(*ssa.Go); spawned || e == wait {
		return nil, false
	}
	if in == fn {
		_, deferred := e.(*ssa.Defer)
		return e, deferred || !flow.Reaches(e, wait, nil)
	}
	if obj := flow.Object(in); seen[in] || in.Parent() == nil && (obj == nil || obj.Exported()) {
		return nil, false
	}
	seen[in] = true
	var callers []ssa.CallInstruction
	if in.Parent() == nil {
		if callers = l.c.pkg.Origins().Callers(in); l.c.pkg.IsValue(in) {
			return nil, false
		}
	} else if mc := flow.ClosureSite(in); mc != nil {
		for _, r := range *mc.Referrers() {
			if c, ok := r.(ssa.CallInstruction); ok && c.Common().Value == ssa.Value(mc) {
				callers = append(callers, c)
			} else {
				return nil, false
			}
		}
	}
	if len(callers) == 0 {
		return nil, false
	}
	for _, c := range callers {
		if own, ok = l.late(c, fn, wait, seen); !ok {
			return nil, false
		}
	}
	return own, true
}

// export tells importing packages of fn, a method, what it waits for of its receiver, and what it shuts down.
func (l *shutdowns) export(fn *ssa.Function) {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !obj.Exported() {
		return
	}
	f := l.c.factOf(obj)
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 {
		results := fn.Signature.Results()
		f.Fresh = results.Len() > 0 && l.hasShutdown(results.At(0).Type()) && l.fresh(fn)
		if f.Fresh {
			l.c.pass.ExportObjectFact(obj, &f)
		}
		return
	}
	add := func(to *[]string, field *types.Var) {
		if !l.stray[field] && l.byMethods(field) && !slices.Contains(*to, field.Name()) {
			*to = append(*to, field.Name())
		}
	}
	for _, w := range l.waits[fn] {
		if ownedBy(fn, w.field) {
			add(&f.Waits, w.field)
		}
	}
	for field, calls := range l.ends {
		if slices.ContainsFunc(calls, func(e ssa.CallInstruction) bool { return flow.Decl(e.Parent()) == fn }) && ownedBy(fn, field) {
			add(&f.Ends, field)
		}
	}
	if f.Waits != nil || f.Ends != nil {
		slices.Sort(f.Ends)
		l.c.pass.ExportObjectFact(obj, &f)
	}
}

// byMethods reports whether what the field has is shut down by methods of the object that has it, which the package itself does
// not call, and by nobody else.
func (l *shutdowns) byMethods(field *types.Var) bool {
	return !slices.ContainsFunc(l.ends[field], func(e ssa.CallInstruction) bool {
		fn := e.Parent()
		obj := flow.Object(fn)
		return fn.Parent() != nil || fn.Signature.Recv() == nil || obj == nil || !obj.Exported() || !ownedBy(fn, field) ||
			l.c.pkg.IsValue(fn) || len(l.c.pkg.Origins().Callers(fn)) > 0
	})
}

// hasShutdown reports whether t is a type of the package that keeps what is shut down.
func (l *shutdowns) hasShutdown(t types.Type) bool {
	n := kubeapi.Named(t)
	return n != nil && n.Obj().Pkg() == l.c.pkg.Pkg && hasField(n, func(f *types.Var) bool { return l.ends[f] != nil })
}

// ownedBy reports whether the receiver of fn is a struct with the field.
func ownedBy(fn *ssa.Function, field *types.Var) bool {
	n := kubeapi.Named(fn.Signature.Recv().Type())
	return n != nil && hasField(n, func(f *types.Var) bool { return f == field })
}

// hasField reports whether n is a struct with a field that is true of.
func hasField(n *types.Named, is func(*types.Var) bool) bool {
	st, ok := n.Origin().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	return flow.Any(st.Fields(), is)
}
