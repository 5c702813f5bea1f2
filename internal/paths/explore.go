package paths

import (
	"encoding/binary"
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// State is what is known on one path: the truths of registers, and of the variables that live in memory.
type State struct {
	truth map[ssa.Value]flow.Truth
	vars  map[*ssa.Alloc]flow.Truth // what is in the variable; of its address, truth knows
	lost  map[ssa.Value]bool        // what other code may have written since
	// Deferred are the defer statements on the path.
	Deferred map[*ssa.Defer]bool

	at     ssa.Instruction // the end of the path
	shared *shared
	calls  *Calls
}

// Value returns the truth of v.
func (k *State) Value(v ssa.Value) flow.Truth {
	if t := k.truth[v]; t != flow.Unknown {
		return t
	}
	if t := alone(v); t != flow.Unknown {
		return t
	}
	if p, ok := partOf(v); ok {
		return p.tells(k.Value(p.of))
	}
	if k.calls == nil {
		return flow.Unknown
	}
	if call, i := flow.ResultOf(v); call != nil {
		if results := k.calls.Results(call, k.Value); i < len(results) {
			return results[i]
		}
	}
	return flow.Unknown
}

// isLost reports whether v depends on a variable that other code may have written.
func (k *State) isLost(v ssa.Value) bool {
	if k.truth[v] != flow.Unknown {
		return false
	}
	if k.lost[v] {
		return true
	}
	p, ok := partOf(v)
	return ok && k.isLost(p.of)
}

// Assume sets the truth of v, and of the operands of a condition that it implies.
func (k *State) Assume(v ssa.Value, t flow.Truth) {
	for {
		if t == flow.Unknown {
			delete(k.truth, v)
		} else {
			k.truth[v] = t
		}
		if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
			k.setVariable(load, t)
		}
		p, ok := partOf(v)
		if !ok || t != flow.Unknown && p.says(t) == flow.Unknown {
			return
		}
		v, t = p.of, p.says(t)
	}
}

// setVariable sets the truth of the variable of load, too, if it still has that value.
func (k *State) setVariable(load *ssa.UnOp, t flow.Truth) {
	v, ok := load.X.(*ssa.Alloc)
	if !ok || k.lost[v] || k.vars[v] != flow.Unknown && k.vars[v] != t {
		return
	}
	if k.shared.changes(v, load, k.at) {
		return
	}
	k.vars[v] = t
}

// Failing reports whether some error is not nil.
func (k *State) Failing() bool {
	for v, t := range k.truth {
		if t == flow.False && flow.IsError(v.Type()) {
			return true
		}
	}
	return false
}

func (k *State) clone() *State {
	s := *k
	s.truth, s.vars, s.lost, s.Deferred = maps.Clone(k.truth), maps.Clone(k.vars), maps.Clone(k.lost), maps.Clone(k.Deferred)
	return &s
}

// take is the transfer function of in.
func (k *State) take(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if v, ok := in.Addr.(*ssa.Alloc); ok {
			delete(k.lost, v)
			delete(k.vars, v)
			if t := k.Value(in.Val); t != flow.Unknown {
				k.vars[v] = t
			} else if k.isLost(in.Val) {
				k.lost[v] = true
			}
		}
	case *ssa.UnOp:
		if v, ok := in.X.(*ssa.Alloc); ok && in.Op == token.MUL {
			if t := k.vars[v]; t != flow.Unknown {
				k.truth[in] = t
			} else if k.lost[v] {
				k.lost[in] = true
			}
		}
	case *ssa.Defer:
		k.Deferred[in] = true
		return // the deferred call runs later
	}
	for _, v := range k.shared.written(in) {
		delete(k.vars, v)
		k.lost[v] = true
	}
}

// An Exploration follows the feasible paths through a function one by one.
//
//	deleted := false
//	if err := get(); err != nil { deleted = true }
//	if !deleted { … }            ← infeasible on the path of the error
type Exploration struct {
	// Calls returns the results of the package's functions. It may be nil.
	Calls *Calls
	// Visit is called for each instruction of a path. It may change the state, and end the path.
	Visit func(in ssa.Instruction, k *State) (end bool)
	// Return is called at the end of a path that returns. It may be nil.
	Return func(ret *ssa.Return, k *State)
	// Decide returns the truth of a condition that is unknown otherwise, or ends the path. It may be nil.
	Decide func(cond ssa.Value, k *State) (t flow.Truth, end bool)
	// Take reports whether paths follow the edge from b to s if the condition is unknown. It may be nil.
	Take func(b, s *ssa.BasicBlock) bool

	shared *shared
	ids    map[ssa.Value]uint32
	cut    bool
}

// maxSteps bounds the blocks of one exploration, as each independent test doubles the paths; real functions take a few
// hundred.
const maxSteps = 3000

