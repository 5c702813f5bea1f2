package lock

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// A wait on another goroutine ends when that goroutine acts. Whether it can, while a lock is held, depends on whether
// it needs the same lock: the peers of a channel, a wait group or a condition variable are the functions of the
// package that receive, send or close, call Done, or signal.

// peerKey names a channel, wait group or condition variable: by class, or a local one by the value that made it.
type peerKey struct {
	class Class
	local ssa.Value
}

func keyOf(v ssa.Value) (peerKey, bool) {
	if c := classOf(v); c != "" {
		return peerKey{class: c}, true
	}
	p := flow.PathOf(v)
	switch p.Root.(type) {
	case *ssa.MakeChan, *ssa.Alloc:
		if p.Sel == "" {
			return peerKey{local: p.Root}, true
		}
	}
	return peerKey{}, false
}

// A peerOp is what a peer does to end a wait: instr in fn, or the return of fn where instr is nil.
type peerOp struct {
	fn    *ssa.Function
	instr ssa.Instruction
}

type peerIndex struct {
	alias                                          map[ssa.Value]Class // channels that are made in a local variable and kept in a field
	escapes                                        map[peerKey]bool    // channels that code outside the package's sight may hold
	receivers, senders, closers, doners, signalers map[peerKey][]peerOp
	caps                                           map[peerKey][]bool // of each make: whether it has a buffer
	condLocks                                      map[Class]string   // condition variable's class → its Sel and the lock's Sel
	condPaths                                      map[flow.Path]flow.Path
	sites                                          map[*ssa.Function][]ssa.Instruction // calls on the caller's goroutine
	asked                                          []*Peers
	previous                                       map[*ssa.Function]*Summary
}

func (e *engine) indexPeers() *peerIndex {
	ix := &peerIndex{
		receivers: map[peerKey][]peerOp{}, senders: map[peerKey][]peerOp{}, closers: map[peerKey][]peerOp{},
		doners: map[peerKey][]peerOp{}, signalers: map[peerKey][]peerOp{},
		sites: map[*ssa.Function][]ssa.Instruction{}, alias: map[ssa.Value]Class{}, escapes: map[peerKey]bool{},
		caps: map[peerKey][]bool{}, condLocks: map[Class]string{}, condPaths: map[flow.Path]flow.Path{},
	}
	add := func(m map[peerKey][]peerOp, v ssa.Value, fn *ssa.Function, in ssa.Instruction) {
		if k, ok := ix.keyOf(v); ok {
			m[k] = append(m[k], peerOp{fn, in})
		}
	}
	e.eachInstr(func(in ssa.Instruction) {
		if st, ok := in.(*ssa.Store); ok {
			ix.store(st)
		}
	})
	e.eachInstr(ix.escape)
	for _, fn := range e.pkg.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.Send:
					add(ix.senders, in.Chan, fn, in)
				case *ssa.UnOp:
					if in.Op == token.ARROW {
						add(ix.receivers, in.X, fn, in)
					}
				case *ssa.Select:
					for _, st := range in.States {
						if st.Dir == types.SendOnly {
							add(ix.senders, st.Chan, fn, in)
						} else {
							add(ix.receivers, st.Chan, fn, in)
						}
					}
				case *ssa.MakeChan:
					if k, ok := ix.keyOf(in); ok {
						ix.caps[k] = append(ix.caps[k], buffered(in))
					}
				case ssa.CallInstruction:
					ix.call(in, fn, add)
				}
			}
		}
	}
	return ix
}

func (e *engine) eachInstr(do func(ssa.Instruction)) {
	for _, fn := range e.pkg.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				do(in)
			}
		}
	}
}

// keyOf is the package's keyOf with the field in place of a local variable that fills it.
func (ix *peerIndex) keyOf(v ssa.Value) (peerKey, bool) {
	k, ok := keyOf(v)
	if c := ix.alias[k.local]; ok && c != "" {
		return peerKey{class: c}, true
	}
	return k, ok
}

// escape notes the channels that in hands to code which the index does not see: as an argument, a result, an element,
// or another name; and those fields that hold a channel from elsewhere.
func (ix *peerIndex) escape(in ssa.Instruction) {
	switch x := in.(type) {
	case *ssa.Send:
		ix.escaped(x.X)
		return
	case *ssa.Store:
		if !isChan(x.Val) {
			return
		}
		switch flow.Resolve(x.Val).(type) {
		case *ssa.MakeChan, *ssa.Const: // a new one, nil
			return
		}
		if k, ok := ix.keyOf(x.Addr); ok {
			ix.escapes[k] = true // it holds a channel that was made elsewhere
		}
		ix.escaped(x.Val)
		return
	case *ssa.UnOp, *ssa.Select, *ssa.BinOp, *ssa.DebugRef, *ssa.ChangeType, *ssa.Phi, *ssa.FieldAddr, *ssa.Field, *ssa.MakeChan, *ssa.MakeClosure:
		return
	case ssa.CallInstruction:
		if _, ok := x.Common().Value.(*ssa.Builtin); ok {
			return
		}
	}
	for _, op := range in.Operands(nil) {
		if *op != nil {
			ix.escaped(*op)
		}
	}
}

