package tombstone

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// madeUpFor reports whether all that the handlers of deletions do others do as well: each event of the kind queues the same keys, or the
// deletion is handed on as an update is, with what the last update has told.
func (t *tombstones) madeUpFor(updated, deleted []*ssa.Function) bool {
	if len(updated) == 0 || len(deleted) == 0 {
		return false
	}
	return !slices.ContainsFunc(deleted, func(d *ssa.Function) bool {
		return slices.ContainsFunc(updated, func(u *ssa.Function) bool { return !t.queuesAnyway(u, d) && !t.handedOnAlike(u, d) })
	})
}

// queuesAnyway reports whether the handlers updated and deleted do nothing but queue keys that do not depend on the object, and updated does so
// for all queues of deleted.
func (t *tombstones) queuesAnyway(updated, deleted *ssa.Function) bool {
	u, d := t.queuesSame(updated), t.queuesSame(deleted)
	return u != nil && d != nil && (u.relists || !d.relists) && !slices.ContainsFunc(d.queues, func(to queue) bool { return !slices.Contains(u.queues, to) })
}

// queuesSame is what the handler fn queues, where that does not depend on the object, and it does nothing else; nil where it does.
func (t *tombstones) queuesSame(fn *ssa.Function) *queueing {
	q := &queueing{of: map[ssa.Value]bool{}}
	for _, p := range fn.Params {
		if kubeapi.IsAny(p.Type()) {
			q.of[p] = true
		}
	}
	if !q.only(t, fn, map[*ssa.Function]bool{}) || q.differs || len(q.queues) == 0 && !q.relists {
		return nil
	}
	return q
}

// dependsOn reports whether v is made of one of the values of.
func dependsOn(v ssa.Value, of map[ssa.Value]bool) bool {
	return values.DependsOn(v, func(x ssa.Value) bool { return of[x] })
}

// handedOnAlike reports whether the handlers updated and deleted do the same, and nothing but to keep what the object says, or to send it to the
// function that has set them up, which looks at no more than what it says: a deletion that is not told is no loss to them.
func (t *tombstones) handedOnAlike(updated, deleted *ssa.Function) bool {
	u, d := &handing{t: t}, &handing{t: t}
	return u.looks(updated, lastAny(updated)) && d.looks(deleted, lastAny(deleted)) && len(d.to) > 0 && slices.Equal(u.to, d.to)
}

// handing is what a handler does with what an object says.
type handing struct {
	t    *tombstones
	to   []ssa.Value // the fields that it keeps it in, and the channels that it sends the object on
	seen []*ssa.Function
}

// looks reports whether fn, whose parameter obj is the object, does nothing but that.
func (h *handing) looks(fn *ssa.Function, obj *ssa.Parameter) bool {
	if obj == nil || slices.Contains(h.seen, fn) {
		return false
	}
	h.seen = append(h.seen, fn)
	of := map[ssa.Value]bool{obj: true}
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.TypeAssert:
			if !in.CommaOk {
				return false
			}
		case *ssa.Store:
			if _, arg := in.Addr.(*ssa.IndexAddr); arg || own(in.Addr) {
				continue
			}
			field, ok := in.Addr.(*ssa.FieldAddr)
			if _, constant := in.Val.(*ssa.Const); !ok || !constant && !dependsOn(in.Val, of) || reaches(in.Val.Type()) {
				return false
			}
			h.to = append(h.to, field)
		case *ssa.Send:
			ch := variable(in.Chan)
			if ch == nil || !dependsOn(in.X, of) || !onlyRead(ch) {
				return false
			}
			h.to = append(h.to, ch)
		case ssa.CallInstruction:
			if !h.call(in, of) {
				return false
			}
		case *ssa.MapUpdate, *ssa.Select, *ssa.MakeClosure, *ssa.Panic:
			return false
		}
	}
	return true
}

// call reports whether call, in a function where the object is of, logs, locks, or hands the object to a function that looks at it.
func (h *handing) call(call ssa.CallInstruction, of map[ssa.Value]bool) bool {
	if _, spawned := call.(*ssa.Go); spawned {
		return false
	}
	com := call.Common()
	fn := flow.Callee(com)
	switch {
	case kubeapi.Logs(fn), kubeapi.GivesLogger(fn):
		return true
	case fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync":
		return true
	}
	callee, args := h.t.pkg.Callee(com), flow.AllArgs(com)
	if callee == nil || len(callee.Params) != len(args) {
		return false
	}
	for i, a := range args {
		if of[raw(a)] {
			return h.looks(callee, callee.Params[i])
		}
	}
	return false
}

// variable is the variable of the function that has set up a handler from which the handler has v; nil where there is none.
func variable(v ssa.Value) *ssa.Alloc {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	fv, ok := load.X.(*ssa.FreeVar)
	for ok {
		bound := flow.Binding(fv)
		if alloc, is := bound.(*ssa.Alloc); is {
			return alloc
		}
		fv, ok = bound.(*ssa.FreeVar)
	}
	return nil
}

// onlyRead reports whether the channel in the variable is made by its function, given to nobody, and of what is received nothing but fields are read.
func onlyRead(variable ssa.Value) bool {
	for _, v := range values.Stored(variable) {
		if _, made := v.(*ssa.MakeChan); !made && !flow.IsNil(v) {
			return false
		}
	}
	received := values.From()
	for in, ch := range values.Uses(variable) {
		switch in := in.(type) {
		case *ssa.Send:
			if in.X == ch {
				return false
			}
		case *ssa.UnOp:
			received.Add(in)
		case *ssa.Select:
			for x := range flow.Referrers[*ssa.Extract](in) {
				if x.Index > 1 {
					received.Add(x)
				}
			}
		default:
			return false
		}
	}
	for in, v := range received.Uses() {
		switch in := in.(type) {
		case *ssa.Field, *ssa.If, *ssa.BinOp:
		case *ssa.FieldAddr:
			received.Add(in)
		default:
			if reaches(v.Type()) {
				return false
			}
		}
	}
	return true
}
