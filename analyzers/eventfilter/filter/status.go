package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// status reports the predicates of w, which watches a kind that is not the controller's own, where they drop changes of
// the status that the reconciler reads, and nothing else makes it look again.
func (d *dropped) status(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil || needs.Again {
		return
	}
	q := d.loses(c, w, statusChange())
	if q == nil {
		return
	}
	if !c.shares(q) && !q.judge(anyChange(false)).drops() {
		return // made for this watch, and no test of the generation: somebody chose what it lets through
	}
	if all := needs.of(w.Kind, status); len(all) > 0 {
		n := all[0]
		d.report(rule.Finding{Pos: q.Pos, Sub: "status", Site: "dropped-status", Message: fmt.Sprintf(
			"%s drops updates of %s (watched at line %d) that change only the status, but %s reads its status at %s: what it waits for goes unseen",
			q.Name, kindOf(w.Kind), rule.Line(d.pass, w.Pos), n.By, n.At),
			Related: []analysis.RelatedInformation{{Pos: n.pos, Message: "the status is read here"}, {Pos: w.Pos, Message: "the kind is watched here"}}})
	}
}

// readsStatus reports whether fn reads the status of an object at fa, and neither makes it itself nor asks whether it is the one that it has made.
func readsStatus(fn *ssa.Function, fa *ssa.FieldAddr) bool {
	field := flow.Field(fa.X.Type(), fa.Field)
	return field != nil && field.Name() == "Status" && statusRead(fa) && !makesStatus(fn, fa) && !sendsWhereOther(fa)
}

// statusRead reports whether a part of the status at fa, or all of it, is loaded for more than logs.
func statusRead(fa *ssa.FieldAddr) bool {
	return slices.ContainsFunc(*fa.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			return statusRead(r)
		case *ssa.UnOp:
			return r.Op == token.MUL && kube.BesidesLogs(r)
		}
		return false
	})
}

// makesStatus reports whether fn changes the status of an object of the type of the one at fa: it works on the status that it reads there,
// and does not wait for it.
func makesStatus(fn *ssa.Function, fa *ssa.FieldAddr) bool {
	return makes(fn, flow.Field(fa.X.Type(), fa.Field))
}

// makes reports whether fn changes the field of some object, or what lies in it.
func makes(fn *ssa.Function, field *types.Var) bool {
	for _, to := range flow.FieldStores(fn) {
		for ok := true; ok; to, ok = holder(to.X) {
			if f := flow.Field(to.X.Type(), to.Field); f != nil && f == field {
				return true
			}
		}
	}
	return false
}

// statusOf is the field Status of the objects of type t, nil for none.
func statusOf(t types.Type) *types.Var {
	st, ok := flow.Pointee(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		if f.Name() == "Status" {
			return f
		}
	}
	return nil
}

// sendsWhereOther reports whether the status at fa, all of it, is read for nothing but to compare it with another one, and the object's own is sent where they
// are not the same: it is what the reconciler has made of it, and no news from somebody else.
func sendsWhereOther(fa *ssa.FieldAddr) bool {
	sends := false
	for _, r := range *fa.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			return false
		case *ssa.UnOp:
			for _, u := range *r.Referrers() {
				if !comparedAndSent(u, fa.X) {
					return false
				}
				sends = true
			}
		}
	}
	return sends
}

// comparedAndSent reports whether use compares the status of object, and that is sent where it is another one.
func comparedAndSent(use ssa.Instruction, object ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.MakeInterface:
		return !slices.ContainsFunc(*use.Referrers(), func(u ssa.Instruction) bool { return !comparedAndSent(u, object) })
	case *ssa.Call:
		fn := flow.Callee(&use.Call)
		return fn != nil && deepEqual(fn) && sentWhere(use, object)
	}
	return false
}

// sentWhere reports whether the status of object is sent where equal, which asks whether it is the same as another one, says no.
func sentWhere(equal *ssa.Call, object ssa.Value) (sent bool) {
	flow.Calls(equal.Parent(), func(call ssa.CallInstruction) {
		r, ok := kube.RequestOf(call.Common())
		if !ok || !r.Status || !r.Verb.Writes() || r.Object == nil || flow.PathOf(flow.Unwrap(r.Object)) != flow.PathOf(object) {
			return
		}
		for test, t := range flow.Decided(call.Block()) {
			v, is := flow.Positive(test.Cond)
			sent = sent || v == ssa.Value(equal) && t == flow.Settled(!is)
		}
	})
	return sent
}

