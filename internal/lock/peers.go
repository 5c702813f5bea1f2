package lock

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A wait for another goroutine ends when that goroutine acts. The peers of a channel, a wait group or a condition
// variable are the operations of the package that end its waits: receive, send or close, Done, Signal. Each has its
// contexts, the call chains from the start of a goroutine, with the locks that are acquired on the way.

// Peers are the ways in which a wait can end, as far as the package shows them.
type Peers struct {
	Any      bool      // one that needs the lock is enough: all goroutines of a group have to finish
	None     bool      // nothing can end it: no code of the package does, and no other code can
	Buffered bool      // it sends, and every channel is made with a buffer
	Unknown  bool      // unknown code may end it
	Contexts []Context // one for each way to a place that ends it
	Missing  string    // for None: what there is no code for: "a receiver", "a call to Done"

	Exits []ReceiverExit // the receivers, where all of them can leave for another reason

	// For Unknown: the names of the channel in other packages; whether it also flows to places without a name, or has
	// room for all sends.
	Names        []string
	Stray, Roomy bool

	Repeats    bool // the wait can be executed more than once
	MayBeReady bool // the wait may be over at once: the buffer may have a value, or the group may be empty
	waiter     *ssa.Function
	at         ssa.Instruction // the wait itself
	ends       []blocking.End
	idle       []string     // functions that could end the wait, and that the program does not call
	engine     *engine      // of the package; nil where other packages have read the fact
	joined     origin.Group // the group that is waited for, where it has places that join it
}

// A peerOp is what a peer does to end a wait: instr in fn, or the return of fn where instr is nil.
type peerOp struct {
	fn    *ssa.Function
	instr ssa.Instruction
}

// A role is what a place does to a group.
type role uint8

const (
	receives role = iota
	sends
	closes
	isDone
	adds
	signals
	releases
	acquires // a semaphore, or tries to
)

// ops are the places of a group.
type ops map[role][]peerOp

type peerIndex struct {
	changers    map[Class][]peerOp // of plain and atomic variables
	groups      map[origin.Group]ops
	condLocks   map[Class]condBinding // by the condition variable's class
	condPaths   map[flow.Path]condBinding
	condLs      map[Class][]ssa.Value // what is stored to the L of a condition variable
	pending     []*Peers
	contexts    program.Answers[opOfGroup, []Context]
	shares      program.Answers[shareKey, sites]        // as in Context
	allocations program.Answers[*ssa.MakeChan, sites]   // where each is made
	joins       program.Answers[origin.Group, sites]    // that lead to where a group is joined
	waiters     program.Answers[ssa.Instruction, sites] // that lead to a wait
	exits       program.Answers[origin.Group, []ReceiverExit]
	ends        program.Answers[endKey, []Context]
	afterExits  program.Answers[*ssa.BasicBlock, AfterExit]
	stores      map[Class][]*ssa.Store // by the class of the outermost object; nil until they are needed
	drains      map[Class]*drain
	commonLock  program.Answers[origin.Group, bool]        // as in together
	receivesOwn program.Answers[origin.Group, bool]        // as in receivesOwn
	others      program.Answers[resetKey, []*ssa.Function] // that store to a flag and are no receivers, two at most
	// of which a method is a value that others may call, as in return wg.Done
	values map[origin.Group]bool
}

// An endKey stands for the peers of all waits of one kind on one group.
type endKey struct {
	group  origin.Group
	kind   blocking.Kind
	closed bool // only a close ends it
}

// A condBinding is the lock of a condition variable: where it lies, seen from the object that has the variable.
type condBinding struct {
	cond, lock string // the steps to each from their common root
	path       flow.Path
	mode       Mode
	class      Class
}

