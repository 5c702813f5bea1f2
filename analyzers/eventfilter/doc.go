// Package eventfilter finds predicates and event handlers that drop events which the reconciler needs.
//
// # Analyzer eventfilter
//
// eventfilter: predicates and handlers that drop needed events
//
// Principle: a change of anything that a reconciler reads of the objects that its controller watches leads to a reconciliation, and so
// does a deletion that it acts on: all predicates of the watch let the event through and its handler queues it, or another watch, or a
// requeue after a time, does the same.
//
// A controller filters events to save work. An event that a filter drops by mistake is not repeated: the object stays as it is until
// something else changes it.
//
// # Sub-rules
//
//   - siblings: an update predicate compares most fields of one type, but not all of them
//   - deletion: the update that marks an object for deletion, or its deletion, is dropped
//   - metadata: a change of an annotation that the reconciler reads is dropped
//   - status: a change of the status of another object that the reconciler reads is dropped
//   - nogeneration: a filter waits for a generation that never changes
//   - constant: a filter that gives the same answer whatever changed
//   - mutates: a filter or handler writes to the object in the cache
//   - tombstone: a delete handler or predicate does not handle DeletedFinalStateUnknown tombstones
//
// # How filters are understood
//
// A filter is evaluated symbolically on an update of which it is assumed what differs between the old and the new object: the spec and
// with it the generation, an annotation, the status, or the deletion timestamp. A condition that this decides is followed one way, any
// other both ways; functions of the same package are entered. The filter drops the update if it does so on every path. The predicates of
// a watch and those of `WithEventFilter` all have to let an update through. `predicate.Or` and `Not`, types with an `Update` method, and
// functions that return predicates, also those of other packages, are understood.
//
// # Over packages
//
// Facts tell importing packages, and so also what is known of dependencies that take part (`-deps`): what functions do with a tombstone,
// what filters drop, which annotations functions read and set, and which parameters they write to. What a reconciler reads is known
// where the controller is set up, also in another package. A controller that functions of several packages put together, each with a
// part of the watches, is not seen whole.
//
// # Not reported by any sub-rule
//
//   - A filter that drops every update, unless a finalizer waits for one: it is meant so.
//   - A kind whose change another watch of the controller, or another handler of the package, delivers as well.
//   - A filter whose paths take more than 20,000 steps to follow, which `-debug` counts.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/eventfilter reason`, or `//nolint:eventfilter // reason`, on the line, above it, or above
// the function; `-eventfilter=false` is for the whole rule.
package eventfilter
