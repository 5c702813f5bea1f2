package lock

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A receiver that needs no lock ends a send only once it runs. Where the goroutine that starts it takes the sender's lock for
// that, and nothing lets the one come before the other, the sender may be there first: it then waits, with the lock, for a
// receiver that waits for the lock.

// A start is where a function begins to run as a goroutine.
type start struct {
	by   string // its function, base file name and line
	fn   *ssa.Function
	at   ssa.Instruction
	held []Hold // on every path to it

	// late says that nothing orders it: fn runs as a goroutine only, and others have made the channel.
	late bool
}

// A starter is what a function that starts receivers does for others to know of it: what it, or what it calls, stores to, the channels
// that it sends to or closes, and the groups and conditions by which it lets others go on.
type starter struct {
	sets    map[Class]bool
	signals map[origin.Group]bool
}

// A use is an instruction that runs a function, or has it as a value.
type use struct {
	instr  ssa.Instruction
	spawns bool // it starts a goroutine that runs the function
	calls  bool
}

// starts indexes, for each function, the uses of it in the package.
type starts struct {
	e        *engine
	uses     map[*ssa.Function][]use
	from     map[*ssa.Function]map[*ssa.Function]bool // the functions that lead to one
	runs     map[*ssa.Function][]use                  // what of has found
	starters map[ssa.Instruction]*starter
	groups   map[origin.Group][]start
}

func (e *engine) indexStarts() *starts {
	s := &starts{
		e: e, uses: map[*ssa.Function][]use{}, from: map[*ssa.Function]map[*ssa.Function]bool{}, runs: map[*ssa.Function][]use{},
		starters: map[ssa.Instruction]*starter{}, groups: map[origin.Group][]start{},
	}
	e.eachInstr(func(in ssa.Instruction) {
		for _, v := range operands(in) {
			switch v := v.(type) {
			case *ssa.Function:
				if _, made := in.(*ssa.MakeClosure); !made {
					s.note(v, v, in)
				}
			case *ssa.MakeClosure:
				s.note(v.Fn.(*ssa.Function), v, in)
			}
		}
	})
	return s
}

// note keeps that in has v, which is the function fn or a closure of it.
func (s *starts) note(fn *ssa.Function, v ssa.Value, in ssa.Instruction) {
	if obj := flow.Object(fn); obj != nil && fn.Synthetic != "" { // a method as a value
		if m := s.e.prog.FuncValue(obj); m != nil {
			fn = m
		}
	}
	u := use{instr: in}
	if c, ok := in.(ssa.CallInstruction); ok {
		_, u.spawns = c.(*ssa.Go)
		if c.Common().Value == v {
			u.calls = !u.spawns
		} else {
			callee := flow.Callee(c.Common())
			u.spawns = callee != nil && kubeapi.MemberStarters.Has(callee)
		}
	} else if _, ok := in.(*ssa.DebugRef); ok {
		return
	}
	s.uses[fn] = append(s.uses[fn], u)
}

// of are the places where the goroutines start in which fn runs; nil where it may run in others as well.
func (s *starts) of(fn *ssa.Function) []use {
	out, ok := s.runs[fn]
	if !ok {
		out = s.find(fn)
		s.runs[fn] = out
	}
	return out
}

// find is of, where it is asked first.
func (s *starts) find(fn *ssa.Function) []use {
	seen := map[*ssa.Function]bool{}
	var out []use
	var all func(fn *ssa.Function) bool
	all = func(fn *ssa.Function) bool {
		if seen[fn] {
			return true
		}
		seen[fn] = true
		if s.e.callable(fn) || len(s.uses[fn]) == 0 {
			return false
		}
		for _, u := range s.uses[fn] {
			switch {
			case u.spawns:
				out = append(out, u)
			case !u.calls || !all(u.instr.Parent()):
				return false
			}
		}
		return true
	}
	if !all(fn) {
		return nil
	}
	return out
}

