package unboundedsync

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
)

// sealed asks whether what can end a wait (a channel to close, a function to call) is still in the hands of the very
// function that waits: whatever gets it later, or when the function returns, comes too late.
type sealed struct {
	c     *checker
	at    ssa.Instruction // the wait
	group origin.Group    // the channel, unknown for a cancel function
	field *types.Var      // the field that a cancel function was put into
	seen  map[ssa.Value]bool

	closure bool // it looks into a closure, which may have run to its end, deferred calls included
}

// cannotCancel reports whether the cancel function that call, a context.WithCancel, gives cannot be called before the
// wait at is over: it is dropped, only deferred, or kept in an object that nobody else has yet.
func (c *checker) cannotCancel(call *ssa.Call, at ssa.Instruction) bool {
	if at != nil && call.Parent() != at.Parent() {
		at = nil
	}
	s := sealed{c: c, at: at, seen: map[ssa.Value]bool{}}
	for _, r := range *call.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == 1 && !s.kept(x) {
			return false
		}
	}
	return true
}

// kept reports whether no use of v before the wait can end it.
func (s *sealed) kept(v ssa.Value) bool {
	if s.seen[v] {
		return true
	}
	s.seen[v] = true
	if v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		if !s.tooLate(r) && !s.harmless(r, v) {
			return false
		}
	}
	return true
}

// tooLate reports whether r runs only after the wait: it is deferred by the function that waits, or not on the way.
func (s *sealed) tooLate(r ssa.Instruction) bool {
	if _, ok := r.(*ssa.Defer); ok {
		return s.at == nil && !s.closure || s.at != nil && r.Parent() == s.at.Parent()
	}
	return s.at != nil && r.Parent() == s.at.Parent() && !flow.Reaches(r, s.at, nil)
}

func (s *sealed) harmless(r ssa.Instruction, v ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.UnOp, *ssa.BinOp: // a receive
		return true
	case *ssa.ChangeType:
		return receiveOnly(r.Type()) || s.kept(r)
	case *ssa.Select:
		for _, st := range r.States {
			if st.Chan == v && st.Dir == types.SendOnly {
				return false
			}
		}
		return true
	case *ssa.Store:
		if r.Val != v {
			return false
		}
		switch a := r.Addr.(type) {
		case *ssa.Alloc: // a variable that closures share
			return s.variable(a)
		case *ssa.FieldAddr:
			if f := flow.Field(a.X.Type(), a.Field); f != nil && s.group == (origin.Group{}) {
				s.field = f.Origin()
			}
			obj, ok := flow.Resolve(a.X).(*ssa.Alloc)
			return ok && obj.Parent() == r.Parent() && s.held(obj)
		}
		return false
	case *ssa.MakeClosure: // a captured value
		return s.captured(r, v)
	case ssa.CallInstruction:
		fn := s.c.own(flow.StaticCallee(r.Common()))
		return fn != nil && s.group.Known() && s.group.Escape()&^received == 0 && !s.ends(fn)
	}
	return false
}

func receiveOnly(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	return ok && c.Dir() == types.RecvOnly
}

// variable looks at the uses of a variable that holds what ends the wait.
func (s *sealed) variable(addr ssa.Value) bool {
	if s.seen[addr] {
		return true
	}
	s.seen[addr] = true
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store, *ssa.DebugRef:
		case *ssa.UnOp:
			if !s.tooLate(r) && !s.kept(r) {
				return false
			}
		case *ssa.MakeClosure:
			if !s.tooLate(r) && !s.captured(r, addr) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// captured looks at a closure that has v: it is harmless where it is only deferred, or where its body, whenever it may
// run, does not end the wait.
func (s *sealed) captured(mc *ssa.MakeClosure, v ssa.Value) bool {
	onlyDeferred := true
	for _, r := range *mc.Referrers() {
		if d, ok := r.(*ssa.Defer); !ok || d.Call.Value != ssa.Value(mc) {
			onlyDeferred = false
		}
	}
	if onlyDeferred && !s.closure {
		return true
	}
	fn := mc.Fn.(*ssa.Function)
	if fn.Synthetic != "" { // a bound method: its receiver holds what ends the wait
		return false
	}
	for i, b := range mc.Bindings {
		if b != v {
			continue
		}
		inner := sealed{c: s.c, group: s.group, field: s.field, seen: s.seen, closure: true} // nothing there is too late
		fv := fn.FreeVars[i]
		if _, ptr := fv.Type().Underlying().(*types.Pointer); ptr && !inner.variable(fv) || !ptr && !inner.kept(fv) {
			return false
		}
	}
	return true
}

// held looks at the uses, before the wait, of an object that this function made and that holds what ends the wait.
func (s *sealed) held(obj ssa.Value) bool {
	if s.seen[obj] {
		return true
	}
	s.seen[obj] = true
	for _, r := range *obj.Referrers() {
		if s.tooLate(r) {
			continue
		}
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr:
		case *ssa.UnOp: // a copy of the object, or the object out of its variable
			if !s.held(r) {
				return false
			}
		case *ssa.Store:
			if r.Val != obj {
				continue // the variable is filled
			}
			a, ok := r.Addr.(*ssa.Alloc)
			if !ok || !s.held(a) {
				return false
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			if m := s.method(fn); m != nil {
				fn = m
			}
			if s.ends(fn) {
				return false
			}
		case ssa.CallInstruction:
			fn := s.c.own(flow.StaticCallee(r.Common()))
			if fn == nil || s.ends(fn) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// method is the method behind a bound method value.
func (s *sealed) method(fn *ssa.Function) *ssa.Function {
	if obj, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" {
		return s.c.pkg.Prog.FuncValue(obj.Origin())
	}
	return nil
}

// ends reports whether fn, or what it runs, starts or makes, may end the wait.
func (s *sealed) ends(fn *ssa.Function) bool {
	var bad []*ssa.Function
	if s.group.Known() {
		bad = s.c.closersOf(s.group)
		if s.group.Escape()&^received != 0 {
			return true
		}
	}
	if p := s.c.index().fields[s.field]; s.field != nil && p != nil {
		bad = append(bad[:len(bad):len(bad)], p.loads...)
	}
	if !s.group.Known() && s.field == nil {
		return true
	}
	for f := range s.c.reach(fn) {
		if slices.Contains(bad, f) {
			return true
		}
	}
	return false
}

// reach are the functions of the package that fn may run, start or make, itself included.
func (c *checker) reach(fn *ssa.Function) map[*ssa.Function]bool {
	r, ok := c.reached[fn]
	if !ok {
		r = map[*ssa.Function]bool{}
		for f := range c.pkg.Reach(program.Calls|program.Dispatches|program.Spawns|program.Mentions, fn) {
			r[f] = true
		}
		c.reached[fn] = r
	}
	return r
}
