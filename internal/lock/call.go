package lock

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// call applies a call, immediate or deferred, to s.
func (in *interp) call(at ssa.CallInstruction, call *ssa.CallCommon, s *state) {
	if o, ok := in.e.opOf(call); ok {
		if !o.lock.Known() || in.e.aliases.hidden(o) {
			return
		}
		switch o.action {
		case acquire:
			in.acquire(at, o, s)
			s.acquire(Hold{Path: o.lock, Class: o.class, Mode: o.mode, Site: at})
		case release:
			if s.release(o.lock, o.mode, o.class) {
				in.freed[o.lock] = true
			}
		}
		return
	}
	if !kubeapi.Logs(flow.Callee(call)) {
		in.e.staleAfterCall(s)
	}
	if o, ok := onceOf(call); ok && o.lock.Known() && !ofActivation(o.lock) {
		in.acquire(at, o, s)
		s.acquire(Hold{Path: o.lock, Class: o.class, Mode: o.mode, Site: at})
		defer s.release(o.lock, o.mode, o.class)
	}
	if w, ok := in.e.table.Call(call); ok &&
		!(w.Running && (kubeapi.TakesManager(flow.Decl(at.Parent())) || in.e.runsInSight(at))) {
		if (w.Kind != blocking.Queue || !guardedGet(at, s.held)) &&
			(w.Kind != blocking.CacheSync || !blocking.Empty(at)) {
			in.wait(at, w, s)
		}
		in.callbacks(at, call, s)
	} else if w, ok := blocking.DrainOf(call); ok {
		in.wait(at, w, s)
	} else if w, ok := blocking.Spins(at); ok {
		in.spins(at, w, s)
	} else if slow, ok := in.e.table.SlowOf(at); ok {
		if w, ok := blocking.RemoteOf(call, in.e.clients); ok {
			in.wait(at, w, s)
		}
		in.slow(at, slow, s)
		in.callbacks(at, call, s)
	} else {
		in.callees(at, call, s)
	}
	s.handsOn(call.Args...)
	in.stream(at, s)
	fn := flow.Callee(call)
	if fn == nil {
		return
	}
	if called := blocking.CalledInPlace(fn); len(called) > 0 && !in.e.analysed(fn, at) {
		for i, arg := range flow.Args(call) {
			if slices.Contains(called, i) {
				in.callArg(at, arg, nil, s)
			}
		}
	}
	if fn.Pkg() != nil && fn.Pkg().Path() == "fmt" {
		in.formatted(at, call, s)
	}
}

// runsInSight reports whether a function that at may run is analysed here or in the link phase: its body is more
// precise than the table of waits.
func (e *engine) runsInSight(at ssa.CallInstruction) bool {
	targets, _ := e.origins.Targets(at)
	fn := flow.Callee(at.Common())
	return len(targets) > 0 || fn != nil && e.own(fn.Pkg())
}

// analysed reports whether the functions that a call of fn runs have summaries.
func (e *engine) analysed(fn *types.Func, at ssa.CallInstruction) bool {
	if targets, _ := e.origins.Targets(at); len(targets) > 0 {
		return true
	}
	if fn.Pkg() != nil && e.own(fn.Pkg()) && !at.Common().IsInvoke() {
		return true
	}
	m := e.prog.FuncValue(fn)
	return m != nil && !at.Common().IsInvoke() && (m.Pkg == e.pkg.Package || e.summary(m) != nil)
}

// callees applies the summaries of what call may run: the static callee with all its effects; what a function value or
// an interface may run with its events, and with its effects where that is one known function.
func (in *interp) callees(at ssa.CallInstruction, call *ssa.CallCommon, s *state) {
	if p, ok := flow.Resolve(call.Value).(*ssa.Parameter); ok && !call.IsInvoke() {
		// In a literal that runs in place, a call of a parameter of an enclosing function belongs to the callers of
		// that function. A literal that escapes may run there as well as elsewhere.
		within, handedOn := p.Parent() == in.fn, false
		if !within && encloses(p.Parent(), in.fn) {
			within, handedOn = in.e.runsWithin(in.fn)
		}
		if within || handedOn {
			in.paramCall(at, p, s)
		}
		if within {
			return
		}
	}
	if fn := flow.StaticCallee(call); fn != nil {
		in.apply(at, fn, actuals{args: flow.AllArgs(call)}, s, true)
		return
	}
	targets, all := in.e.origins.Targets(at)
	if len(targets) == 0 {
		targets = in.e.stored(at)
	}
	var kept actuals
	if f, x, ok := loadedField(call.Value); ok && !call.IsInvoke() {
		if kept.fields = in.e.ownerFields(f); kept.fields != "" {
			kept.owner = x
		}
	}
	for _, t := range targets {
		if t.Fn != in.fn { // a function does not run itself through a stored value: it wraps what was there before
			a := in.actualsOf(t, call.Value)
			a.owner, a.fields, a.maybe = kept.owner, kept.fields, !all || len(targets) > 1
			in.apply(at, t.Fn, a, s, all && len(targets) == 1)
		}
	}
	if !all {
		if _, builtin := call.Value.(*ssa.Builtin); !builtin {
			in.madeElsewhere(at, call, s)
			in.open(at, call, kept, s)
		}
	}
}