// leadTo are the functions that call to, or start it, themselves or through others.
func (s *starts) leadTo(to *ssa.Function) map[*ssa.Function]bool {
	if out, ok := s.from[to]; ok {
		return out
	}
	out := map[*ssa.Function]bool{to: true}
	for work := []*ssa.Function{to}; len(work) > 0; {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		var by []*ssa.Function
		for _, u := range s.uses[fn] {
			by = append(by, u.instr.Parent())
		}
		for _, c := range s.e.origins.Callers(fn) {
			by = append(by, c.Parent())
		}
		for _, f := range by {
			if !out[f] {
				out[f] = true
				work = append(work, f)
			}
		}
	}
	s.from[to] = out
	return out
}

// startsOf are the places where the receivers of the group g are started, all of them with some lock held; nil where that is
// not so.
func (e *engine) startsOf(receivers []peerOp, g origin.Group) []start {
	s := e.startsIndex()
	out, ok := s.groups[g]
	if !ok {
		out = s.startsOf(receivers, g)
		s.groups[g] = out
	}
	return out
}

// startsIndex is the index of starts, which is made when somebody asks for it.
func (e *engine) startsIndex() *starts {
	if e.peers.starts == nil {
		e.peers.starts = e.indexStarts()
	}
	return e.peers.starts
}

// onlyBehind reports whether fn runs only behind the instruction at, in calls or goroutines that lead to it from there: what at waits for is
// over by then.
func (e *engine) onlyBehind(fn *ssa.Function, at ssa.Instruction) bool {
	s := e.startsIndex()
	seen := map[*ssa.Function]bool{}
	var above func(fn *ssa.Function) bool
	above = func(fn *ssa.Function) bool {
		if seen[fn] {
			return true
		}
		seen[fn] = true
		var from []ssa.Instruction
		for _, u := range s.uses[fn] {
			from = append(from, u.instr)
		}
		for _, c := range e.origins.Callers(fn) {
			from = append(from, c)
		}
		if fn == at.Parent() || e.callable(fn) || len(from) == 0 {
			return false
		}
		return !slices.ContainsFunc(from, func(in ssa.Instruction) bool {
			if in.Parent() == at.Parent() {
				return !e.within.dominates(at, in) || e.within.inLoop(at.Block())
			}
			return !above(in.Parent())
		})
	}
	return above(fn)
}

func (s *starts) startsOf(receivers []peerOp, g origin.Group) []start {
	var out []start
	for _, r := range receivers {
		if r.instr == nil {
			return nil
		}
		var uses []use
		if _, ok := r.instr.(*ssa.Go); ok {
			uses = []use{{instr: r.instr, spawns: true}}
		} else if uses = s.of(r.fn); len(uses) == 0 {
			return nil
		}
		for _, u := range uses {
			fn := u.instr.Parent()
			st := start{fn: fn, at: u.instr, by: fmt.Sprintf("%s at %s", flow.FuncName(fn), s.e.at(flow.Pos(u.instr)))}
			st.held = append(slices.Clone(s.e.heldAt[u.instr]), s.e.heldByCallers(fn)...)
			if len(st.held) == 0 {
				return nil
			}
			st.late = len(s.of(fn)) > 0 && !slices.ContainsFunc(g.Makes(), func(m *ssa.MakeChan) bool { return s.leadTo(m.Parent())[fn] })
			out = append(out, st)
		}
	}
	if !slices.ContainsFunc(out, func(st start) bool { return st.late }) {
		return nil
	}
	return out
}

// starter is what the goroutine that starts a receiver at the instruction does there for others to know of it: between two waits.
func (s *starts) starter(at ssa.Instruction) *starter {
	if st := s.starters[at]; st != nil {
		return st
	}
	st := &starter{map[Class]bool{}, map[origin.Group]bool{}}
	s.starters[at] = st
	seen := map[*ssa.Function]bool{}
	var around func(at ssa.Instruction)
	around = func(at ssa.Instruction) {
		f := at.Parent()
		if seen[f] {
			return
		}
		seen[f] = true
		for in := range flow.Instrs(f) {
			if in != at && !flow.Reaches(at, in, waits) && !flow.Reaches(in, at, waits) {
				continue
			}
			s.signal(st, in)
			if c, ok := in.(*ssa.Call); ok {
				for callee := range s.e.pkg.Reach(program.Calls, s.e.pkg.Callee(&c.Call)) {
					for in := range flow.Instrs(callee) {
						s.signal(st, in)
					}
				}
			}
		}
		for _, u := range s.uses[f] {
			if u.calls {
				around(u.instr)
			}
		}
	}
	around(at)
	delete(st.sets, "")
	delete(st.signals, origin.Group{})
	return st
}

