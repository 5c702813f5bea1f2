package tombstone

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// coveredByUpdates reports whether update events have the same effect as the deletions: both handlers queue the same
// keys, independent of the object, or both pass on or store only what the object contains, so that the last update
// has already done so.
func (t *tombstones) coveredByUpdates(updated, deleted []*ssa.Function) bool {
	if len(updated) == 0 || len(deleted) == 0 {
		return false
	}
	return !slices.ContainsFunc(deleted, func(d *ssa.Function) bool {
		return slices.ContainsFunc(updated, func(u *ssa.Function) bool {
			return !t.queuesSameOnUpdate(u, d) && !t.forwardedAlike(u, d)
		})
	})
}

// queuesSameOnUpdate reports whether the handlers updated and deleted only queue keys that do not depend on the
// object, and updated does so for all queues of deleted.
func (t *tombstones) queuesSameOnUpdate(updated, deleted *ssa.Function) bool {
	u, d := t.constantQueueing(updated), t.constantQueueing(deleted)
	return u != nil && d != nil && (u.relists || !d.relists) &&
		!slices.ContainsFunc(d.queues, func(to queue) bool { return !slices.Contains(u.queues, to) })
}

// constantQueueing returns what the handler fn queues if that does not depend on the object and it does nothing else,
// otherwise nil.
func (t *tombstones) constantQueueing(fn *ssa.Function) *queueing {
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

// dependsOn reports whether v may be computed from one of the values in of.
func dependsOn(v ssa.Value, of map[ssa.Value]bool) bool {
	return values.DependsOn(v, func(x ssa.Value) bool { return of[x] })
}

// forwardedAlike reports whether the handlers updated and deleted store parts of the object in the same fields, or
// send it to the same channels of the function that makes the handlers, which only reads fields of it, and do nothing
// else: then a missed deletion loses nothing.
func (t *tombstones) forwardedAlike(updated, deleted *ssa.Function) bool {
	u, d := &forwarding{t: t}, &forwarding{t: t}
	return u.onlyForwards(updated, lastAny(updated)) && d.onlyForwards(deleted, lastAny(deleted)) && len(d.to) > 0 &&
		slices.Equal(u.to, d.to)
}

// forwarding is the state of handedOnAlike for one handler.
type forwarding struct {
	t *tombstones
	// the fields that it is stored in, and the variables of the channels that it is sent to
	to   []ssa.Value
	seen []*ssa.Function
}

// onlyForwards reports whether fn, whose parameter obj is the object, does nothing but store and send it, and notes
// where.
func (h *forwarding) onlyForwards(fn *ssa.Function, obj *ssa.Parameter) bool {
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

// call reports whether call, in a function where of is the object, logs, locks, or passes the object to a function
// that onlyForwards holds for.
func (h *forwarding) call(call ssa.CallInstruction, of map[ssa.Value]bool) bool {
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
			return h.onlyForwards(callee, callee.Params[i])
		}
	}
	return false
}

// variable returns the variable, of the function that makes the handler, from which the handler reads v; nil if there
// is none.
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

// onlyRead reports whether the channel in the variable is made by its function and is only sent to and received from,
// and only fields of what is received are read.
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
	received.Skip = func(in ssa.Instruction) bool { // a copy of a field without references
		load, ok := in.(*ssa.UnOp)
		return ok && !reaches(load.Type())
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