func (e *engine) indexPeers() *peerIndex {
	ix := &peerIndex{
		changers: map[Class][]peerOp{},
		groups:   map[origin.Group]ops{}, values: map[origin.Group]bool{}, drains: map[Class]*drain{},
		condLocks: map[Class]condBinding{}, condPaths: map[flow.Path]condBinding{}, condLs: map[Class][]ssa.Value{},
	}
	var servers []*ssa.Store
	for _, fn := range e.pkg.Funcs {
		for in := range flow.Instrs(fn) {
			op := peerOp{fn, in}
			note := func(r role, v ssa.Value) { ix.note(e.origins.GroupOf(v), r, op) }
			switch in := in.(type) {
			case *ssa.Store:
				e.bindConds(ix, in)
				if setsHandler(in) {
					servers = append(servers, in)
				}
				if c := classOf(in.Addr); c != "" {
					ix.changers[c] = append(ix.changers[c], op)
				}
			case *ssa.MakeClosure:
				// a bound method
				if obj := flow.Object(in.Fn.(*ssa.Function)); obj != nil && len(in.Bindings) == 1 &&
					endsWait[obj.Name()] {
					ix.values[e.origins.GroupOf(in.Bindings[0])] = true
				}
			case *ssa.Send:
				note(sends, in.Chan)
			case *ssa.UnOp:
				if in.Op == token.ARROW {
					note(receives, in.X)
				}
			case *ssa.Select:
				for _, st := range in.States {
					if st.Dir == types.SendOnly {
						note(sends, st.Chan)
					} else {
						note(receives, st.Chan)
					}
				}
			case ssa.CallInstruction:
				e.indexCall(ix, in, note)
				if c := changed(in.Common()); c != "" {
					ix.changers[c] = append(ix.changers[c], op)
				}
			}
		}
	}
	for _, st := range servers {
		e.indexServer(ix, st)
	}
	return ix
}

func (ix *peerIndex) note(g origin.Group, r role, op peerOp) {
	if ix.groups[g] == nil {
		ix.groups[g] = ops{}
	}
	ix.groups[g][r] = append(ix.groups[g][r], op)
}

func (e *engine) indexCall(ix *peerIndex, in ssa.CallInstruction, note func(role, ssa.Value)) {
	call := in.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			note(closes, call.Args[0])
		}
		return
	}
	callee := flow.Callee(call)
	if callee == nil || callee.Pkg() == nil {
		return
	}
	for i, a := range flow.Args(call) {
		if kubeapi.TakesStop(callee, i) {
			note(receives, a)
		}
	}
	recv := flow.Recv(call)
	e.indexDrain(ix, in, callee, recv)
	switch s := kubeapi.SymbolOf(callee); {
	case s == kubeapi.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Done"}:
		note(isDone, recv)
	case s == kubeapi.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Add"}:
		if c, ok := flow.Args(call)[0].(*ssa.Const); ok && c.Value != nil && constant.Sign(c.Value) < 0 {
			note(isDone, recv)
		} else {
			note(adds, recv)
		}
	case s == kubeapi.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Go"},
		s == kubeapi.Symbol{Pkg: "golang.org/x/sync/errgroup", Recv: "Group", Name: "Go"}:
		if f := flow.FuncValue(flow.Args(call)[0]); f != nil {
			ix.note(e.origins.GroupOf(recv), isDone, peerOp{f, nil})
			note(adds, recv)
		}
	case s.Pkg == "sync" && s.Recv == "Cond" && (s.Name == "Signal" || s.Name == "Broadcast"):
		note(signals, recv)
	case s == kubeapi.Symbol{Pkg: "golang.org/x/sync/semaphore", Recv: "Weighted", Name: "Release"}:
		note(releases, recv)
	case s.Pkg == "golang.org/x/sync/semaphore" && s.Recv == "Weighted" &&
		(s.Name == "Acquire" || s.Name == "TryAcquire"):
		note(acquires, recv)
	}
}

// endsWait are the methods of a wait group, a condition variable and a semaphore by which a wait for it ends.
var endsWait = map[string]bool{"Done": true, "Signal": true, "Broadcast": true, "Release": true}

// changed is the class of the atomic variable that call writes, "" for other calls.
func changed(call *ssa.CallCommon) Class {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" || len(call.Args) == 0 ||
		strings.HasPrefix(fn.Name(), "Load") {
		return ""
	}
	return classOf(call.Args[0])
}

