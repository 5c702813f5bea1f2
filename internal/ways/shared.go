package ways

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// shared are the variables of a function that something else can write: a closure that captures them, or code that was
// given their address.
type shared struct {
	by   map[*ssa.Alloc][]ssa.Instruction // what shares each: the closure that is made, the use of the address
	memo map[ssa.Instruction][]*ssa.Alloc
}

func sharedOf(fn *ssa.Function) *shared {
	s := &shared{by: map[*ssa.Alloc][]ssa.Instruction{}, memo: map[ssa.Instruction][]*ssa.Alloc{}}
	for in := range flow.Instrs(fn) {
		v, ok := in.(*ssa.Alloc)
		if !ok {
			continue
		}
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr == ssa.Value(v) {
					continue
				}
			case *ssa.MakeClosure:
				if !flow.WritesBinding(r, v) {
					continue
				}
			case *ssa.UnOp, *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice:
				continue
			}
			s.by[v] = append(s.by[v], r)
		}
	}
	return s
}

// written are the variables that something else may write while in runs: in calls, or waits for others.
func (s *shared) written(in ssa.Instruction) []*ssa.Alloc {
	if len(s.by) == 0 || !lets(in) {
		return nil
	}
	out, ok := s.memo[in]
	if ok {
		return out
	}
	for v, sharers := range s.by {
		for _, sharer := range sharers {
			if mayRun(in, sharer) {
				out = append(out, v)
				break
			}
		}
	}
	s.memo[in] = out
	return out
}

// lets reports whether other code of the program runs between in and what comes after it.
func lets(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Call:
		_, builtin := in.Call.Value.(*ssa.Builtin)
		return !builtin
	case *ssa.RunDefers, *ssa.Select, *ssa.Send:
		return true
	case *ssa.UnOp:
		return in.Op.String() == "<-"
	}
	return false
}

// mayRun reports whether in may run what shares a variable since sharer: a closure that is only called is run by its
// calls alone, and everything else by whatever comes later.
func mayRun(in, sharer ssa.Instruction) bool {
	if in == sharer {
		return true
	}
	if mc, ok := sharer.(*ssa.MakeClosure); ok {
		called, here, deferred := true, false, false
		for _, r := range *mc.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Call:
				called = called && r.Call.Value == ssa.Value(mc)
				here = here || ssa.Instruction(r) == in
			case *ssa.Defer:
				called = called && r.Call.Value == ssa.Value(mc)
				deferred = true
			default:
				called = false
			}
		}
		if _, atEnd := in.(*ssa.RunDefers); called {
			return here || atEnd && deferred
		}
	}
	return flow.Reaches(sharer, in, nil)
}