// stored are the functions that flow to the called value, without those whose summary is empty; at most
// origin.MaxHandlers.
func (e *engine) stored(at ssa.CallInstruction) []origin.Target {
	all := e.origins.Stored(at)
	some := slices.DeleteFunc(slices.Clone(all), func(t origin.Target) bool { return e.summary(t.Fn).empty() })
	if len(some) > origin.MaxHandlers {
		e.pkg.Cut("calls may run more functions than are followed", at)
		some = some[:origin.MaxHandlers]
	}
	return some
}

// runsWithin reports whether the literal fn and each enclosing literal are only called, or passed to functions that
// call them before they return; or, in the second result, whether fn also escapes by a return or an argument, so that
// it may run later.
func (e *engine) runsWithin(fn *ssa.Function) (within, handedOn bool) {
	// stays reports whether the uses of v, the literal, leave it on this goroutine, or to others.
	var stays func(v ssa.Value) bool
	stays = func(v ssa.Value) bool {
		return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.Defer:
			case *ssa.ChangeType:
				return !stays(r)
			case *ssa.Return:
				handedOn = true
			case *ssa.Call:
				handedOn = handedOn || r.Call.Value != v && !e.callsArg(&r.Call, v)
				return kubeapi.MemberStarters.Has(flow.Callee(&r.Call))
			default:
				return true
			}
			return false
		})
	}
	for ; fn.Parent() != nil; fn = fn.Parent() {
		if mc := flow.ClosureSite(fn); mc == nil || !stays(mc) {
			return false, false
		}
	}
	return !handedOn, handedOn
}

// runsInPlace reports whether the literal fn is run by the functions around it alone, before they return: their
// parameters are what they were given then.
func (e *engine) runsInPlace(fn *ssa.Function) bool {
	within, _ := e.runsWithin(fn)
	return within
}

// callsArg reports whether the call is known to call its argument v before it returns.
func (e *engine) callsArg(call *ssa.CallCommon, v ssa.Value) bool {
	called := blocking.CalledInPlace(flow.Callee(call))
	for i, a := range flow.Args(call) {
		if a == v && slices.Contains(called, i) {
			return true
		}
	}
	fn := flow.StaticCallee(call)
	if fn == nil {
		return false
	}
	sum := e.summary(fn)
	return sum != nil && slices.ContainsFunc(sum.Calls, func(c ParamCall) bool {
		args := flow.AllArgs(call)
		return c.Param >= 0 && c.Param < len(args) && args[c.Param] == v
	})
}

// actuals are what a callee's terms stand for in the caller: the arguments, and for a function value what it captured.
type actuals struct {
	args  []ssa.Value
	sel   string                            // from args[0] to the receiver
	recvT types.Type                        // the type of the receiver, where args[0] is an interface
	local func(flow.Path) (flow.Path, bool) // captured variables; nil where they mean the same in the caller
	recv  func() (flow.Path, bool)          // the receiver that a bound method value carries
	maybe bool                              // the call may run another function
	owner ssa.Value                         // the object that has the function in a field, and
	// the fields in which all those lie that have one; "" where that is not known
	fields string

	// what the function around a literal was given that it has returned; nil for others
	given func(*ssa.Parameter) ssa.Value
}