// From follows the paths from behind in, under the assumption known and the path condition of in. Whole is false if it
// was given up: after maxSteps, or at a test of a variable that other code may have written. What was not found then
// may still be there.
func (w *Exploration) From(in ssa.Instruction, known map[ssa.Value]flow.Truth) (whole bool) {
	return w.from(in, slices.Index(in.Block().Instrs, in)+1, known)
}

// Through follows the paths through all of fn, as From does.
func (w *Exploration) Through(fn *ssa.Function) (whole bool) {
	return w.from(fn.Blocks[0].Instrs[0], 0, nil)
}

// from follows the paths from the instruction next of the block of in.
func (w *Exploration) from(in ssa.Instruction, next int, known map[ssa.Value]flow.Truth) (whole bool) {
	w.ids, w.cut, w.shared = map[ssa.Value]uint32{}, false, sharedOf(in.Parent())
	k := &State{
		truth: map[ssa.Value]flow.Truth{}, vars: map[*ssa.Alloc]flow.Truth{},
		lost: map[ssa.Value]bool{}, Deferred: map[*ssa.Defer]bool{},
		at: in, shared: w.shared, calls: w.Calls,
	}
	for test, t := range flow.PathCondition(in.Block()) {
		if t != flow.Unknown && k.truth[test.Cond] == flow.Unknown {
			k.Assume(test.Cond, t)
		}
	}
	for v, t := range known {
		k.Assume(v, t)
	}
	e := &Interpreter[State]{Enter: (*State).enter, Key: w.key, Step: w.step, Branch: w.branch, Limit: maxSteps}
	return e.Run(k, in.Block(), next) && !w.cut
}

// enter evaluates the phis of b, and forgets what b computed on an earlier pass.
func (k *State) enter(b, pred *ssa.BasicBlock, _ bool) {
	edge := slices.Index(b.Preds, pred)
	truth, lost := map[ssa.Value]flow.Truth{}, map[ssa.Value]bool{}
	for phi := range flow.Phis(b) {
		if t := k.Value(phi.Edges[edge]); t != flow.Unknown {
			truth[phi] = t
		} else if k.isLost(phi.Edges[edge]) {
			lost[phi] = true
		}
	}
	for _, in := range b.Instrs {
		if v, ok := in.(ssa.Value); ok {
			delete(k.truth, v)
			delete(k.lost, v)
		}
		if v, ok := in.(*ssa.Alloc); ok {
			delete(k.vars, v)
		}
	}
	maps.Copy(k.truth, truth)
	maps.Copy(k.lost, lost)
}

func (w *Exploration) step(k *State, in ssa.Instruction) Action {
	k.at = in
	k.take(in)
	if w.Visit(in, k) {
		return EndPath
	}
	if ret, ok := in.(*ssa.Return); ok && w.Return != nil {
		w.Return(ret, k)
	}
	return Continue
}

func (w *Exploration) branch(k *State, test *ssa.If) (sides [2]*State) {
	t := k.Value(test.Cond)
	if t == flow.Unknown && w.Decide != nil {
		var end bool
		if t, end = w.Decide(test.Cond, k); end {
			return sides
		}
	}
	if t == flow.Unknown && k.isLost(test.Cond) {
		w.cut = true
		return sides
	}
	for i, side := range []flow.Truth{flow.True, flow.False} {
		b := test.Block()
		if t == side.Not() || t == flow.Unknown && w.Take != nil && !w.Take(b, b.Succs[i]) {
			continue
		}
		sides[i] = k.clone()
		sides[i].Assume(test.Cond, side)
	}
	return sides
}

// key returns what is known at the start of b.
func (w *Exploration) key(k *State, b *ssa.BasicBlock) string {
	var parts []uint32
	add := func(v ssa.Value, what uint32) {
		id, ok := w.ids[v]
		if !ok {
			id = uint32(len(w.ids))
			w.ids[v] = id
		}
		parts = append(parts, id<<3|what)
	}
	for v, t := range k.truth {
		add(v, uint32(t))
	}
	for v, t := range k.vars {
		add(v, 4|uint32(t))
	}
	for v := range k.lost {
		add(v, 0)
	}
	slices.Sort(parts)
	key := binary.AppendUvarint(nil, uint64(b.Index))
	key = binary.AppendUvarint(key, uint64(len(parts)))
	for _, p := range parts {
		key = binary.AppendUvarint(key, uint64(p))
	}
	var defers []int
	for d := range k.Deferred {
		defers = append(defers, d.Block().Index)
	}
	slices.Sort(defers)
	for _, i := range defers {
		key = binary.AppendUvarint(key, uint64(i))
	}
	return string(key)
}
