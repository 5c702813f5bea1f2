package paths

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// shared are the variables of a function that other code can write: a closure that captures them, or code that has
// their address.
type shared struct {
	by   map[*ssa.Alloc][]ssa.Instruction // by variable: where a closure captures it, or its address escapes
	memo map[ssa.Instruction][]*ssa.Alloc

	writes  map[*ssa.Alloc][]ssa.Instruction // which may write it
	changed map[[2]ssa.Instruction]bool      // by load and place
}

func sharedOf(fn *ssa.Function) *shared {
	s := &shared{
		by: map[*ssa.Alloc][]ssa.Instruction{}, memo: map[ssa.Instruction][]*ssa.Alloc{},
		writes: map[*ssa.Alloc][]ssa.Instruction{}, changed: map[[2]ssa.Instruction]bool{},
	}
	for v := range flow.InstrsOf[*ssa.Alloc](fn) {
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
			case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice:
				continue
			}
			s.by[v] = append(s.by[v], r)
		}
	}
	return s
}

// written returns the variables that other code may write during in, a call or a blocking operation.
func (s *shared) written(in ssa.Instruction) []*ssa.Alloc {
	if len(s.by) == 0 || !letsOthersRun(in) {
		return nil
	}
	out, ok := s.memo[in]
	if ok {
		return out
	}
	for v, sharers := range s.by {
		for _, sharer := range sharers {
			if st, ok := in.(*ssa.Store); ok && !pointsTo(st.Addr, sharer, v) {
				continue
			}
			if mayRun(in, sharer) {
				out = append(out, v)
				break
			}
		}
	}
	s.memo[in] = out
	return out
}

// changes reports whether v may be written on a path from load, which reads it, to at.
func (s *shared) changes(v *ssa.Alloc, load *ssa.UnOp, at ssa.Instruction) bool {
	if at == ssa.Instruction(load) {
		return false
	}
	changed, ok := s.changed[[2]ssa.Instruction{load, at}]
	if !ok {
		again := func(in ssa.Instruction) bool { return in == ssa.Instruction(load) }
		changed = slices.ContainsFunc(s.writesOf(v), func(w ssa.Instruction) bool {
			return flow.Reaches(load, w, again) && (w == at || flow.Reaches(w, at, again))
		})
		s.changed[[2]ssa.Instruction{load, at}] = changed
	}
	return changed
}

// writesOf returns the instructions that may write v.
func (s *shared) writesOf(v *ssa.Alloc) []ssa.Instruction {
	writes, ok := s.writes[v]
	if !ok {
		for in := range flow.Instrs(v.Parent()) {
			st, ok := in.(*ssa.Store)
			if ok && st.Addr == ssa.Value(v) || slices.Contains(s.written(in), v) {
				writes = append(writes, in)
			}
		}
		s.writes[v] = writes
	}
	return writes
}

// pointsTo reports whether addr may alias v, whose address escapes by sharer. A closure does not run at a store.
func pointsTo(addr ssa.Value, sharer ssa.Instruction, v *ssa.Alloc) bool {
	_, closure := sharer.(*ssa.MakeClosure)
	return !closure && types.Identical(addr.Type().Underlying(), v.Type().Underlying())
}

// letsOthersRun reports whether other code may run during in, or in is a store that may alias any variable whose
// address escapes.
func letsOthersRun(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Call:
		_, builtin := in.Call.Value.(*ssa.Builtin)
		return !builtin
	case *ssa.RunDefers, *ssa.Select, *ssa.Send:
		return true
	case *ssa.UnOp:
		return in.Op.String() == "<-"
	case *ssa.Store: // through a pointer, which may be to any variable whose address other code has
		_, own := in.Addr.(*ssa.Alloc)
		return !own
	}
	return false
}

// mayRun reports whether in may run the code that shares a variable since sharer: a closure that is only called runs in
// its calls, and other code in anything later.
func mayRun(in, sharer ssa.Instruction) bool {
	if in == sharer {
		return true
	}
	if mc, ok := sharer.(*ssa.MakeClosure); ok {
		called, here, deferred := true, false, false
		for _, r := range *mc.Referrers() {
			switch r := r.(type) {
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
