package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
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
			"%s drops status updates of %s, but %s reads the status at %s: its change triggers no reconcile; let them through",
			q.Name, kindOf(w.Kind), n.By, n.At),
			Related: []analysis.RelatedInformation{{Pos: n.pos, Message: "the status is read here"}, {Pos: w.Pos, Message: "the kind is watched here"}}})
	}
}

// readsStatus reports whether fn reads the status of an object at fa, and neither makes it itself nor asks whether it is the one that it has made.
func readsStatus(fn *ssa.Function, fa *ssa.FieldAddr) bool {
	field := flow.Field(fa.X.Type(), fa.Field)
	return kubeapi.IsStatus(field) && statusRead(fa) && !makesStatus(fn, fa) && !sendsWhereOther(fa)
}

// waitedFor are the parameters of fn, objects, whose status it reads as somebody who waits for it does.
func waitedFor(fn *ssa.Function) (params []int) {
	for i, p := range fn.Params {
		if types.IsInterface(p.Type()) || !kubeapi.IsObject(p.Type()) {
			continue
		}
		if flow.Any(flow.Referrers[*ssa.FieldAddr](p), func(fa *ssa.FieldAddr) bool { return readsStatus(fn, fa) }) {
			params = append(params, i)
		}
	}
	return params
}

// statusElsewhere tells of the objects whose status call has a function of another package read, where something comes of what that gives, and the function of
// call does not make that status itself.
func (d *dropped) statusElsewhere(call ssa.CallInstruction, to func(object ssa.Value)) {
	value := call.Value()
	if value == nil || d.ps.pkg.Callee(call.Common()) != nil || !kubeapi.BesidesLogs(value) {
		return
	}
	f := d.access(flow.Callee(call.Common()))
	if f == nil {
		return
	}
	args := flow.AllArgs(call.Common())
	for _, i := range f.Status {
		if i >= len(args) || element(args[i]) {
			continue
		}
		if object := flow.Unwrap(args[i]); !makes(call.Parent(), statusOf(object.Type())) {
			to(object)
		}
	}
}

// statusRead reports whether a part of the status at fa, or all of it, is loaded for more than logs.
func statusRead(fa *ssa.FieldAddr) bool {
	return slices.ContainsFunc(*fa.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			return statusRead(r)
		case *ssa.UnOp:
			return r.Op == token.MUL && kubeapi.BesidesLogs(r)
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
		if kubeapi.IsStatus(f) {
			return f
		}
	}
	return nil
}

// sendsWhereOther reports whether the status at fa, all of it, is read for nothing but to compare it with another one, and the object's own is sent where they
// are not the same: it is what the reconciler has made of it, and no news from somebody else.
func sendsWhereOther(fa *ssa.FieldAddr) bool {
	sends := false
	for in := range values.Uses(fa) {
		call, ok := in.(*ssa.Call)
		if !ok || !kubeapi.Compares(flow.Callee(&call.Call)) || !sentWhere(call, fa.X) {
			return false
		}
		sends = true
	}
	return sends
}

// sentWhere reports whether the status of object is sent where equal, which asks whether it is the same as another one, says no.
func sentWhere(equal *ssa.Call, object ssa.Value) (sent bool) {
	for call := range flow.Calls(equal.Parent()) {
		r, ok := kubeapi.RequestOf(call.Common())
		if !ok || !r.Status || !r.Verb.Writes() || r.Object == nil || flow.PathOf(flow.Unwrap(r.Object)) != flow.PathOf(object) {
			continue
		}
		for v, t := range paths.Facts(call.Block()) {
			sent = sent || v == ssa.Value(equal) && t == flow.False
		}
	}
	return sent
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