// actualsOf are the actuals of a call that runs t through the function value (or interface) v.
func (in *interp) actualsOf(t origin.Target, v ssa.Value) actuals {
	a := actuals{args: t.Args, sel: t.Sel}
	if r := t.Fn.Signature.Recv(); r != nil && t.Sel == "" {
		a.recvT = r.Type()
	}
	if t.Closure == nil {
		return a
	}
	if encloses(t.Closure.Parent(), in.fn) {
		return a
	}
	// The closure was made by another function: what it captured has a name here only where it is reached from the
	// object whose field was called.
	translate := func(flow.Path) (flow.Path, bool) { return flow.Path{}, false }
	if field, x, ok := loadedField(v); ok {
		base := flow.PathOf(x)
		for _, h := range in.e.origins.Holdings(field) {
			if h.Fn != t.Fn || !h.Holder.Known() || !base.Known() {
				continue
			}
			translate = func(p flow.Path) (flow.Path, bool) {
				if rest, ok := h.Holder.Below(p); ok {
					return flow.Path{Root: base.Root, Sel: base.Sel + rest}, true
				}
				return flow.Path{}, false
			}
		}
	}
	// A closure that a function returns: what it captured of the parameters are the arguments of that call.
	if c, _ := flow.ResultOf(flow.Resolve(v)); c != nil && flow.StaticCallee(&c.Call) == t.Closure.Parent() {
		outer, args := t.Closure.Parent(), flow.AllArgs(&c.Call)
		translate = func(p flow.Path) (flow.Path, bool) { return flow.Substitute(p, outer, args) }
		a.given = func(p *ssa.Parameter) ssa.Value {
			if i := slices.Index(outer.Params, p); i >= 0 && i < len(args) {
				return args[i]
			}
			return nil
		}
	}
	a.local = translate
	if t.Bound {
		a.recv = func() (flow.Path, bool) { return translate(flow.PathOf(t.Closure.Bindings[0])) }
	}
	return a
}

// class is the class of the callee's lock r, which may be an argument itself: func f(mu *sync.Mutex).
func (a actuals) class(r Ref) Class {
	if r.Param < 0 || r.Param >= len(a.args) || r.local != nil || a.recv != nil {
		return r.Class
	}
	if r.Class == "" && r.Sel == "" {
		return lockClass(a.args[r.Param])
	}
	if strings.Count(r.Sel, ".") == 1 { // a field of the argument itself, which may lie in another object
		return r.Class.within(a.args[r.Param])
	}
	return r.Class
}

// encloses reports whether fn is outer or lies in it.
func encloses(outer, fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == outer {
			return true
		}
	}
	return false
}

// loadedField is the field that v was loaded from, or that has the list or map of which v is an element, and the object
// that has it.
func loadedField(v ssa.Value) (*types.Var, ssa.Value, bool) {
	v = flow.Resolve(v)
	switch x := v.(type) {
	case *ssa.UnOp:
		if elem, ok := x.X.(*ssa.IndexAddr); ok {
			v = elem.X
		}
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.Next:
			if r, ok := t.Iter.(*ssa.Range); ok {
				v = r.X
			}
		case *ssa.Lookup:
			v = t.X
		}
	case *ssa.Lookup:
		v = x.X
	}
	if fa := flow.LoadedFrom(v); fa != nil {
		f := flow.Field(fa.X.Type(), fa.Field)
		return f, fa.X, f != nil
	}
	if x, ok := flow.Resolve(v).(*ssa.Field); ok {
		f := flow.Field(x.X.Type(), x.Field)
		return f, x.X, f != nil
	}
	return nil, nil, false
}

// path is the callee's name r in terms of the caller.
func (in *interp) path(r Ref, a actuals) (flow.Path, bool) {
	switch {
	case r.local != nil:
		p := flow.Path{Root: r.local, Sel: r.Sel}
		if a.local != nil {
			return a.local(p)
		}
		return p, true
	case r.Param == 0 && a.recv != nil:
		p, ok := a.recv()
		if !ok {
			return p, false
		}
		return in.e.canonical(flow.Path{Root: p.Root, Sel: p.Sel + r.Sel}), true
	case r.Param == 0 && a.sel != "":
		r.Sel = a.sel + r.Sel
	}
	p, ok := r.pathIn(in.e.prog, a.args)
	if !ok {
		return p, false
	}
	if r.Param == 0 && a.recvT != nil {
		if q, ok := in.e.backThrough(p, r.Sel, a.recvT); ok {
			p = q
		}
	}
	return in.e.canonical(p), true
}

