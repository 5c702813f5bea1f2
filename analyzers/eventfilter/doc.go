// Package eventfilter finds predicates and event handlers that drop events which the reconciler needs.
//
// # Analyzer eventfilter
//
// eventfilter: predicates and handlers that drop needed events
//
// Principle: for a kind that a controller watches, whatever the reconciler reads of its objects, or makes where there is none, can wake
// it: a change of that alone (old and new agree on everything else), or a deletion, is let through by all predicates of the watch and
// queued by its handler; or another watch, or a time after which it comes back, does instead.
//
// A controller sees the cluster through events, and filters them to save work. An event that a filter drops by mistake
// is not repeated: the object stays as it is until something else touches it.
//
// # Sub-rules
//
//   - siblings: a change filter looks at most fields of one type, and forgets one
//   - deletion: the update that marks an object for deletion, or its deletion, is dropped
//   - metadata: a change of an annotation that the reconciler reads is dropped
//   - status: a change of the status of another object that the reconciler reads is dropped
//   - nogeneration: a filter waits for a generation that never changes
//   - constant: a filter that gives the same answer whatever changed
//   - mutates: a filter or handler writes to the object in the cache
//   - tombstone: a handler does not cope with what stands for an object whose deletion was missed
//
// # How filters are understood
//
// A filter is run on an update of which it is assumed what differs between the old and the new object: the spec and
// with it the generation, an annotation, the status, the deletion timestamp. Conditions that this decides are followed
// one way, all others both ways; functions of the same package are gone into. It drops the update if it does so on
// every path. What is asked of both versions, or twice, and lies in what the update leaves alone has one answer. The
// predicates of a watch and those of `WithEventFilter` have all to let an update through. `predicate.Or` and `Not`, types
// with an `Update` method and functions that return predicates, also those of other packages, are understood.
//
// # Over packages
//
// These things are known to the packages that import a function's own, and so of dependencies that take part (`-deps`): what becomes
// of tombstones in functions, and in filters and handlers that they make; what filters drop, and which keys they ask for; which annotations
// functions read and set; and what they write to of their arguments. A function that calls methods of an object which it gets as an interface,
// itself or kept in a struct, writes to it where the methods of the type do that is passed.
//
// A filter and a reconciler meet where the controller is set up, and both can be other packages': what a reconciler looks at is known
// to all. A controller that is put together by functions of several packages, each with a part of the watches, is not seen whole.
//
// # Not reported by any sub-rule
//
//   - A filter that lets no update through at all: it is wanted so, where no finalizer waits for one.
//   - A kind that another watch of the controller, or another handler of the package, delivers the same change of.
//   - A filter whose paths take more than 20,000 steps to follow, which `-debug` counts.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/eventfilter reason`, or `//nolint:eventfilter // reason`, on the line, above it, or above
// the function; `-eventfilter=false` is for the whole rule.
package eventfilter
