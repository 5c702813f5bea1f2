package paths

import (
	"encoding/binary"
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// Known is what is known on one way, by register, and by variable for those that live in memory.
type Known struct {
	truth map[ssa.Value]flow.Truth
	vars  map[*ssa.Alloc]flow.Truth // what is in the variable; of its address, truth knows
	lost  map[ssa.Value]bool        // what something else may have written since: nothing is known, and to guess would be wrong
	// Deferred are the defer statements that the way has passed.
	Deferred map[*ssa.Defer]bool

	at     ssa.Instruction // where the way has come to
	shared *shared
	calls  *Calls
}

// Of is what is known of v.
func (k *Known) Of(v ssa.Value) flow.Truth {
	if t := k.truth[v]; t != flow.Either {
		return t
	}
	if t := alone(v); t != flow.Either {
		return t
	}
	if p, ok := partOf(v); ok {
		return p.tells(k.Of(p.of))
	}
	if k.calls == nil {
		return flow.Either
	}
	if call, i := flow.ResultOf(v); call != nil {
		if results := k.calls.Results(call, k.Of); i < len(results) {
			return results[i]
		}
	}
	return flow.Either
}

// isLost reports whether v hangs on a variable that a call may have written.
func (k *Known) isLost(v ssa.Value) bool {
	if k.truth[v] != flow.Either {
		return false
	}
	if k.lost[v] {
		return true
	}
	p, ok := partOf(v)
	return ok && k.isLost(p.of)
}

// Set notes that v has the truth t, Either for unknown. Of a condition it follows what it is made of, too.
func (k *Known) Set(v ssa.Value, t flow.Truth) {
	for {
		if t == flow.Either {
			delete(k.truth, v)
		} else {
			k.truth[v] = t
		}
		if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
			k.setVariable(load, t)
		}
		p, ok := partOf(v)
		if !ok || t != flow.Either && p.says(t) == flow.Either {
			return
		}
		v, t = p.of, p.says(t)
	}
}

// setVariable notes what was found out about a load for the variable as well, if it still has that value.
func (k *Known) setVariable(load *ssa.UnOp, t flow.Truth) {
	v, ok := load.X.(*ssa.Alloc)
	if !ok || k.lost[v] || k.vars[v] != flow.Either && k.vars[v] != t {
		return
	}
	if k.shared.changes(v, load, k.at) {
		return
	}
	k.vars[v] = t
}

// Failing reports whether some error is known not to be nil.
func (k *Known) Failing() bool {
	for v, t := range k.truth {
		if t == flow.No && flow.IsError(v.Type()) {
			return true
		}
	}
	return false
}

func (k *Known) clone() *Known {
	return &Known{truth: maps.Clone(k.truth), vars: maps.Clone(k.vars), lost: maps.Clone(k.lost), Deferred: maps.Clone(k.Deferred), at: k.at, shared: k.shared, calls: k.calls}
}

// take follows the instruction in.
func (k *Known) take(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if v, ok := in.Addr.(*ssa.Alloc); ok {
			delete(k.lost, v)
			delete(k.vars, v)
			if t := k.Of(in.Val); t != flow.Either {
				k.vars[v] = t
			} else if k.isLost(in.Val) {
				k.lost[v] = true
			}
		}
	case *ssa.UnOp:
		if v, ok := in.X.(*ssa.Alloc); ok && in.Op == token.MUL {
			if t := k.vars[v]; t != flow.Either {
				k.truth[in] = t
			} else if k.lost[v] {
				k.lost[in] = true
			}
		}
	case *ssa.Defer:
		k.Deferred[in] = true
		return // what it runs comes later
	}
	for _, v := range k.shared.written(in) {
		delete(k.vars, v)
		k.lost[v] = true
	}
}

// A Walk follows the feasible ways through a function.
//
//	deleted := false
//	if err := get(); err != nil { deleted = true }
//	if !deleted { … }            ← not on the way of the error
type Walk struct {
	// Calls tells what the package's functions give. It may be nil.
	Calls *Calls
	// At looks at an instruction, may add to what is known, and says whether the way ends there.
	At func(in ssa.Instruction, k *Known) (end bool)
	// Return is called for a return that a way comes to. It may be nil.
	Return func(ret *ssa.Return, k *Known)
	// Test is what the rule knows of a condition that nothing else is known of; end says that the way is of no interest
	// from here on. It may be nil.
	Test func(cond ssa.Value, k *Known) (t flow.Truth, end bool)
	// Turn reports whether a way goes on from b to s, where the condition between is not known. It may be nil.
	Turn func(b, s *ssa.BasicBlock) bool

	shared *shared
	seen   map[string]bool
	ids    map[ssa.Value]uint32
	steps  int
	cut    bool
}

