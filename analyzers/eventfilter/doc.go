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
// # siblings
//
// A change filter is a function that is given an update event, or an old and a new object of one type, and says whether
// the change matters. It is reported when it treats alike most fields of a struct that share one type, at least two, and
// not the others; and the reconciler is known to care for those: a function of the same package that is no filter reads
// the missing field along with the others, or the struct consists of nothing but such fields, so that they are the
// same thing in several places (hooks, phases, stages).
//
// # deletion
//
// The update that sets the deletion timestamp is dropped, though the reconciler waits for it to remove a finalizer. It
// concerns predicates of the kind that a controller is for, and handlers that queue the object itself, which compare
// parts of the spec and nothing else. metadata.generation counts as a test for the deletion: the API server moves it
// when it sets the deletion timestamp.
//
// Also the deletions of a kind that the reconciler makes objects of whenever there is none: a predicate.Funcs whose DeleteFunc says
// no to all, or a handler.Funcs without a DeleteFunc. What somebody deletes stays away then.
//
// # fields
//
// A predicate of the kind that a controller is for lets changes of some fields of the spec through, and drops those of another
// one that the reconciler reads, for more than logs.
//
// # metadata
//
// A predicate drops updates that change only annotations (or only labels), and the reconciler looks at an annotation (or
// decides by a label) of that object that the controller does not write itself. The finding says which one, and where.
// Also reported are
//
//   - generation predicates, also home-made ones, and predicates of WithEventFilter, that drop the updates of the status of another kind than
//     the controller's own, when the reconciler reads that status and never asks to be called again after a time;
//   - a handler whose Create turns objects away by their status, while its Update drops the change of the status.
//
// # nogeneration
//
// A predicate waits for a change of metadata.generation, and guards a built-in kind whose generation the API server
// never moves: Secret, ConfigMap, Service, Node and others. Every update is dropped.
//
// # constant
//
// A comparison, or a whole filter, has the same answer whatever changed:
//
//   - the object of one version is compared with itself;
//   - a variable named old is taken from ObjectNew of the event, or one named new from ObjectOld; a function whose
//     parameters are named old and new is given the new and the old object; an informer's handler names them so;
//   - "it is not being deleted" is one of several alternatives that are tests for changes, so that they are never asked;
//   - the predicates of a watch, which all have to agree, wait for different changes;
//   - a function of the handler of a watch never runs, as a predicate there says no to all of its events.
//
// # mutates
//
// A predicate, a handler or a map function writes to the object that it is shown, itself or through a function that it
// calls. The object belongs to the cache. What is done to the new object and to the old one alike is one finding.
//
// # cases
//
// A filter names kinds or constants one by one, and forgets one:
//
//   - a kind is watched through a predicate that drops the updates of all kinds but those of its type switch;
//   - one of the methods Create, Update and Delete of a type lacks a kind that the two others have a case for;
//   - a list of constants lacks one of the same family, which the package hands to the same function as all that are listed.
//
// # tombstone
//
// A client-go informer that missed the deletion of an object hands a cache.DeletedFinalStateUnknown to DeleteFunc,
// OnDelete and FilterFunc in the place of the object. Reported is a handler that
//
//   - asserts the type of the object without a check, and so panics;
//   - asserts it with a check, and returns or only logs when that fails;
//   - asserts *cache.DeletedFinalStateUnknown, a pointer, which never comes;
//   - puts the tombstone itself, and not the object in it, in the place of the object;
//   - makes the key with cache.MetaNamespaceKeyFunc or cache.ObjectToName, or asks meta.Accessor, which fail.
//
// The functions that get the object are looked at too, those of other packages as well, and so are filters and handlers that a function of
// another package makes: from a label, of several filters that must all agree, or of one function for all events. Where several handlers
// have such a filter from one function they are one finding. Of a filter that is made elsewhere nothing is said where what stands behind it
// is not in sight, or only queues keys that nobody acts on. The suggested fix unwraps the tombstone
// first, or takes the other key function, or the value. A controller-runtime predicate gets the object itself, as
// controller-runtime unwraps tombstones; reported is one that returns false because of DeleteStateUnknown.
//
// # How filters are understood
//
// A filter is run on an update of which it is assumed what differs between the old and the new object: the spec and
// with it the generation, an annotation, the status, the deletion timestamp. Conditions that this decides are followed
// one way, all others both ways; functions of the same package are gone into. It drops the update if it does so on
// every path. The predicates of a watch and those of WithEventFilter have all to let an update through; predicate.Or
// and Not, types with an Update method and functions that return predicates, also those of other packages, are
// understood.
//
// # Over packages
//
// What becomes of tombstones in functions, and in filters and handlers that they make, what filters drop, which annotations and labels functions read and set, and what they write to of their arguments is known to the
// packages that import theirs, and so of dependencies that take part (-deps). A function that calls methods of an object which it
// gets as an interface, itself or kept in a struct, writes to it where the methods of the type do that is passed. A filter and a
// reconciler meet where the controller is set up, and both can be other packages': what a reconciler looks at is known to all. A
// controller that is put together by functions of several packages, each with a part of the watches, is not seen whole.
//
// # Why it hurts
//
// The object waits for ever, although all that it waited for has happened. A missed deletion leaves what belonged to the
// object behind, or an expectation that is never met, or kills the controller.
//
// # Bad
//
//	For(&v1.Garden{}, builder.WithPredicates(predicate.GenerationChangedPredicate{}))
//	…
//	if garden.Annotations["garden.example.com/water-now"] == "true" { // set by users, and never seen
//
//	DeleteFunc: func(obj any) {
//		c.enqueue(obj.(*corev1.Pod)) // panics after a missed deletion
//	},
//
// # Good
//
//	For(&v1.Garden{}, builder.WithPredicates(predicate.Or(
//		predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{})))
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
//
//   - a filter whose caller, itself a filter of the same package, reads the missing field;
//
//   - fields of a type from another package than their struct, such as times and quantities, and of a basic type;
//
//   - functions of two objects whose parameters are not called old, previous or the like: they may be orders;
//
//   - a field of a struct with other fields too, whose reader is in another package: modular analysis cannot see it;
//
//   - a handler that gives the object to a function value, or to one of another package of which nothing is known, that may unwrap it, or
//     puts it into a queue or a channel;
//
//   - a FilterFunc that says false to a tombstone, when the handler behind it has no DeleteFunc;
//
//   - a tombstone case that stands where it is never reached;
//
//   - a filter that lets no update through at all, as it is wanted so;
//
//   - a kind that another watch of the controller, or another handler of the package, delivers the same change of;
//
//   - annotations and labels that the package of the controller sets, or a function that it calls: it need not be told;
//
//   - keys that are not constants, labels that are only copied or used as names, and objects taken from lists;
//
//   - the status of the kind that a controller is for: it may be the only one who writes it;
//
//   - reads in functions of other packages that take the object as a pointer to its type and keep it in a field;
//
//   - pods and a generation predicate: pods have a generation since Kubernetes 1.33;
//
//   - a filter whose paths take more than 20,000 steps to follow, which -debug counts;
//
//   - handlers of deletions that write to the object, which has left the cache;
//
//   - a kind that one type switch handles and a sibling handles by a default.
//
//   - fields of the spec of the cluster's own kinds, many of which never change, and of reconcilers that ask to be called again
//     after a time in some case; fields of which others say that they never change are not known as such;
//
//   - deletions of objects that are made only where some status says so, of Jobs, and of kinds that another watch delivers;
//
//   - annotations, labels and deletions where the reconciler comes back after a time whenever it succeeds;
//
//   - a tombstone that is lost to a handler which only queues the key of the object, where whoever takes keys in the package returns
//     when there is no object, or the key of something of which the package hears again after a time (AddEventHandlerWithResyncPeriod);
//
//   - a deletion about which the predicate does something itself, such as to start the manager anew;
//
//   - a handler that a function in sight gives to no informer, or that a method of an interface of others is given: who calls it may have
//     taken the object out of the tombstone.
//
// # How to suppress
//
// Say //lint:ignore ctrllint/eventfilter reason, or //nolint:eventfilter // reason, on the line, above it, or above
// the function; -eventfilter=false is for the whole rule.
package eventfilter
