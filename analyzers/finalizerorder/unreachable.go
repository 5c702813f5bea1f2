package finalizerorder

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/ways"
	"github.com/ctrllint/ctrllint/internal/words"
)

// checkEarly reports the returns of fn that a deleted object may take, over and over, before it comes to the only
// branch that removes its finalizer.
func (a *analyzer) checkEarly(fn *ssa.Function) {
	events := a.events(fn)
	byObject := map[flow.Path][]event{}
	for _, e := range events {
		if a.letsGo(e) && !e.deferred && !freshlyMade(e, events) {
			byObject[e.obj.path] = append(byObject[e.obj.path], e)
		}
	}
	reported := map[ssa.Instruction]bool{}
	for _, e := range events { // in order
		removals := byObject[e.obj.path]
		if removals == nil {
			continue
		}
		delete(byObject, e.obj.path)
		if !a.asksState(fn, e) {
			continue
		}
		deleted := a.deletingWorld(fn, e.obj.places())
		for _, of := range byFinalizer(removals) {
			if gates, inside := a.gates(of); gates != nil {
				a.checkOwnState(fn, of[0], deleted, gates, inside, events, reported)
			}
		}
	}
}

// byFinalizer are the removals of each finalizer of one object, with those of which it is not known which one they take off: an object is let go when all of
// them are gone.
func byFinalizer(removals []event) (groups [][]event) {
	place := map[string]int{}
	var unknown []event
	for _, r := range removals {
		if r.finalizer == "" {
			unknown = append(unknown, r)
			continue
		}
		i, ok := place[r.finalizer]
		if !ok {
			i = len(groups)
			place[r.finalizer] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	if len(groups) == 0 {
		return [][]event{removals}
	}
	for i := range groups {
		groups[i] = append(groups[i], unknown...)
	}
	return groups
}

// letsGo reports whether e takes off a finalizer that this controller looks after: a list that is emptied without that the package adds one has those of others
// in it.
func (a *analyzer) letsGo(e event) bool {
	return takesAway(e) && (e.kind == removes || e.kind == removesNow || a.addsTo(e))
}

// A gateSet holds the instructions behind which a finalizer goes: a check, with the block to which it lets a deleted
// object, or a call, with nil.
type gateSet map[ssa.Instruction]*ssa.BasicBlock

func (g gateSet) has(in ssa.Instruction) bool { _, ok := g[in]; return ok }

// gates are the checks of the deletion timestamp behind which the removals stand, or the calls that make both, or the removals themselves in a function that
// runs for deleted objects alone, which inside says; nil where one of them needs no deletion.
func (a *analyzer) gates(removals []event) (gates gateSet, inside bool) {
	gates = gateSet{}
	for _, r := range removals {
		test, side := a.guardOf(r)
		if r.only {
			gates[r.in] = nil
			inside = inside || test == nil && a.isForDeleted(r.in, r.obj)
			continue
		}
		switch {
		case test != nil:
			gates[test] = side
		case a.guarded(r) || a.isForDeletion(r):
			gates[r.in] = nil
			inside = true
		default:
			return nil, false
		}
	}
	return gates, inside
}

// isForDeletion reports whether the function of r, by its name, is about a deletion, as far as is known: nobody in sight calls it, as one that is handed to somebody
// else, and it gives the object that it takes a finalizer off none.
func (a *analyzer) isForDeletion(r event) bool {
	fn := r.in.Parent()
	p, ok := r.obj.path.Root.(*ssa.Parameter)
	return ok && p.Parent() == fn && len(a.pkg.Callers(fn)) == 0 && (asksDeletion(fn.Name()) || words.Has(fn.Name(), "finalize", "destroy")) && !a.addsIn(fn, r, a.events(fn))
}

// guardOf is the outermost check in its function that lets r happen only where its object is being deleted.
func (a *analyzer) guardOf(r event) (found ssa.Instruction, side *ssa.BasicBlock) {
	for test, t := range flow.Decided(r.in.Block()) {
		for _, p := range r.obj.places() {
			if yes, known := deleting(test.Cond, p); known && t == flow.Settled(yes) {
				found, side = test, flow.Side(test, t)
			}
		}
	}
	return found, side
}

// turn is the last block on the way to b from which a gate can still be reached, and its successor towards b; nil where
// a gate comes before b.
func turn(b *ssa.BasicBlock, gates gateSet) (d, way *ssa.BasicBlock) {
	if leadsTo(b, gates) {
		return nil, nil
	}
	for d = b; d.Idom() != nil; d = d.Idom() {
		up := d.Idom()
		if leadsTo(up, gates) {
			if flow.Branch(up) == nil || gates.has(up.Instrs[len(up.Instrs)-1]) {
				return nil, nil
			}
			for g := range gates { // it has been passed
				if g.Block().Dominates(up) && g.Block() != up || g.Block() == up && !isLast(g) {
					return nil, nil
				}
			}
			return up, d
		}
	}
	return nil, nil
}

func isLast(in ssa.Instruction) bool {
	b := in.Block()
	return b.Instrs[len(b.Instrs)-1] == in
}

// leadsTo reports whether control can come from the start of b to a gate.
func leadsTo(b *ssa.BasicBlock, gates gateSet) bool {
	from := flow.BlocksFrom(b)
	for g := range gates {
		if from[g.Block()] {
			return true
		}
	}
	return false
}

// knownAt reports whether the object has been read when control leaves d: a parameter, or filled by a Get before.
func knownAt(o object, d *ssa.BasicBlock, events []event) bool {
	if _, ok := o.path.Root.(*ssa.Parameter); ok {
		return true
	}
	for _, r := range events {
		if r.kind == reads && r.obj.path == o.path && r.in.Block().Dominates(d) {
			return !readsInBlock(d, r)
		}
	}
	if v, ok := o.path.Root.(*ssa.Alloc); ok && isVariable(v) {
		return true
	}
	in, ok := o.path.Root.(ssa.Instruction)
	return ok && o.key.Known() && in.Block().Dominates(d)
}

// readsInBlock reports whether d ends with the check of the very read r.
func readsInBlock(d *ssa.BasicBlock, r event) bool {
	cond := d.Instrs[len(d.Instrs)-1].(*ssa.If)
	x, _, ok := flow.NilTest(cond.Cond)
	if !ok {
		return false
	}
	call, _ := flow.ResultOf(flow.Resolve(x))
	return call != nil && ssa.Instruction(call) == r.in
}

// looksAfter reports whether the way from block way to the return in b gives the object to something that may see to
// its finalizer.
func (a *analyzer) looksAfter(way, b *ssa.BasicBlock, e event, events []event) bool {
	for _, blk := range b.Parent().Blocks {
		if !way.Dominates(blk) {
			continue
		}
		for _, in := range blk.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok && a.callKeeps(call, e.obj.places()) {
				return true
			}
		}
		for _, x := range events {
			if x.in.Block() == blk && x.obj.path == e.obj.path && x.kind != status && x.kind != reads {
				return true
			}
		}
	}
	return false
}

// goesTo reports whether v, or anything that is made from it, is used by an instruction that is wanted. Errors and
// contexts are not followed.
func goesTo(v ssa.Value, wanted func(ssa.Instruction) bool) bool { return leadsOn(v, false, wanted) }

// leadsOn is goesTo, with contexts where these count.
func leadsOn(v ssa.Value, contexts bool, wanted func(ssa.Instruction) bool) bool {
	tainted := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	add := func(v ssa.Value) {
		if v != nil && !tainted[v] && !flow.IsError(v.Type()) && (contexts || !kube.IsContext(v.Type())) {
			tainted[v] = true
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		refs := v.Referrers()
		if refs == nil {
			continue
		}
		for _, r := range *refs {
			if wanted(r) {
				return true
			}
			switch r := r.(type) {
			case *ssa.Store:
				add(flow.Base(r.Addr))
			case *ssa.MapUpdate:
				add(r.Map)
			case *ssa.Call:
				for _, arg := range r.Call.Args { // it may keep it
					if alloc, ok := flow.Unwrap(arg).(*ssa.Alloc); ok {
						add(alloc)
					}
				}
				add(r)
			case ssa.Value:
				add(r)
			}
		}
	}
	return false
}

// comesBack reports whether ret asks for another run, or fails.
func comesBack(ret *ssa.Return) bool {
	if fails(ret) {
		return true
	}
	for i, r := range ret.Results {
		if kube.IsType(r.Type(), kube.ControllerRuntime+"/pkg/reconcile", "Result") {
			_, zero := returned(ret, i).(*ssa.Const)
			return !zero
		}
	}
	return false
}

// leavesForGood reports whether ret says that there is nothing more to do.
func leavesForGood(ret *ssa.Return) bool {
	i := flow.ErrorResult(ret.Parent().Signature)
	if i < 0 || i >= len(ret.Results) || comesBack(ret) {
		return false
	}
	return ways.At(returned(ret, i), ret.Block()) == flow.Yes
}

// named is nameOf, or the path of the object where the source has no name for it.
func (a *analyzer) named(e event) string {
	if s := nameOf(a.pass, e); s != "" {
		return s
	}
	return e.obj.path.String()
}

// first is the gate that comes first in the source.
func first(gates gateSet) (gate ssa.Instruction) {
	for g := range gates {
		if gate == nil || flow.Pos(g) < flow.Pos(gate) {
			gate = g
		}
	}
	return gate
}
