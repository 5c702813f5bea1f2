package lock

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// A receiver that needs no lock ends a send only once it runs. Where the goroutine that starts it takes the sender's lock for
// that, and nothing lets the one come before the other, the sender may be there first: it then waits, with the lock, for a
// receiver that waits for the lock.

// A start is where a function begins to run as a goroutine.
type start struct {
	by   string // its function, base file name and line
	fn   *ssa.Function
	held []Hold  // on every path to it
	sets []Class // what fn stores to while it holds a lock there: how it tells others that the receivers run

	// late says that nothing orders it: fn runs as a goroutine only, and others have made the channel.
	late bool
}

// A use is an instruction that runs a function, or has it as a value.
type use struct {
	instr  ssa.Instruction
	spawns bool // it starts a goroutine that runs the function
	calls  bool
}

// starts indexes, for each function, the uses of it in the package.
type starts struct {
	e    *engine
	uses map[*ssa.Function][]use
	from map[*ssa.Function]map[*ssa.Function]bool // the functions that lead to one
}

func (e *engine) indexStarts() *starts {
	s := &starts{e: e, uses: map[*ssa.Function][]use{}, from: map[*ssa.Function]map[*ssa.Function]bool{}}
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
			u.spawns = callee != nil && blocking.StartsMember(callee)
		}
	} else if _, ok := in.(*ssa.DebugRef); ok {
		return
	}
	s.uses[fn] = append(s.uses[fn], u)
}

// of are the places where the goroutines start in which fn runs; nil where it may run in others as well.
func (s *starts) of(fn *ssa.Function) []use {
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
	s := e.peers.starts
	if s == nil {
		s = e.indexStarts()
		e.peers.starts = s
	}
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
			st := start{fn: fn, by: fmt.Sprintf("%s at %s", flow.FuncName(fn), e.at(flow.Pos(u.instr)))}
			st.held = append(slices.Clone(e.heldAt[u.instr]), e.heldByCallers(fn)...)
			if len(st.held) == 0 {
				return nil
			}
			st.late = len(s.of(fn)) > 0 && !slices.ContainsFunc(g.Makes(), func(m *ssa.MakeChan) bool { return s.leadTo(m.Parent())[fn] })
			for in := range flow.Instrs(fn) {
				if set, ok := in.(*ssa.Store); ok && classOf(set.Addr) != "" {
					st.sets = append(st.sets, classOf(set.Addr))
				} else if c, ok := in.(ssa.CallInstruction); ok && changed(c.Common()) != "" {
					st.sets = append(st.sets, changed(c.Common()))
				}
			}
			out = append(out, st)
		}
	}
	if !slices.ContainsFunc(out, func(st start) bool { return st.late }) {
		return nil
	}
	return out
}

// Late names the goroutine that starts the receivers of the send o, where it has to have the lock h for that and nothing says
// that it was there before; "" where the receivers run by then, as far as one can tell.
func (o *Occurrence) Late(h Hold, writer func(Class) bool) string {
	p := o.Block.Peers
	if o.Instr == nil || len(p.starts) == 0 {
		return ""
	}
	n := newNeed(p, h, writer, o.Instr)
	holder, by := o.Instr.Parent(), ""
	before := p.leadTo(holder)
	for _, st := range p.starts {
		if !slices.ContainsFunc(st.held, func(x Hold) bool { return n.blocks(st.fn, x.Class, x.Path, x.Mode) }) {
			return ""
		}
		if !st.late {
			continue
		}
		if before[st.fn] || reads(holder, st.sets) || reads(p.waiter, st.sets) {
			return ""
		}
		by = st.by
	}
	return by
}

// reads reports whether fn looks at one of the fields.
func reads(fn *ssa.Function, fields []Class) bool {
	for in := range flow.Instrs(fn) {
		switch x := in.(type) {
		case *ssa.UnOp:
			if slices.Contains(fields, classOf(x)) {
				return true
			}
		case ssa.CallInstruction: // of an atomic variable
			if args := x.Common().Args; len(args) > 0 && slices.Contains(fields, classOf(args[0])) {
				return true
			}
		}
	}
	return false
}