// paramCall notes that the function calls its own parameter, or, a literal, one of a function around it.
func (in *interp) paramCall(at ssa.CallInstruction, p *ssa.Parameter, s *state) {
	if len(in.sum.Calls) >= maxEvents {
		in.e.pkg.Cut(tooManyEvents, in.fn)
		return
	}
	pc := ParamCall{Param: slices.Index(in.fn.Params, p), Event: in.e.event(at), Held: in.around(s.held)}
	pc.Dropped = in.refs(s.dropped)
	if pc.Param < 0 {
		pc.local = p
	}
	for _, old := range in.sum.Calls {
		if old.Pos == pc.Pos && old.Param == pc.Param && old.local == pc.local && slices.Equal(old.Held, pc.Held) {
			return
		}
	}
	in.sum.Calls = append(in.sum.Calls, pc)
}

// around are the locks held around the call of a parameter: those without a name for the caller by their class alone,
// which the order of locks needs.
func (in *interp) around(held []Hold) []HeldRef {
	var out []HeldRef
	for _, h := range held {
		if r, ok := refOf(in.fn, h.Path, h.Class); ok {
			out = append(out, HeldRef{Ref: r, Mode: h.Mode})
		} else if h.Class != "" {
			out = append(out, HeldRef{Ref: Ref{Param: -1, Class: h.Class}, Mode: h.Mode})
		}
	}
	return out
}

// callArg applies the function value v that a callee calls in place; extra is what the callee holds around the call.
func (in *interp) callArg(at ssa.CallInstruction, v ssa.Value, extra []Hold, s *state) {
	t := s.clone()
	t.held = append(t.held, extra...)
	if p, ok := flow.Resolve(v).(*ssa.Parameter); ok && encloses(p.Parent(), in.fn) {
		in.paramCall(at, p, t)
		return
	}
	// How often the callee calls it is not known, so its effect on the locks counts for nothing afterwards.
	fns, _ := in.e.origins.FewFuncs(v)
	if len(fns) == 0 {
		if fn := flow.FuncValue(v); fn != nil {
			fns = []origin.Func{{Fn: fn}}
		}
	}
	if len(fns) > 3 {
		in.e.pkg.Cut("calls may run too many functions to follow", at)
		return
	}
	for _, f := range fns {
		if f.Fn == in.fn { // a wrapper around what was there before it, not around itself
			continue
		}
		target := origin.Target{Func: f}
		if f.Bound { // its receiver is the binding
			target.Args = f.Closure.Bindings
		}
		in.apply(at, f.Fn, in.actualsOf(target, v), t.clone(), false)
	}
}

// formatted applies the String or Error methods that package fmt calls on the arguments of call, in place.
func (in *interp) formatted(at ssa.CallInstruction, call *ssa.CallCommon, s *state) {
	if len(call.Args) == 0 || len(s.held) == 0 {
		return
	}
	verbs := formatVerbs(call)
	for i, v := range flow.Elements(call.Args[len(call.Args)-1]) {
		if verbs != nil && (i >= len(verbs) || !strings.ContainsRune("svqxXT", verbs[i])) {
			continue
		}
		mi, ok := v.(*ssa.MakeInterface)
		if !ok {
			continue
		}
		methods := []string{"Error", "String"}
		if verbs != nil && verbs[i] == 'T' {
			methods = []string{"GoString"}
		}
		for _, name := range methods {
			obj, path, _ := types.LookupFieldOrMethod(mi.X.Type(), false, in.e.pass.Pkg, name)
			m, ok := obj.(*types.Func)
			if !ok || m.Type().(*types.Signature).Params().Len() > 0 {
				continue
			}
			if fn := in.e.prog.FuncValue(m.Origin()); fn != nil && len(path) == 1 {
				in.apply(at, fn, actuals{args: []ssa.Value{mi.X}}, s.clone(), false)
			}
			break
		}
	}
}

// formatVerbs are the verbs of a constant format, one for each argument; nil if there is no format, or it has explicit
// indices or widths.
func formatVerbs(call *ssa.CallCommon) []rune {
	if len(call.Args) < 2 {
		return nil
	}
	c, ok := call.Args[len(call.Args)-2].(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return nil
	}
	verbs := []rune{}
	format := []rune(constant.StringVal(c.Value))
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		sharp := false
		for i++; i < len(format) && strings.ContainsRune("+-# 0123456789.", format[i]); i++ {
			sharp = sharp || format[i] == '#'
		}
		if i == len(format) || format[i] == '*' || format[i] == '[' {
			return nil
		}
		switch {
		case format[i] == 'v' && sharp:
			verbs = append(verbs, 'T') // it asks for a GoStringer, as no other verb does
		case format[i] != '%':
			verbs = append(verbs, format[i])
		}
	}
	return verbs
}