// bindConds notes the lock of a condition variable where one is made.
func (e *engine) bindConds(ix *peerIndex, st *ssa.Store) {
	bind := func(addr ssa.Value, cond flow.Path, locker ssa.Value) {
		b := condBinding{mode: Write, class: classOf(locker), path: flow.PathOf(locker)}
		if sel := promoted(locker); sel != "" && b.path.Known() {
			b.path.Sel += sel
			if b.class != "" {
				b.class += Class(sel)
			}
		}
		if c, ok := flow.Resolve(locker).(*ssa.Call); ok &&
			(kubeapi.Symbol{Pkg: "sync", Recv: "RWMutex", Name: "RLocker"}).Is(flow.Callee(&c.Call)) {
			b.mode, b.class, b.path = Read, classOf(flow.Recv(&c.Call)), flow.PathOf(flow.Recv(&c.Call))
		}
		if c := classOf(addr); c != "" {
			ix.condLs[c] = append(ix.condLs[c], locker)
		}
		if !cond.Known() || !b.path.Known() {
			return
		}
		ix.condPaths[cond] = b
		if c := classOf(addr); c != "" && cond.Root == b.path.Root {
			b.cond, b.lock = cond.Sel, b.path.Sel
			ix.condLocks[c] = b
		}
	}
	if x, ok := flow.Resolve(st.Val).(*ssa.Call); ok &&
		(kubeapi.Symbol{Pkg: "sync", Name: "NewCond"}).Is(flow.Callee(&x.Call)) {
		bind(st.Addr, flow.PathOf(st.Addr), x.Call.Args[0])
	}
	if fa, ok := st.Addr.(*ssa.FieldAddr); ok && kubeapi.IsType(fa.X.Type(), "sync", "Cond") {
		bind(fa.X, flow.PathOf(fa.X), st.Val)
	}
}

// promoted are the steps from the object v, which is used as a Locker, to the mutex whose methods it has.
func promoted(v ssa.Value) string {
	v = flow.Unwrap(v)
	if types.IsInterface(v.Type()) {
		return ""
	}
	_, path, _ := types.LookupFieldOrMethod(v.Type(), true, nil, "Lock")
	sel, t := "", v.Type()
	for _, i := range path[:max(0, len(path)-1)] {
		f := flow.Field(t, i)
		if f == nil {
			return ""
		}
		sel, t = sel+"."+f.Name(), f.Type()
	}
	return sel
}

// condLock is the lock that belongs to the condition variable at v.
func (e *engine) condLock(v ssa.Value) (op, bool) {
	p := flow.PathOf(v)
	if b, ok := e.peers.condPaths[p]; ok {
		return op{mode: b.mode, lock: b.path, class: b.class}, true
	}
	if b, ok := e.peers.condLocks[classOf(v)]; ok {
		if base, ok := strings.CutSuffix(p.Sel, b.cond); ok {
			return op{mode: b.mode, lock: flow.Path{Root: p.Root, Sel: base + b.lock}, class: b.class}, true
		}
	}
	return op{}, false
}

// condClasses are the classes of the locks that a condition variable at v may release; false if there may be others.
func (e *engine) condClasses(v ssa.Value) (classes []Class, all bool) {
	ls := e.peers.condLs[classOf(v)]
	all = len(ls) > 0
	locks := values.From(ls...)
	for v := range locks.All() {
		v = flow.Unwrap(v)
		if c, ok := v.(*ssa.Call); ok &&
			(kubeapi.Symbol{Pkg: "sync", Recv: "RWMutex", Name: "RLocker"}).Is(flow.Callee(&c.Call)) {
			v = flow.Recv(&c.Call)
		}
		if c := lockClass(v); c != "" {
			classes = append(classes, c+Class(promoted(v)))
			continue
		}
		p, ok := v.(*ssa.Parameter)
		if !ok || e.callable(p.Parent()) || len(e.origins.Callers(p.Parent())) == 0 {
			all = false
			continue
		}
		i := slices.Index(p.Parent().Params, p)
		for _, call := range e.origins.Callers(p.Parent()) {
			args := flow.AllArgs(call.Common())
			if flow.StaticCallee(call.Common()) != p.Parent() || i >= len(args) {
				all = false
				continue
			}
			locks.Add(args[i])
		}
	}
	return classes, all
}

// peersOf prepares the peers of a wait; nil where the wait cannot be judged at all. They are filled in by resolvePeers,
// when all summaries are known.
func (e *engine) peersOf(w blocking.Wait, at ssa.Instruction) *Peers {
	p := &Peers{waiter: at.Parent(), at: at, ends: w.Ends, engine: e}
	if (w.Kind == blocking.Group || w.Kind == blocking.Acquire) && !e.origins.GroupOf(w.Ends[0].On).Known() {
		return nil // whose goroutines they are is not known
	}
	e.peers.pending = append(e.peers.pending, p)
	return p
}

