package tombstone

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// addsOf returns the number, from 1, of the parameter that fn, a method, only adds to a work queue of its receiver; 0
// if there is none.
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

// by notes that key is queued.
func (q *queueing) by(key ssa.Value) {
	named := q.named(key)
	q.names, q.others = q.names || named, q.others || !named
}

// named reports whether name is the name of an object of the kind of q, which is its key if the kind has no
// namespaces.
func (q *queueing) named(name ssa.Value) bool {
	field, of := kubeapi.MetaRead(flow.Unwrap(flow.Resolve(name)))
	return field == kubeapi.MetaName && q.kind != nil && kubeapi.Named(of.Type()) == kubeapi.Named(q.kind)
}

// consumersIgnoreGone reports whether, for each queue of q, the functions of the package that take names from it pass
// them only to functions that return at once if there is no object of the kind of q with that name.
func (t *tombstones) consumersIgnoreGone(q *queueing) bool {
	for _, to := range q.queues {
		worked := false
		for call := range flow.InstrsOf[*ssa.Call](t.pkg.All()...) {
			if flow.Callee(&call.Call) == nil || kubeapi.QueueOp(flow.Callee(&call.Call).Name()) != kubeapi.QueueGet ||
				queueOf(flow.Recv(&call.Call)) != to {
				continue
			}
			if worked = t.consumerIgnoresGone(flow.Extracted(call, 0), to, q); !worked {
				return false
			}
		}
		if !worked {
			return false
		}
	}
	return true
}

// consumerIgnoresGone reports whether item, taken from the queue from, is passed only to functions of the package
// that do nothing for a missing object of the kind of q, at least one, to loggers, and back to the queue.
func (t *tombstones) consumerIgnoresGone(item ssa.Value, from queue, q *queueing) bool {
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
		case callee != nil && t.ignoresGone(callee, q.kind):
			given = true
		case callee == nil && (kubeapi.Logs(flow.Callee(call.Common())) || queueOf(flow.Recv(call.Common())) == from):
		default:
			return false
		}
	}
	return given
}

// queueOf returns the queue that v is, the zero value if v is not read from a field.
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