// An application instantiates the summary of a callee at a call, in one state of the caller.
type application struct {
	in  *interp
	at  ssa.CallInstruction
	a   actuals
	s   *state
	hop Hop
}

// apply instantiates the summary of fn, called with a, in s. The effects on the lock set count only if the call runs fn
// for certain; otherwise the locks that fn may release are removed.
func (in *interp) apply(at ssa.CallInstruction, fn *ssa.Function, a actuals, s *state, surely bool) {
	sum := in.e.summary(fn)
	if _, ok := in.ownerGuards(nil, a); !ok || sum.empty() {
		return
	}
	in.e.work += len(sum.Acquires) + len(sum.Blocks) + len(sum.Slow) + len(sum.Calls) + len(sum.Opens)
	ap := in.application(at, fn, a, s)
	ap.happens(sum)
	if surely {
		ap.effects(fn, sum)
	} else {
		in.mayRelease(sum, ap.path, s)
	}
}

// happens records the events of sum.
func (ap *application) happens(sum *Summary) {
	for i := range sum.Acquires {
		ap.acquires(&sum.Acquires[i])
	}
	for _, b := range sum.Blocks {
		ap.blocks(b)
	}
	for _, x := range sum.Slow {
		if ev, held, dropped, ok := ap.event(x.Event); ok && (x.Over == nil || ap.in.over(&x, ap.a)) {
			x.Event = ev
			ap.in.recordSlow(SlowOccurrence{ap.at, held, x}, dropped)
		}
	}
	for i := range sum.Calls {
		ap.calls(&sum.Calls[i])
	}
	for i := range sum.Opens {
		ap.opens(&sum.Opens[i])
	}
}

// application is of the summary of fn at the call.
func (in *interp) application(at ssa.CallInstruction, fn *ssa.Function, a actuals, s *state) *application {
	hop := Hop{Func: flow.FuncName(fn), Pos: flow.Pos(at), At: in.e.at(flow.Pos(at))}
	if fn.Parent() != nil {
		hop.Func = "the function literal"
		if !encloses(flow.Decl(in.fn), fn) {
			hop.Func = "the function literal of " + flow.FuncName(fn)
		}
	}
	return &application{in, at, a, s, hop}
}

// callbacks applies what a call of which the rest is known by name calls of what it is given.
func (in *interp) callbacks(at ssa.CallInstruction, call *ssa.CallCommon, s *state) {
	fn := flow.StaticCallee(call)
	if fn == nil {
		return
	}
	if sum := in.e.summary(fn); !sum.empty() {
		ap := in.application(at, fn, actuals{args: flow.AllArgs(call)}, s)
		for i := range sum.Calls {
			ap.calls(&sum.Calls[i])
		}
	}
}

// path is r in terms of the caller.
func (ap *application) path(r Ref) (flow.Path, bool) { return ap.in.path(r, ap.a) }

// event is ev of the callee as the caller sees it, what is held there, less what the callee released before, and what
// the caller's callers have lost by then. It is false where ev does not happen, or is too far away.
func (ap *application) event(ev Event) (seen Event, held, dropped []Hold, ok bool) {
	if ev.depth() >= maxHops {
		ap.in.e.pkg.Cut("call chains were cut", ap.at)
		return ev, nil, nil, false
	}
	held, dropped = ap.without(&ev)
	kept, ok := ap.in.ownerGuards(ev.Owners, ap.a)
	if !ok {
		return ev, nil, nil, false
	}
	ev.Owners, ev.Maybe = kept, ev.Maybe || ap.a.maybe
	if len(ev.Guards) > 0 {
		ev.Guards, ok = ap.in.choose(ev.Guards, ap.a.args)
	}
	return ev.behind(ap.hop), held, dropped, ok
}

// without is what is held at ev and what is dropped by then.
func (ap *application) without(ev *Event) (held, dropped []Hold) {
	if len(ev.Dropped) == 0 {
		return ap.s.held, ap.s.dropped
	}
	var gone []Hold
	for _, r := range ev.Dropped {
		if p, ok := ap.path(r); ok {
			gone = append(gone, Hold{Path: p, Class: r.Class})
		}
	}
	for _, h := range ap.s.held {
		if _, ok := find(gone, h.Path); !ok {
			held = append(held, h)
		}
	}
	return held, append(gone, ap.s.dropped...)
}