func (e *engine) resolvePeers() {
	for _, p := range e.peers.pending {
		p.None, p.Repeats = true, e.repeats(p.at, maxLift)
		for _, end := range p.ends {
			e.resolveEnd(p, end)
		}
		if len(p.ends) == 0 { // select{}: it is meant to block
			p.None, p.Unknown = false, true
		}
	}
}

// maxPeers bounds the contexts of a wait; beyond it, the wait is Unknown. Each wait is checked against all of them,
// which costs the square for as many waits (TestLimits).
const (
	maxPeers     = 256
	tooManyPeers = "waits can be ended from too many places"
)

// resolveEnd adds the peers of one case of a wait.
func (e *engine) resolveEnd(p *Peers, end blocking.End) {
	if end.Kind == blocking.Change {
		p.None = false
		for _, op := range e.peers.changers[classOf(end.On)] {
			if op.fn != p.waiter && !private(flow.PathOf(end.On), op.fn) && !builds(op) {
				p.Contexts = append(p.Contexts, e.contextsOf(op, origin.Group{})...)
			}
		}
		return
	}
	if end.Kind == blocking.Drain {
		e.resolveDrain(p, end)
		return
	}
	if fns := e.awaited(end.On); len(fns) > 0 {
		p.Any, p.None, p.MayBeReady = true, false, true
		for _, fn := range fns {
			p.Contexts = append(p.Contexts, e.contextsOf(peerOp{fn, nil}, origin.Group{})...)
		}
		return
	}
	g := e.origins.GroupOf(end.On)
	if !g.Known() {
		p.Unknown, p.None = true, false
		return
	}
	if e.isReady(p, end, g) {
		p.None, p.Unknown, p.Roomy = false, true, true
		return
	}
	found, key := e.endsOf(p, end, g)
	e.addContexts(p, found, key)
	// An exported function that returns the channel has unknown users, which count unless the package itself uses the
	// channel.
	out := origin.Passed
	switch end.Kind {
	case blocking.Send:
		out |= origin.Received
	case blocking.Receive:
		out |= origin.Sent
	}
	if e.peers.values[g] {
		p.Unknown = true
	}
	if g.Escape()&out != 0 || g.Unknown() || g.Escape() != 0 && len(found) == 0 {
		p.Unknown = true
		p.Names, p.Stray = g.Names(), g.Stray() || len(p.ends) != 1
	}
	// A channel without a known allocation is nil, and the path condition excludes that, or tests allocate it.
	unmade := (end.Kind == blocking.Send || end.Kind == blocking.Receive) && len(g.Makes()) == 0
	if len(found) > 0 || unmade || p.Unknown || end.Kind == blocking.Send && p.Buffered {
		p.None = false
	}
}

// isReady reports whether the wait p for the group g is over at once: there is room, or a value, or the group is empty.
func (e *engine) isReady(p *Peers, end blocking.End, g origin.Group) bool {
	o := e.peers.groups[g]
	switch end.Kind {
	case blocking.Send:
		return e.neverWaits(p, end.On, g)
	case blocking.Receive:
		return len(p.ends) == 1 &&
			(closedBefore(p.at, o[closes]) || e.guardedReceive(p.at, end.On, g) || e.receivesOwn(g))
	case blocking.Group:
		later := len(o[adds]) > 0 && addedLater(o[adds], p.at)
		p.MayBeReady = p.MayBeReady || later
		if len(o[adds]) > 0 {
			p.joined = g
		}
		return later && !p.Repeats
	}
	return false
}