// waits reports whether in is where a goroutine waits for a channel: what it does behind that has nothing to do with its beginning.
func waits(in ssa.Instruction) bool {
	switch x := in.(type) {
	case *ssa.UnOp:
		return x.Op == token.ARROW
	case *ssa.Select:
		return x.Blocking
	}
	return false
}

// signal notes what in does for other goroutines to see, but for what it does to locks.
func (s *starts) signal(st *starter, in ssa.Instruction) {
	switch x := in.(type) {
	case *ssa.Store:
		st.sets[classOf(x.Addr)] = true
		if ia, ok := x.Addr.(*ssa.IndexAddr); ok {
			st.sets[classOf(ia.X)] = true
		}
	case *ssa.MapUpdate:
		st.sets[classOf(x.Map)] = true
	case *ssa.Send:
		st.signals[s.e.origins.GroupOf(x.Chan)] = true
	case *ssa.Select:
		for _, c := range x.States {
			if c.Dir == types.SendOnly {
				st.signals[s.e.origins.GroupOf(c.Chan)] = true
			}
		}
	case ssa.CallInstruction: // of an atomic variable, a builtin, a group, a condition, a function that does something of the kind
		call := x.Common()
		callee := flow.Callee(call)
		if _, ok := s.e.opOf(call); ok || callee != nil && kubeapi.MemberStarters.Has(callee) {
			return
		}
		if b, ok := call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
			return
		}
		for _, a := range flow.AllArgs(call) {
			st.sets[classOf(a)] = true
			st.signals[s.e.origins.GroupOf(a)] = true
		}
	}
}

// told reports whether one of the functions looks at something by which st may tell that it has run: at what it stores to, or waits
// for what it does.
func (s *starts) told(st *starter, fns map[*ssa.Function]bool) bool {
	for fn := range fns {
		for in := range flow.Instrs(fn) {
			for _, v := range operands(in) {
				if c := classOf(v); c != "" && st.sets[c] {
					return true
				}
				if len(st.signals) > 0 && st.signals[s.e.origins.GroupOf(v)] {
					return true
				}
			}
		}
	}
	return false
}

// Late names the goroutine that starts the receivers of the send o, where it has to have the lock h for that and nothing says
// that it was there before; nobody where the receivers run by then, as far as one can tell.
func (o *Occurrence) Late(h Hold, writer func(Class) bool) Witness {
	p := o.Block.Peers
	if o.Instr == nil || len(p.starts) == 0 {
		return Witness{}
	}
	n := newNeed(p, h, writer, o.Instr)
	var late []start
	for _, st := range p.starts {
		if !slices.ContainsFunc(st.held, func(x Hold) bool { return n.blocks(st.fn, x.Class, x.Path, x.Mode) }) {
			return Witness{}
		}
		if st.late {
			late = append(late, st)
		}
	}
	if len(late) == 0 {
		return Witness{}
	}
	return p.late(o.Instr.Parent(), late)
}

// unordered names the first of the late starts, where nothing that leads to the holder of the lock is ordered behind one of them.
func (s *starts) unordered(p *Peers, holder *ssa.Function, late []start) Witness {
	before := s.leadTo(holder)
	around := map[*ssa.Function]bool{}
	for fn := range before {
		around[fn] = true
	}
	for _, fn := range []*ssa.Function{holder, p.waiter} {
		for f := range s.e.pkg.Reach(program.Calls, fn) {
			around[f] = true
		}
	}
	for _, st := range late {
		if before[st.fn] || s.told(s.starter(st.at), around) {
			return Witness{}
		}
	}
	return Witness{By: late[0].by, Places: []Place{{s.e.at(flow.Pos(late[0].at)), "the receiver is started here, with the same lock held"}}}
}