func isChan(v ssa.Value) bool { _, ok := v.Type().Underlying().(*types.Chan); return ok }

func (ix *peerIndex) escaped(v ssa.Value) {
	if isChan(v) {
		if k, ok := ix.keyOf(v); ok {
			ix.escapes[k] = true
		}
	}
}

func buffered(mk *ssa.MakeChan) bool {
	c, ok := mk.Size.(*ssa.Const)
	return !ok || c.Value == nil || constant.Sign(c.Value) > 0
}

// store notes the buffer of a channel that goes to a field or variable, and the lock of a condition variable.
func (ix *peerIndex) store(st *ssa.Store) {
	switch x := flow.Resolve(st.Val).(type) {
	case *ssa.MakeChan:
		if c := classOf(st.Addr); c != "" {
			ix.alias[x] = c
		}
	case *ssa.Call:
		if (kube.Symbol{Pkg: "sync", Name: "NewCond"}).Is(flow.Callee(&x.Call)) {
			ix.bindCond(st.Addr, flow.PathOf(st.Addr), flow.PathOf(x.Call.Args[0]))
		}
	}
	if fa, ok := st.Addr.(*ssa.FieldAddr); ok && kube.IsType(fa.X.Type(), "sync", "Cond") && flow.PathOf(fa).Known() && strings.HasSuffix(flow.PathOf(fa).Sel, ".L") {
		ix.bindCond(fa.X, flow.PathOf(fa.X), flow.PathOf(st.Val))
	}
}

func (ix *peerIndex) bindCond(addr ssa.Value, cond, lock flow.Path) {
	if !cond.Known() || !lock.Known() {
		return
	}
	ix.condPaths[cond] = lock
	if c := classOf(addr); c != "" && cond.Root == lock.Root {
		ix.condLocks[c] = cond.Sel + "\x00" + lock.Sel
	}
}

func (ix *peerIndex) call(in ssa.CallInstruction, fn *ssa.Function, add func(map[peerKey][]peerOp, ssa.Value, *ssa.Function, ssa.Instruction)) {
	call := in.Common()
	if c, ok := in.(*ssa.Call); ok {
		if f := flow.StaticCallee(call); f != nil {
			ix.sites[f] = append(ix.sites[f], c)
		}
	}
	if b, ok := call.Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			add(ix.closers, call.Args[0], fn, in)
		}
		return
	}
	callee := flow.Callee(call)
	if callee == nil || callee.Pkg() == nil {
		return
	}
	switch s := kube.SymbolOf(callee); {
	case s == kube.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Done"}:
		add(ix.doners, flow.Recv(call), fn, in)
	case s == kube.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Go"},
		s == kube.Symbol{Pkg: "golang.org/x/sync/errgroup", Recv: "Group", Name: "Go"}:
		if f := flow.FuncValue(flow.Args(call)[0]); f != nil {
			add(ix.doners, flow.Recv(call), f, nil)
		}
	case s == kube.Symbol{Pkg: "sync", Recv: "Cond", Name: "Signal"}, s == kube.Symbol{Pkg: "sync", Recv: "Cond", Name: "Broadcast"}:
		add(ix.signalers, flow.Recv(call), fn, in)
	}
}

// condLock is the lock that belongs to the condition variable at v.
func (e *engine) condLock(v ssa.Value) (flow.Path, bool) {
	p := flow.PathOf(v)
	if l, ok := e.peers.condPaths[p]; ok {
		return l, true
	}
	if b, ok := e.peers.condLocks[classOf(v)]; ok {
		cond, lock, _ := strings.Cut(b, "\x00")
		if base, ok := strings.CutSuffix(p.Sel, cond); ok {
			return flow.Path{Root: p.Root, Sel: base + lock}, true
		}
	}
	return flow.Path{}, false
}

// peersOf prepares the peers of a wait; nil where the wait cannot be judged at all. They are filled in by resolvePeers,
// when all summaries are known.
func (e *engine) peersOf(w blocking.Wait) *Peers {
	p := &Peers{kind: w.Kind}
	k, ok := peerKey{}, false
	if w.On != nil {
		k, ok = e.peers.keyOf(w.On)
	}
	switch {
	case ok:
		p.key = k
	case w.Kind == blocking.Group:
		return nil // whose goroutines they are is not known
	default:
		p.Unknown = true
	}
	e.peers.asked = append(e.peers.asked, p)
	return p
}

