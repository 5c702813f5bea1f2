package tombstone

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// addsOf is the parameter of fn, a method, from 1 on, that fn does nothing with but add it to a work queue that its receiver has; 0 where there is none.
func (t *tombstones) addsOf(fn *ssa.Function) int {
	if fn.Signature.Recv() == nil || fn.Signature.Results().Len() > 0 {
		return 0
	}
	param := 0
	only := onlyCalls(fn, func(c ssa.CallInstruction) bool {
		callee := flow.Callee(c.Common())
		if kubeapi.Logs(callee) {
			return true
		}
		args := flow.Args(c.Common())
		if !kubeapi.QueueOpOf(callee).AddsNow() || len(args) != 1 {
			return false
		}
		p := flow.PathOf(flow.Recv(c.Common()))
		added, ok := flow.Unwrap(flow.Resolve(args[0])).(*ssa.Parameter)
		if !ok || p.Root != ssa.Value(fn.Params[0]) || param > 0 {
			return false
		}
		param = 1 + slices.Index(fn.Params, added)
		return true
	})
	if !only {
		return 0
	}
	return param
}

// by notes that key is what is queued.
func (q *queueing) by(key ssa.Value) {
	named := q.named(key)
	q.names, q.others = q.names || named, q.others || !named
}

// named reports whether name is that of an object of the kind: of one without a namespace it is the key.
func (q *queueing) named(name ssa.Value) bool {
	field, of := kubeapi.MetaRead(flow.Unwrap(flow.Resolve(name)))
	return field == kubeapi.MetaName && q.kind != nil && kubeapi.Named(of.Type()) == kubeapi.Named(q.kind)
}

// workedOffForNothing reports whether whoever takes names out of one of the queues gives them to nobody but functions that return without more ado where they
// find no object of the kind.
func (t *tombstones) workedOffForNothing(q *queueing) bool {
	for _, to := range q.queues {
		worked := false
		for call := range flow.InstrsOf[*ssa.Call](t.pkg.All()...) {
			if flow.Callee(&call.Call) == nil || kubeapi.QueueOp(flow.Callee(&call.Call).Name()) != kubeapi.QueueGet || queueOf(flow.Recv(&call.Call)) != to {
				continue
			}
			if worked = t.leftAlone(flow.Extracted(call, 0), to, q); !worked {
				return false
			}
		}
		if !worked {
			return false
		}
	}
	return true
}

// leftAlone reports whether the function that has taken item out of the queue gives it to nobody but functions of the package that do nothing about an object of
// the kind that is gone, to logs, and back to the queue.
func (t *tombstones) leftAlone(item ssa.Value, from queue, q *queueing) bool {
	if item == nil {
		return false
	}
	of := map[ssa.Value]bool{item: true}
	given := false
	for call := range flow.InstrsOf[ssa.CallInstruction](item.Parent()) {
		if !slices.ContainsFunc(call.Common().Args, func(a ssa.Value) bool { return dependsOn(a, of) }) {
			continue
		}
		callee := t.pkg.Callee(call.Common())
		switch {
		case callee != nil && t.leavesGone(callee, q.kind):
			given = true
		case callee == nil && (kubeapi.Logs(flow.Callee(call.Common())) || queueOf(flow.Recv(call.Common())) == from):
		default:
			return false
		}
	}
	return given
}

// queueOf is the queue that v is, the zero value where it is in no field.
func queueOf(v ssa.Value) queue {
	if v == nil {
		return queue{}
	}
	p := flow.PathOf(v)
	if n := named(p); n != nil {
		return queue{n, p.Sel}
	}
	return queue{}
}
