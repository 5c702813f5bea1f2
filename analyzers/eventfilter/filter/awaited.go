package filter

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// awaited reports the predicates of w that drop the update by which the reconciler puts its finalizer on the object, where it
// has returned to go on when it hears of that.
func (d *dropped) awaited(c *controller, w *watch, needs *needFact) {
	q := d.loses(c, w, finalizersChange())
	if q == nil {
		return
	}
	for _, n := range needs.of(w.Kind, itself) {
		d.report(rule.Finding{Pos: q.Pos, Sub: "metadata", Site: "dropped-finalizer-echo", Message: fmt.Sprintf(
			"%s drops updates of %s that change only finalizers, but %s returns after it has put one on (%s), and goes on only when it is told: a new object waits for an unrelated event",
			q.Name, kindOf(w.Kind), n.By, n.line(d, c)),
			Related: []analysis.RelatedInformation{{Pos: n.pos, Message: "the finalizer is written here"}}})
		return
	}
}

// findAwaited adds the needs of a reconciliation that ends as these do.
func (d *dropped) findAwaited(ends []*ssa.Return, add addNeed) {
	for _, ret := range ends {
		if !leavesIt(ret.Results[0]) {
			continue
		}
		for test, t := range flow.Decided(ret.Block()) {
			if t == flow.Either || !asksFinalizers(test.Cond) || !d.works(flow.Side(test, t.Not())) {
				continue
			}
			if in, object := d.putsOnly(flow.Side(test, t), ret); in != nil {
				add(object.Type(), itself, "", flow.FuncName(ret.Parent()), in.Pos())
			}
		}
	}
}

// leavesIt reports whether v is a result without any wish.
func leavesIt(v ssa.Value) bool {
	if c, ok := v.(*ssa.Const); ok {
		return c.Value == nil
	}
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	made, ok := load.X.(*ssa.Alloc)
	return ok && !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool { return r != ssa.Instruction(load) })
}

// asksFinalizers reports whether cond is computed from the finalizers of an object.
func asksFinalizers(cond ssa.Value) bool {
	v, _ := flow.Positive(cond)
	if call, ok := v.(*ssa.Call); ok {
		if sym := kube.SymbolOf(flow.Callee(&call.Call)); sym.Pkg == kube.ControllerUtil && (sym.Name == "ContainsFinalizer" || sym.Name == "AddFinalizer") {
			return true
		}
	}
	return comesOf(v, finalizersPath, map[ssa.Value]bool{})
}

// works reports whether control may come from b to a request that writes, in the function or in what it calls.
func (d *dropped) works(b *ssa.BasicBlock) bool { return d.asks(b, kube.Verb.Writes) }

// asks reports whether control may come from b to a request with such a verb, in the function or in what it calls.
func (d *dropped) asks(b *ssa.BasicBlock, such func(kube.Verb) bool) bool {
	is := func(in ssa.Instruction) bool {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return false
		}
		r, ok := kube.RequestOf(call.Common())
		return ok && such(r.Verb)
	}
	for from := range flow.BlocksFrom(b) {
		for _, in := range from.Instrs {
			if is(in) {
				return true
			}
			call, ok := in.(ssa.CallInstruction)
			if !ok || d.ps.pkg.Callee(call.Common()) == nil {
				continue
			}
			for _, fn := range region(d.ps.pkg, d.ps.pkg.Callee(call.Common())) {
				for in := range flow.Instrs(fn) {
					if is(in) {
						return true
					}
				}
			}
		}
	}
	return false
}

// putsOnly is the request on all ways from the block side to ret that writes an object to which the function has done nothing but to put a
// finalizer on, and the object; nil where there is none.
func (d *dropped) putsOnly(side *ssa.BasicBlock, ret *ssa.Return) (in ssa.Instruction, object ssa.Value) {
	for in := range flow.Instrs(ret.Parent()) {
		call, ok := in.(ssa.CallInstruction)
		if !ok || !side.Dominates(in.Block()) || !flow.Dominates(in, ret) {
			continue
		}
		r, ok := kube.RequestOf(call.Common())
		if !ok || r.Status || r.Object == nil || r.Verb != kube.VerbUpdate && r.Verb != kube.VerbPatch {
			continue
		}
		object := flow.Unwrap(flow.Resolve(r.Object))
		if d.finalizerOnly(object, in) {
			return in, object
		}
	}
	return nil, nil
}

// finalizerOnly reports whether what is done to object before at puts a finalizer on, and changes nothing else that the request there
// writes.
func (d *dropped) finalizerOnly(object ssa.Value, at ssa.Instruction) bool {
	first, ok := object.(ssa.Instruction)
	if p, param := object.(*ssa.Parameter); param {
		first, ok = p.Parent().Blocks[0].Instrs[0], true
	}
	if !ok || d.shared == nil {
		return false
	}
	puts := false
	for _, e := range d.shared.Effects(sharing.Shown(object, first, "the object")) {
		if call, ok := e.In.(ssa.CallInstruction); ok {
			if _, request := kube.RequestOf(call.Common()); request {
				continue
			}
		}
		switch {
		case !flow.Reaches(e.In, at, nil):
		case e.What != "Finalizers", slices.Contains(d.finalizers.of(e.In), object):
			return false
		default:
			puts = true
		}
	}
	return puts
}