// maxSteps is the number of blocks that one walk goes through, with what is known on the way. Tests that have nothing to do
// with each other double the ways, so that some bound is needed; real functions take a few hundred.
const maxSteps = 3000

// From follows the ways from behind in, where known holds, and what all ways to in have found out. Whole is false where it
// was given up: after too many steps, or because a way hangs on a variable that something else may have written
// meanwhile. What has not been found then may still be there.
func (w *Walk) From(in ssa.Instruction, known map[ssa.Value]flow.Truth) (whole bool) {
	return w.from(in, slices.Index(in.Block().Instrs, in)+1, known)
}

// Through follows the ways through all of fn, as From does.
func (w *Walk) Through(fn *ssa.Function) (whole bool) {
	return w.from(fn.Blocks[0].Instrs[0], 0, nil)
}

// from follows the ways from the instruction of the block of in that comes as the next one.
func (w *Walk) from(in ssa.Instruction, next int, known map[ssa.Value]flow.Truth) (whole bool) {
	w.seen, w.ids, w.steps, w.cut = map[string]bool{}, map[ssa.Value]uint32{}, 0, false
	w.shared = sharedOf(in.Parent())
	k := &Known{
		truth: map[ssa.Value]flow.Truth{}, vars: map[*ssa.Alloc]flow.Truth{}, lost: map[ssa.Value]bool{}, Deferred: map[*ssa.Defer]bool{},
		at: in, shared: w.shared, calls: w.Calls,
	}
	for test, t := range flow.Decided(in.Block()) {
		if t != flow.Either && k.truth[test.Cond] == flow.Either {
			k.Set(test.Cond, t)
		}
	}
	for v, t := range known {
		k.Set(v, t)
	}
	b := in.Block()
	if next < len(b.Instrs) {
		w.block(b, next, k)
		return !w.cut
	}
	switch in := in.(type) { // the last one of its block
	case *ssa.If:
		w.branch(b, in.Cond, k)
	case *ssa.Jump:
		w.enter(b.Succs[0], b, k)
	}
	return !w.cut
}

// enter follows the ways from the start of b, which is come to from pred.
func (w *Walk) enter(b, pred *ssa.BasicBlock, known *Known) {
	k := known.clone()
	edge := slices.Index(b.Preds, pred)
	// What was computed in this block on an earlier pass is not known any more.
	for _, in := range b.Instrs {
		if v, ok := in.(ssa.Value); ok {
			delete(k.truth, v)
			delete(k.lost, v)
		}
		if v, ok := in.(*ssa.Alloc); ok {
			delete(k.vars, v)
		}
	}
	for _, in := range b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if t := known.Of(phi.Edges[edge]); t != flow.Either {
			k.truth[phi] = t
		} else if known.isLost(phi.Edges[edge]) {
			k.lost[phi] = true
		}
	}
	key := w.key(b, k)
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	w.block(b, 0, k)
}

func (w *Walk) block(b *ssa.BasicBlock, from int, k *Known) {
	if w.steps++; w.steps > maxSteps {
		w.cut = true
		return
	}
	for _, in := range b.Instrs[from:] {
		k.at = in
		k.take(in)
		if w.At(in, k) {
			return
		}
		switch in := in.(type) {
		case *ssa.Return:
			if w.Return != nil {
				w.Return(in, k)
			}
		case *ssa.If:
			w.branch(b, in.Cond, k)
		case *ssa.Jump:
			w.enter(b.Succs[0], b, k)
		}
	}
}

func (w *Walk) branch(b *ssa.BasicBlock, cond ssa.Value, k *Known) {
	t := k.Of(cond)
	if t == flow.Either && w.Test != nil {
		var end bool
		if t, end = w.Test(cond, k); end {
			return
		}
	}
	if t == flow.Either && k.isLost(cond) {
		w.cut = true
		return
	}
	for i, side := range []flow.Truth{flow.Yes, flow.No} {
		if t == side.Not() || t == flow.Either && w.Turn != nil && !w.Turn(b, b.Succs[i]) {
			continue
		}
		next := k.clone()
		next.Set(cond, side)
		w.enter(b.Succs[i], b, next)
	}
}

// key stands for what is known at the start of b.
func (w *Walk) key(b *ssa.BasicBlock, k *Known) string {
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