// endsOf are the operations that end the wait p in the way end on the group g, and their key in the memo. It also sets
// the fields of p that depend on them.
func (e *engine) endsOf(p *Peers, end blocking.End, g origin.Group) ([]peerOp, endKey) {
	o := e.peers.groups[g]
	found, key := o[receives], endKey{group: g, kind: end.Kind}
	switch end.Kind {
	case blocking.Send:
		found = stillOpen(found, o[closes])
		p.Missing = "a receiver"
		if len(p.ends) == 1 && g.Escape() == 0 && !g.Unknown() {
			p.Exits = e.receiverExits(found, g)
		}
	case blocking.Receive:
		found = slices.Concat(o[sends], o[closes])
		p.Missing = "a sender"
		p.MayBeReady = e.buffered(end.On, g)
		if end.Range && len(o[closes]) > 0 { // what is sent does not end it
			found, key.closed = o[closes], true
		}
	case blocking.Group:
		found, p.Any = o[isDone], true
		p.Missing = "a call to Done"
		if len(o[adds]) == 0 {
			p.None = false // nothing to wait for
		}
	case blocking.Cond:
		found = o[signals]
		p.Missing = "a call to Signal or Broadcast"
	case blocking.Acquire:
		found = o[releases]
		p.Missing = "a call to Release"
	}
	return found, key
}

// stillOpen are the receivers among them that may end a send: not those that take what is left in a channel once they
// have closed it. All of them where there are no others.
func stillOpen(receivers, closes []peerOp) []peerOp {
	open := slices.DeleteFunc(slices.Clone(receivers), func(r peerOp) bool { return closedBefore(r.instr, closes) })
	if len(open) == 0 {
		return receivers
	}
	return open
}

// addedLater reports whether the wait at is reachable from none of adds, which are all in its function.
func addedLater(adds []peerOp, at ssa.Instruction) bool {
	return !slices.ContainsFunc(adds,
		func(a peerOp) bool { return a.fn != at.Parent() || flow.Reaches(a.instr, at, nil) })
}

// neverWaits reports whether there is always room for what p sends to the channel v of the group g. It notes whether
// there is a buffer at all.
func (e *engine) neverWaits(p *Peers, v ssa.Value, g origin.Group) bool {
	p.Buffered = e.buffered(v, g)
	return e.hasRoom(g) || p.Buffered &&
		(e.onlySend(p.at, v, g) || e.guardedSend(p.at, v, g) || e.emptiedSend(p.at, v, g))
}

// buffered reports whether every channel of the group g that v may be is made with a buffer.
func (e *engine) buffered(v ssa.Value, g origin.Group) bool {
	makes := e.makesAt(v, g)
	return len(makes) > 0 && !slices.ContainsFunc(makes, func(m *ssa.MakeChan) bool { return capacity(m) == 0 })
}

// addContexts adds the ways to found, the places that key stands for, to p.
func (e *engine) addContexts(p *Peers, found []peerOp, key endKey) {
	together := e.peers.ends.Ask(key, nil, func() []Context {
		together := e.contextsOfAll(found, key.group)
		e.work += len(together)
		return slices.Clip(together)
	})
	if len(together) > maxPeers {
		e.pkg.Cut(tooManyPeers, p)
		p.Unknown, p.Exits = true, nil
	}
	if p.Contexts == nil {
		p.Contexts = together // one list for all that wait for the same
	} else {
		p.Contexts = append(p.Contexts, together...)
	}
}

// makesAt are the make calls of the group g, or those of them that are stored to the very field of the outermost object
// in which the channel v lies: an object that lies in two others by value can have a buffer in one of them only.
func (e *engine) makesAt(v ssa.Value, g origin.Group) []*ssa.MakeChan {
	place := outerClass(v)
	if place == "" {
		return g.Makes()
	}
	var here []*ssa.MakeChan
	for _, m := range g.Makes() {
		for _, r := range *m.Referrers() {
			if st, ok := r.(*ssa.Store); ok && (outerClass(st.Addr) == place || copiedTo(st.Addr, place)) {
				here = append(here, m)
			}
		}
	}
	if len(here) == 0 {
		return g.Makes()
	}
	return here
}

// outerClass is the class of a field seen from the outermost object that has it by value.
func outerClass(v ssa.Value) Class {
	if u, ok := flow.Resolve(v).(*ssa.UnOp); ok {
		v = u.X
	}
	fa, ok := v.(*ssa.FieldAddr)
	if !ok {
		return ""
	}
	f := flow.Field(fa.X.Type(), fa.Field)
	if inner, ok := fa.X.(*ssa.FieldAddr); ok && f != nil {
		if c := outerClass(inner); c != "" {
			return c + Class("."+f.Name())
		}
	}
	return classOf(fa)
}

