// Package eventfilter finds predicates and event handlers that drop events which the reconciler needs.
//
// # Analyzer eventfilter
//
// eventfilter: predicates and handlers that drop needed events
//
// A controller sees the cluster through events, and filters them to save work. An event that a filter drops by mistake
// is not repeated: the object stays as it is until something else touches it.
//
// # siblings
//
// A change filter is a function that is given an update event, or an old and a new object of one type, and says whether
// the change matters. It is reported when it treats alike most fields of a struct that share one type, at least two, and
// not the others; and the reconciler is known to care for those: a function of the same package that is no filter reads
// the missing field along with the others, or the struct consists of nothing but such fields, so that they are the
// same thing in several places (hooks, phases, stages).
//
// # tombstone
//
// A client-go informer that missed the deletion of an object hands a cache.DeletedFinalStateUnknown to DeleteFunc,
// OnDelete and FilterFunc in the place of the object. Reported is a handler that
//
//   - asserts the type of the object without a check, and so panics;
//   - asserts it with a check, and returns or only logs when that fails;
//   - asserts *cache.DeletedFinalStateUnknown, a pointer, which never comes;
//   - makes the key with cache.MetaNamespaceKeyFunc or cache.ObjectToName, or asks meta.Accessor, which fail.
//
// The functions of the same package that get the object are looked at too. A controller-runtime predicate gets the
// object itself, as controller-runtime unwraps tombstones; reported is one that returns false because of
// DeleteStateUnknown.
//
// # Why it hurts
//
// The object waits for ever, although all that it waited for has happened. A missed deletion leaves what belonged to the
// object behind, or an expectation that is never met, or kills the controller.
//
// # Bad
//
//	DeleteFunc: func(obj any) {
//		c.enqueue(obj.(*corev1.Pod)) // panics after a missed deletion
//	},
//
// # Good
//
//	DeleteFunc: func(obj any) {
//		if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
//			obj = gone.Obj
//		}
//		if pod, ok := obj.(*corev1.Pod); ok {
//			c.enqueue(pod)
//		}
//	},
//
// # Not reported
//
//   - a filter that compares or hands on the whole struct, or something that holds it;
//   - a filter whose caller, itself a filter of the same package, reads the missing field;
//   - fields of a type from another package than their struct, such as times and quantities, and of a basic type;
//   - functions of two objects whose parameters are not called old, previous or the like: they may be orders;
//   - a field of a struct with other fields too, whose reader is in another package: modular analysis cannot see it;
//   - a handler that gives the object to a function of another package, or a function value, that may unwrap it, or
//     puts it into a queue or a channel;
//   - a FilterFunc that says false to a tombstone, when the handler behind it has no DeleteFunc;
//   - a tombstone case that stands where it is never reached.
//
// # How to suppress
//
// Say -eventfilter=false for the whole rule. With golangci-lint, //nolint:ctrllint // reason on the line.
package eventfilter