// neverReady reports a handler whose Create turns objects away because of their status, while its Update drops the
// update that changes the status.
func (d *dropped) neverReady(h *handler) {
	if h.create == nil {
		return
	}
	ch := statusChange().of(h.kind)
	if !d.ps.judge(h.update, ch).drops() || d.ps.judge(h.update, anyChange(true)).drops() {
		return
	}
	if v := d.ps.judge(h.create, anyChange(true)); !v.pass || !v.drop {
		return
	}
	at := statusTest(d.ps.pkg, h.create, h.kind)
	if !at.IsValid() || turnsAwaySet(h.create) || queuesAnyway(h.create, h.kind) {
		return
	}
	d.report(rule.Finding{Pos: h.update.Pos(), Sub: "status", Site: "dropped-readiness", Message: fmt.Sprintf(
		"%s drops updates of %s that change only the status, but %s turns objects away by their status at line %d: one that becomes ready later is never seen",
		h.name, kindOf(h.kind), flow.FuncName(h.create), rule.Line(d.pass, at)),
		Related: []analysis.RelatedInformation{{Pos: at, Message: "the status decides here"}}})
}

// turnsAwaySet reports whether fn leaves at once where a field of the status of what it is given is set: it wants those without, which get it later.
func turnsAwaySet(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		test := flow.Branch(b)
		if test == nil {
			continue
		}
		of, is := asksSet(test.Cond)
		load, ok := of.(*ssa.UnOp)
		if !ok || !strings.Contains(flow.PathOf(load.X).Sel, ".Status.") || !derivesFromParam(load.X) {
			continue
		}
		side := flow.Side(test, flow.Settled(is))
		if flow.ReturnOf(side) != nil && !slices.ContainsFunc(side.Instrs, func(in ssa.Instruction) bool { return actsAt(in, nil) }) {
			return true
		}
	}
	return false
}

// queuesAnyway reports whether fn asks for the status of what it is given, and puts it into one queue or another whatever the answer is.
func queuesAnyway(fn *ssa.Function, kind types.Type) bool {
	asks := false
	for in := range flow.Instrs(fn) {
		fa, ok := in.(*ssa.FieldAddr)
		if !ok || !sameType(fa.X.Type(), kind) || flow.Field(fa.X.Type(), fa.Field).Name() != "Status" || !tested(fa, map[ssa.Value]bool{}) {
			continue
		}
		asks = true
		if endsUnqueued(fa.Block(), map[*ssa.BasicBlock]bool{}) {
			return false
		}
	}
	return asks
}

// endsUnqueued reports whether a way from b ends before anything is queued.
func endsUnqueued(b *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) bool {
	if seen[b] || slices.ContainsFunc(b.Instrs, queues) {
		return false
	}
	seen[b] = true
	return flow.ReturnOf(b) != nil || slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return endsUnqueued(s, seen) })
}

// queues reports whether in puts something into a queue.
func queues(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	return ok && enqueues(&call.Call)
}

// enqueues reports whether call puts something into a queue.
func enqueues(call *ssa.CallCommon) bool {
	callee := flow.Callee(call)
	return kube.OfWorkqueue(callee) && strings.HasPrefix(callee.Name(), "Add")
}

// asksSet is the value of which cond asks whether it is set: a bool, what is compared with nothing, or what has a length. It is set where cond is as says.
func asksSet(cond ssa.Value) (v ssa.Value, says bool) {
	v, says = flow.Positive(cond)
	bin, ok := v.(*ssa.BinOp)
	if !ok {
		return v, says
	}
	zero, ok := bin.Y.(*ssa.Const)
	if !ok || !flow.IsZero(zero) {
		return v, says
	}
	return lengthOf(bin.X), says == (bin.Op == token.NEQ || bin.Op == token.GTR)
}

// statusTest is where fn, or a function of this package that it hands the object to, looks at the status of an object of
// type kind to decide something; NoPos where it does not.
func statusTest(pkg *program.Program, fn *ssa.Function, kind types.Type) token.Pos {
	ofKind := func(t types.Type) bool { return sameType(t, kind) }
	for f := range handed(pkg, fn, ofKind) {
		for in := range flow.Instrs(f) {
			fa, ok := in.(*ssa.FieldAddr)
			if ok && ofKind(fa.X.Type()) && flow.Field(fa.X.Type(), fa.Field).Name() == "Status" && derivesFromParam(fa.X) && tested(fa, map[ssa.Value]bool{}) {
				return fa.Pos()
			}
		}
	}
	return token.NoPos
}

// tested reports whether a condition depends on v, on a part of what v leads to, or on what a function gives for it other than a copy.
func tested(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.If:
			return true
		case *ssa.Return:
			return flow.IsBool(v.Type())
		case *ssa.Store: // to a variable: the element of a loop
			_, local := r.Addr.(*ssa.Alloc)
			return local && r.Val == v && tested(r.Addr, seen)
		case *ssa.Call:
			return !kube.IsDeepCopy(flow.Callee(&r.Call)) && tested(r, seen) // what a copy is made for is no answer
		case ssa.Value:
			return tested(r, seen)
		}
		return false
	})
}

// holder is the address of the field that the variable at v is a part of, or an element of.
func holder(v ssa.Value) (*ssa.FieldAddr, bool) {
	if ix, ok := v.(*ssa.IndexAddr); ok {
		if v = ix.X; flow.LoadedFrom(v) != nil {
			return flow.LoadedFrom(v), true
		}
	}
	fa, ok := v.(*ssa.FieldAddr)
	return fa, ok
}