// copiedTo reports whether the struct of which addr is a field is built in a variable and copied to where that field is
// place, as the builder of struct literals does.
func copiedTo(addr ssa.Value, place Class) bool {
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	built, ok := fa.X.(*ssa.Alloc)
	f := flow.Field(fa.X.Type(), fa.Field)
	if !ok || f == nil {
		return false
	}
	return slices.ContainsFunc(*built.Referrers(), func(r ssa.Instruction) bool {
		load, ok := r.(*ssa.UnOp)
		if !ok {
			return false
		}
		return slices.ContainsFunc(*load.Referrers(), func(r ssa.Instruction) bool {
			st, ok := r.(*ssa.Store)
			return ok && outerClass(st.Addr)+Class("."+f.Name()) == place
		})
	})
}

// builds reports whether op stores to an object that its function has just made.
func builds(op peerOp) bool {
	st, ok := op.instr.(*ssa.Store)
	return ok && private(flow.PathOf(st.Addr), op.fn)
}

// hasRoom reports whether the sends of a group never wait: the buffer has room for all that are made once, or the size
// of what is sent.
func (e *engine) hasRoom(g origin.Group) bool {
	senders := e.peers.groups[g][sends]
	if g.Unknown() || len(g.Makes()) == 0 {
		return false
	}
	for _, m := range g.Makes() {
		switch n := capacity(m); {
		case n < 0 && sizeOf(m.Size):
		case n <= 0 || n < len(senders):
			return false
		default:
			for _, s := range senders {
				if e.cfg.inLoop(s.instr.Block()) || s.fn != m.Parent() && s.fn.Parent() != m.Parent() {
					return false
				}
			}
		}
	}
	return true
}

// sizeOf reports whether v is computed from the length of something.
func sizeOf(v ssa.Value) bool {
	return flow.Any(parts(v), func(part ssa.Value) bool { return isBuiltin(part, "len") })
}

// isBuiltin reports whether v is a call of one of these builtin functions.
func isBuiltin(v ssa.Value, names ...string) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && slices.Contains(names, b.Name())
}

// capacity is the constant buffer size of a channel, -1 where it is computed.
func capacity(mk *ssa.MakeChan) int {
	c, ok := mk.Size.(*ssa.Const)
	if !ok || c.Value == nil {
		return -1
	}
	n, _ := constant.Int64Val(c.Value)
	return int(n)
}

// onlySend reports whether the buffered channel v of the group g has no value when instr sends: the function has just
// allocated it, or closes it next.
func (e *engine) onlySend(instr ssa.Instruction, v ssa.Value, g origin.Group) bool {
	m, ok := flow.Resolve(v).(*ssa.MakeChan)
	if ok && m.Parent() == instr.Parent() && (fills(instr, m) ||
		!flow.Reaches(instr, instr, func(in ssa.Instruction) bool { return in == ssa.Instruction(m) })) {
		given := published(peerOp{instr.Parent(), instr}, []*ssa.MakeChan{m})
		given = slices.DeleteFunc(given, func(in ssa.Instruction) bool { return !flow.Reaches(in, instr, nil) })
		return len(given) == 0 || e.sendsExcluded(instr, given, g)
	}
	ch := flow.PathOf(v)
	instrs := instr.Block().Instrs
	return slices.ContainsFunc(instrs[slices.Index(instrs, instr)+1:], func(in ssa.Instruction) bool {
		c, ok := in.(*ssa.Call)
		if !ok {
			return false
		}
		return isBuiltin(c, "close") && ch.Known() && flow.PathOf(c.Call.Args[0]) == ch
	})
}

// fills reports whether the send at instr is in one loop since the allocation m, with as many iterations as the channel
// has room.
func fills(instr ssa.Instruction, m *ssa.MakeChan) bool {
	var around []*flow.Loop
	for _, l := range flow.Loops(instr.Parent()) {
		if l.Blocks[instr.Block()] && !l.Blocks[m.Block()] {
			around = append(around, l)
		}
	}
	if len(around) != 1 {
		return false
	}
	turns := around[0].Turns()
	return turns != nil && flow.Resolve(turns) == flow.Resolve(m.Size)
}

