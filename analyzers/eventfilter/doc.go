// Package eventfilter finds predicates and event handlers that drop events which the reconciler needs.
//
// # Analyzer eventfilter
//
// eventfilter: predicates and handlers that drop needed events
//
// Principle: every change that a reconciler reads, and every deletion that it acts on, triggers a reconcile: all
// predicates of the watch pass the event and its handler queues a request, or another watch or a requeue does.
//
// A controller filters events to save work. An event that a filter drops by mistake is never repeated: the change is
// seen only at the next unrelated event.
//
// # Sub-rules
//
//   - siblings: an update predicate compares most fields of one type, but not all of them
//   - deletion: the update that marks an object for deletion is dropped
//   - metadata: changes of an annotation that the reconciler reads are dropped
//   - status: changes of the status of another object that the reconciler reads are dropped
//   - nogeneration: a filter waits for a generation that never changes
//   - constant: a filter or comparison whose result does not depend on the change
//   - mutates: a filter or handler mutates an object of the informer cache
//   - tombstone: a delete handler or predicate does not handle DeletedFinalStateUnknown tombstones
//
// # How filters are understood
//
// A filter is evaluated symbolically on an update, under an assumption about what differs between the old and the new
// object: the spec and the generation, an annotation, the status, the deletion timestamp, or anything but the
// metadata. A condition that the assumption decides is followed in one direction, any other in both; functions and
// closures of the same package are entered. The filter drops the update if it does so on every path. All predicates of
// a watch and of `WithEventFilter` have to pass an update. `predicate.Or` and `Not`, types with an `Update` method,
// functions that return predicates, and package variables that are assigned only where they are declared are
// understood, also those of other packages.
//
// # Over packages
//
// Facts tell importing packages, also about dependencies that take part (`-deps`), what functions do with a tombstone,
// which events filters drop, which annotations functions read and set, and which parameters they write to. What a
// reconciler reads is known where the controller is set up, also in another package. A controller whose watches are
// added by functions of several packages is known only in part.
//
// # Not reported by any sub-rule
//
//   - A filter that drops every update on purpose, unless a finalizer waits for one.
//   - A kind whose changes another watch of the controller, or another handler of the package, delivers.
//   - A filter whose evaluation takes more than 20,000 steps, which `-debug` counts.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/eventfilter reason` or `//nolint:eventfilter // reason` on the line, above it, or
// above the function; `-eventfilter=false` disables the rule.
package eventfilter