func (e *engine) resolvePeers() {
	for _, p := range e.peers.asked {
		ix := e.peers
		var ops []peerOp
		switch p.kind {
		case blocking.Send:
			ops = ix.receivers[p.key]
			p.Buffered = len(ix.caps[p.key]) > 0
			for _, b := range ix.caps[p.key] {
				p.Buffered = p.Buffered && b
			}
			// One send, once, into a buffer of its own never waits.
			if s := ix.senders[p.key]; p.Buffered && p.key.local != nil && len(s) == 1 && !flow.InLoop(s[0].instr.Block()) {
				continue
			}
		case blocking.Receive:
			ops = slices.Concat(ix.senders[p.key], ix.closers[p.key])
		case blocking.Group:
			ops = ix.doners[p.key]
		case blocking.Cond:
			ops = ix.signalers[p.key]
		case blocking.Select:
			ops = slices.Concat(ix.senders[p.key], ix.closers[p.key], ix.receivers[p.key])
		}
		p.Unknown = p.Unknown || ix.escapes[p.key] || visible(p.key)
		p.Found = len(ops) > 0
		for _, op := range ops {
			if !slices.Contains(p.fns, op.fn) {
				p.fns = append(p.fns, op.fn)
			}
			p.takes(e, op)
		}
	}
}

// takes adds the locks that the peer may acquire before it comes to op.
func (p *Peers) takes(e *engine, op peerOp) {
	res := e.results[op.fn]
	if res == nil {
		return
	}
	// A function that is called in a loop comes to its operation again after everything else it does.
	again := slices.ContainsFunc(e.peers.sites[op.fn], func(in ssa.Instruction) bool { return flow.InLoop(in.Block()) })
	for _, o := range res.Events {
		if o.Acquire == nil || !again && !before(o.Instr, op.instr) || len(p.Takes) >= maxEvents {
			continue
		}
		p.Takes = append(p.Takes, Taken{
			Class: o.Acquire.Lock.Class, Mode: o.Acquire.Mode,
			By:    fmt.Sprintf("%s at %s", flow.FuncName(op.fn), e.at(flow.Pos(o.Instr))),
			local: o.Lock, fn: op.fn, instr: o.Instr,
		})
	}
}

// before reports whether an acquisition at a can come before the peer's operation at b, loops included. Deferred calls
// run at the end, the last one first; a nil b is the return itself.
func before(a, b ssa.Instruction) bool {
	_, lateA := a.(*ssa.Defer)
	_, lateB := b.(*ssa.Defer)
	switch {
	case b == nil:
		return true
	case lateA && lateB:
		return flow.Reaches(b, a, nil)
	case lateA:
		return false
	case lateB:
		return true
	}
	return flow.Reaches(a, b, nil)
}

// visible reports whether other packages can reach the channel: it is an exported field or variable.
func visible(k peerKey) bool {
	name := string(k.class)
	return name != "" && token.IsExported(name[strings.LastIndex(name, ".")+1:])
}

// Needs reports whether the wait of waiter cannot end because of the lock h, and which peer shows it. A wait for a
// group ends when all its goroutines are done, so one that needs the lock is enough; any other wait ends when one peer
// acts, so all of them must need it. The waiter is no peer of its own. Readers need a lock only where writer says that
// its class is locked for writing somewhere.
func (p *Peers) Needs(h Hold, waiter *ssa.Function, writer func(Class) bool) (string, bool) {
	first, n := "", map[*ssa.Function]bool{}
	for _, t := range p.Takes {
		if t.fn == waiter && waiter != nil || (h.Class == "" || t.Class != h.Class) && (!t.local.Known() || t.local != h.Path) {
			continue
		}
		if h.Mode == Read && t.Mode == Read && !writer(t.Class) {
			continue
		}
		// What the peer locked before it started the waiter is over.
		if site := startOf(waiter); site != nil && site.Parent() == t.fn && !flow.Reaches(site, t.instr, nil) {
			continue
		}
		if first == "" {
			first = t.By
		}
		n[t.fn] = true
	}
	others := len(p.fns)
	if slices.Contains(p.fns, waiter) {
		others--
	}
	return first, first != "" && (p.kind == blocking.Group || len(n) >= others)
}

// startOf is where the function literal fn is made; nil for other functions.
func startOf(fn *ssa.Function) ssa.Instruction {
	if fn == nil {
		return nil
	}
	if mc := flow.ClosureSite(fn); mc != nil {
		return mc
	}
	return nil
}