// sendsExcluded reports whether all sends to the group g hold a lock that is held at instr since before the channel
// was published at given: none of them can have run.
func (e *engine) sendsExcluded(instr ssa.Instruction, given []ssa.Instruction, g origin.Group) bool {
	return slices.ContainsFunc(e.heldAt[instr], func(h Hold) bool {
		if h.Site == nil || h.Class == "" ||
			slices.ContainsFunc(given, func(in ssa.Instruction) bool { return !flow.Dominates(h.Site, in) }) {
			return false
		}
		return !slices.ContainsFunc(e.peers.groups[g][sends], func(s peerOp) bool {
			if s.instr == instr {
				return false
			}
			return slices.ContainsFunc(e.contextsOf(s, g), func(c Context) bool {
				return !slices.ContainsFunc(c.held, func(x Hold) bool { return x.Class.same(h.Class) })
			})
		})
	})
}

// guardedSend reports whether the path condition of the send of v at instr, to a buffered channel, implies room: by the
// length of the channel, by a flag that the function sets and only receivers reset, or by the map entry with the
// channel, which it deletes.
func (e *engine) guardedSend(instr ssa.Instruction, v ssa.Value, g origin.Group) bool {
	ch := flow.PathOf(v)
	deleted := map[flow.Path]bool{}
	stored := map[flow.Path]*ssa.Store{}
	for b := instr.Block(); b != nil; b = b.Idom() {
		for _, in := range b.Instrs {
			if in == instr {
				break
			}
			switch x := in.(type) {
			case *ssa.Store:
				stored[flow.PathOf(x.Addr)] = x
			case *ssa.Call:
				if isBuiltin(x, "delete") {
					deleted[flow.PathOf(x.Call.Args[0])] = true
				}
			}
		}
		d := b.Idom()
		if d == nil {
			break
		}
		c := flow.Branch(d)
		if c == nil {
			continue
		}
		for _, p := range testedPlaces(c.Cond) {
			if p == ch || deleted[p] || stored[p] != nil && e.resetByReceivers(stored[p], g) {
				return true
			}
		}
	}
	return false
}

// resetByReceivers reports whether only functions that receive from the channel or start a goroutine that does, and
// that of flag itself, store to the field that flag stores to.
func (e *engine) resetByReceivers(flag *ssa.Store, g origin.Group) bool {
	c := outerClass(flag.Addr)
	if c == "" {
		return false
	}
	if e.peers.stores == nil {
		e.peers.stores = map[Class][]*ssa.Store{}
		e.eachInstr(func(in ssa.Instruction) {
			if st, ok := in.(*ssa.Store); ok {
				if c := outerClass(st.Addr); c != "" {
					e.peers.stores[c] = append(e.peers.stores[c], st)
				}
			}
		})
	}
	others := e.peers.others.Ask(resetKey{c, g}, nil, func() (others []*ssa.Function) {
		for _, st := range e.peers.stores[c] {
			fn := st.Parent()
			if !slices.Contains(others, fn) && !slices.ContainsFunc(e.peers.groups[g][receives], func(r peerOp) bool {
				return r.fn == fn || startOf(r.fn, fn) != nil || e.calledBy(fn, r.fn)
			}) {
				if others = append(others, fn); len(others) == 2 {
					break // one of them is not that of flag
				}
			}
		}
		return others
	})
	return !slices.ContainsFunc(others, func(fn *ssa.Function) bool { return fn != flag.Parent() })
}

type resetKey struct {
	class Class
	group origin.Group
}

// calledBy reports whether every call of fn lies in by.
func (e *engine) calledBy(fn, by *ssa.Function) bool {
	callers := e.origins.Callers(fn)
	return len(callers) > 0 &&
		!slices.ContainsFunc(callers, func(c ssa.CallInstruction) bool { return c.Parent() != by })
}

// testedPlaces are the places that a condition reads: loads, lengths, and maps that are looked into.
func testedPlaces(cond ssa.Value) []flow.Path {
	var out []flow.Path
	for v := range parts(cond) {
		switch x := v.(type) {
		case *ssa.UnOp:
			out = append(out, flow.PathOf(x))
		case *ssa.Extract:
			if l, ok := x.Tuple.(*ssa.Lookup); ok {
				out = append(out, flow.PathOf(l.X))
			}
		case *ssa.Lookup:
			out = append(out, flow.PathOf(x.X))
		case *ssa.Call:
			if isBuiltin(x, "len", "cap") {
				out = append(out, flow.PathOf(x.Call.Args[0]))
			}
		}
	}
	return out
}