// passed are refs, locks that the callee takes, in the terms of the caller.
func (ap *application) passed(refs []HeldRef) []Hold {
	out := make([]Hold, len(refs))
	for i, r := range refs {
		p, _ := ap.path(r.Ref)
		out[i] = Hold{Path: p, Class: ap.a.class(r.Ref), Mode: r.Mode}
	}
	return out
}

func (ap *application) acquires(acq *AcquireEvent) {
	ev, held, dropped, ok := ap.event(acq.Event)
	if !ok {
		return
	}
	p, ok := ap.path(acq.Lock)
	if !ok {
		p = flow.Path{}
	}
	ap.in.record(Occurrence{
		Instr: ap.at, Held: held, Lock: p, Again: ap.in.again(p, held, ap.s),
		Acquire: &AcquireEvent{Event: ev, Lock: Ref{Param: -1, Class: ap.a.class(acq.Lock)}, Mode: acq.Mode},
	}, dropped)
}

func (ap *application) blocks(b BlockEvent) {
	ev, held, dropped, ok := ap.event(b.Event)
	if !ok {
		return
	}
	bound := blocking.Bound{Limit: b.Limit, Why: b.Why}
	occ := Occurrence{Instr: ap.at, Held: held, Bound: bound, passed: ap.passed(b.Passed)}
	if b.Limit == blocking.Parameter {
		v := b.Bound.local
		if v == nil && b.Bound.Param >= 0 && b.Bound.Param < len(ap.a.args) {
			v = ap.a.args[b.Bound.Param]
		}
		if occ.Bound = blocking.BoundOf(v); occ.Bound.Limit == blocking.Deadline {
			return
		}
	}
	if b.Kind == blocking.Cond {
		if p, ok := ap.path(b.Own); ok {
			occ.Held, occ.own = removePath(held, p), p
		}
		occ.Held = b.keeps(occ.Held)
	}
	b.Event = ev
	occ.Block = &b
	ap.in.record(occ, dropped)
}

// calls applies what the callee calls of what it is given.
func (ap *application) calls(pc *ParamCall) {
	var called ssa.Value
	switch {
	case pc.local != nil && encloses(pc.local.Parent(), ap.in.fn):
		called = pc.local
	case pc.local != nil && ap.a.given != nil && ap.a.given(pc.local) != nil:
		called = ap.a.given(pc.local)
	case pc.Param >= 0 && pc.Param < len(ap.a.args):
		called = ap.a.args[pc.Param]
	default:
		return
	}
	t := ap.s.clone()
	t.held, t.dropped = ap.without(&pc.Event)
	var extra []Hold
	for _, r := range pc.Held {
		p, ok := ap.path(r.Ref)
		if c := ap.a.class(r.Ref); ok || c != "" {
			extra = append(extra, Hold{Path: p, Class: c, Mode: r.Mode, Site: ap.at, At: pc.At, By: ap.hop.Func})
		}
	}
	ap.in.callArg(ap.at, called, extra, t)
}

// effects applies the net effect of fn, with the summary sum, to the lock set after the call.
func (ap *application) effects(fn *ssa.Function, sum *Summary) {
	for _, r := range sum.May {
		if p, ok := ap.path(r); ok {
			ap.s.forget(p)
			ap.in.may = append(ap.in.may, Hold{Path: p, Class: ap.a.class(r)})
		}
	}
	for _, r := range sum.Released {
		if p, ok := ap.path(r.Ref); ok && ap.s.release(p, r.Mode, ap.a.class(r.Ref)) {
			ap.in.freed[p] = true
		}
	}
	for _, r := range sum.Acquired {
		if p, ok := ap.path(r.Ref); ok {
			ap.in.receive(ap.at, fn, r.Ref, p)
			ap.s.acquire(Hold{Path: p, Class: ap.a.class(r.Ref), Mode: r.Mode, Site: ap.at})
		}
	}
}

// mayRelease removes from the lock set what a function releases that may run: those locks are in the lock set on some
// paths only.
func (in *interp) mayRelease(sum *Summary, path func(Ref) (flow.Path, bool), s *state) {
	drop := func(r Ref) {
		if p, ok := path(r); ok {
			s.forget(p)
			in.may = append(in.may, Hold{Path: p, Class: r.Class})
			return
		}
		s.forgetClass(r.Class)
	}
	for _, r := range sum.May {
		drop(r)
	}
	for _, r := range sum.Released {
		drop(r.Ref)
	}
}
