package finalizerorder

import (
	"fmt"
	"go/constant"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// checkEarly reports the returns of fn that a deleted object may take, over and over, before it comes to the only
// branch that removes its finalizer.
func (a *analyzer) checkEarly(fn *ssa.Function) {
	events := a.events(fn)
	byObject := map[flow.Path][]event{}
	for _, e := range events {
		if takesAway(e) && !e.deferred && !freshlyMade(e, events) {
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
		gates := a.gates(removals)
		if gates == nil {
			continue
		}
		a.checkOwnState(fn, e, gates, events, reported)
		if a.waits {
			a.checkReturns(fn, e, gates, events, reported)
		}
	}
}

// A gateSet holds the instructions behind which a finalizer goes: a check, with the block to which it lets a deleted
// object, or a call, with nil.
type gateSet map[ssa.Instruction]*ssa.BasicBlock

func (g gateSet) has(in ssa.Instruction) bool { _, ok := g[in]; return ok }

// gates are the checks of the deletion timestamp behind which the removals stand, or the calls that make both; nil
// where one of them needs no deletion.
func (a *analyzer) gates(removals []event) gateSet {
	gates := gateSet{}
	for _, r := range removals {
		if r.only {
			gates[r.in] = nil
			continue
		}
		test, side := a.guardOf(r)
		if test == nil {
			return nil
		}
		gates[test] = side
	}
	return gates
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

func (a *analyzer) checkReturns(fn *ssa.Function, e event, gates gateSet, events []event, reported map[ssa.Instruction]bool) {
	w := a.deletingWorld(fn, e.obj.places())
	for _, b := range fn.Blocks {
		ret := flow.ReturnOf(b)
		if ret == nil || !w.Live(b) || reported[ret] {
			continue
		}
		d, way := turn(b, gates)
		if d == nil || !w.Live(d) || !knownAt(e.obj, d, events) || a.looksAfter(way, b, e, events) {
			continue
		}
		cond := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		why := a.blocker(cond, ret, e, gates, events)
		if why == "" {
			continue
		}
		reported[ret] = true
		a.reportEarly(ret, e, why, gates)
	}
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

// blocker says in words what keeps a deleted object from the gate at cond; "" where it is nothing that lasts, or is
// meant to.
func (a *analyzer) blocker(cond *ssa.If, ret *ssa.Return, e event, gates gateSet, events []event) string {
	switch {
	case a.otherObject(cond, e, gates, events) != "":
		return a.otherObject(cond, e, gates, events)
	case comesBack(ret):
		return a.notReady(cond.Cond, e, gates)
	case leavesForGood(ret):
		return ownStatus(cond.Cond, e)
	}
	return ""
}

// otherObject says which other object was not found, where what the gate guards has no use for it.
func (a *analyzer) otherObject(cond *ssa.If, e event, gates gateSet, events []event) string {
	x, _, ok := flow.NilTest(cond.Cond)
	if !ok || !flow.IsError(x.Type()) {
		return ""
	}
	call, _ := flow.ResultOf(flow.Resolve(x))
	if call == nil {
		return ""
	}
	for _, r := range events {
		if r.kind != reads || r.in != ssa.Instruction(call) || r.at != r.in || r.obj.path == e.obj.path {
			continue
		}
		root, ok := r.obj.path.Root.(*ssa.Alloc)
		if !ok || r.obj.path.Sel != "" || usedBehind(root, gates) || kube.Named(root.Type()) == kube.Named(e.obj.typ) {
			return ""
		}
		return fmt.Sprintf("%s cannot be read", nameOf(a.pass, r))
	}
	return ""
}

// usedBehind reports whether anything made from v is used where a gate leads.
func usedBehind(v ssa.Value, gates gateSet) bool {
	return goesTo(v, func(user ssa.Instruction) bool {
		for g, side := range gates {
			if user == g || side != nil && side.Dominates(user.Block()) {
				return true
			}
		}
		return false
	})
}

// goesTo reports whether v, or anything that is made from it, is used by an instruction that is wanted. Errors and
// contexts are not followed.
func goesTo(v ssa.Value, wanted func(ssa.Instruction) bool) bool {
	tainted := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	add := func(v ssa.Value) {
		if v != nil && !tainted[v] && !flow.IsError(v.Type()) && !kube.IsContext(v.Type()) {
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
					if alloc, ok := arg.(*ssa.Alloc); ok {
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

// notReady says which question about something else, put to the cluster, sends the object back to the queue.
func (a *analyzer) notReady(cond ssa.Value, e event, gates gateSet) string {
	calls := sources(cond, map[ssa.Value]bool{})
	if len(calls) == 0 {
		return ""
	}
	call := calls[0]
	fn := flow.Callee(&call.Call)
	if fn == nil || byDesign(fn.Name()) || usedBehind(call, gates) || !flow.IsBool(call.Type()) && !isTuple(call) {
		return ""
	}
	asks := false
	for _, arg := range flow.AllArgs(&call.Call) {
		asks = asks || kube.IsContext(arg.Type()) || isClient(arg.Type())
	}
	if !asks || a.callTests(call, e.obj.places()) {
		return ""
	}
	return fmt.Sprintf("%s says no", fn.Name())
}

func isTuple(call *ssa.Call) bool { return call.Call.Signature().Results().Len() > 1 }

// ownStatus says which field of its own status makes the controller leave the object alone.
func ownStatus(cond ssa.Value, e event) string {
	var field string
	ok := true
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		v = flow.Resolve(v)
		if c, isConst := v.(*ssa.Const); isConst {
			if c.Value != nil && c.Value.Kind() == constant.String && isFinal(constant.StringVal(c.Value)) {
				ok = false
			}
			return
		}
		p := flow.PathOf(v)
		for _, o := range e.obj.places() {
			if p.Root == o.Root && strings.HasPrefix(p.Sel, o.Sel+".Status.") && !byDesign(lastField(p.Sel)) && !isFinal(lastField(p.Sel)) {
				field = strings.TrimPrefix(p.Sel, o.Sel+".")
				return
			}
		}
		switch v := v.(type) {
		case *ssa.BinOp:
			visit(v.X)
			visit(v.Y)
		case *ssa.UnOp:
			if p.Root == ssa.Value(v) {
				visit(v.X)
				return
			}
			ok = false
		default:
			ok = false
		}
	}
	visit(cond)
	if !ok || field == "" {
		return ""
	}
	return fmt.Sprintf("%s says so", field)
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

func (a *analyzer) reportEarly(ret *ssa.Return, e event, why string, gates gateSet) {
	pass := a.pass
	gate := first(gates)
	pos := ret.Pos()
	if !pos.IsValid() {
		pos = flow.Pos(ret)
	}
	name := a.named(e)
	rule.Report(pass, rule.Finding{
		Pos: pos, Sub: "unreachable",
		Message: fmt.Sprintf("%s keeps its finalizer for as long as %s: a deleted object returns here, before line %d, behind which alone the finalizer goes; handle the deletion first",
			name, why, rule.Line(pass, flow.Pos(gate))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(gate), Message: "the deletion is handled from here on"}},
	})
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
