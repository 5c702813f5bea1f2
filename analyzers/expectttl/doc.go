// Package expectttl defines the rule expectttl.
//
// # Analyzer expectttl
//
// expectttl: expectations waited for with no way out
//
// Principle: an expectation is a debt. On every way from where it is raised, each unit is paid: by a request that was accepted and whose
// event an observer takes, or by lowering it under the same key; whoever waits for it has a way out; and it goes with its object.
//
// A controller that has just made an object does not see it in its cache yet. It notes that it expects the object, and
// does nothing more until an event shows that the cache has caught up.
//
// An expectation store is any type or interface with a method that says in a bool whether what was expected has been
// seen (Satisfied…, IsSatisfied, …Fulfilled), one that sets an expectation (Expect…, Raise…) and one that takes it back:
// it observes (Observe…, …Observed, Lower…) or drops (Delete…, Forget…, Cancel…, Clear…). It is known by these methods,
// in any package, behind an interface, generic or home-made.
//
// A store whose methods have names of their own can be declared:
// -expectttl.types=path/to/pkg.Type:expect=Method,observe=Method,satisfied=Method,delete=Method, with any number of
// methods of each kind and semicolons between types. The methods are those that the type declares itself.
//
// # What it reports
//
// # nowayout
//
// A return that is reached because the query said false, that gives neither an error nor a Result with a requeue, in a
// branch that never releases the expectation. The store tells its caller for how long it has been waiting (a
// time.Duration among the results), and so leaves the timeout to the caller.
//
// The function returns (Result, error), or an error that a work queue's loop or a reconciler hands on. The query may be
// one part of a condition, or asked in a function of the package that says yes or no.
//
// # durationignored
//
// The same in a function that returns something else, such as a status, where the Duration is dropped: the work that
// follows is skipped, and no query of that store in the package ever looks at the time.
//
// # nottl
//
// A return as for nowayout, where the store says nothing of time, and keeps none: its fields can hold no time, and
// nothing that its methods call could. Of an interface, all that implement it where it is declared are such.
//
// # neverdeleted
//
// A reconciler finds that its object is gone, and expectations that were set for the object's key are dropped nowhere in
// the package, though the store could. Or it observes a store for the object that it reads, and tells it nothing when
// the object is gone or is being deleted.
//
// # notlowered
//
// An expectation is set, then the create, delete or update that it is about fails, or an error comes before it, and the
// function returns without taking the expectation back. An object that was there already is a failed create: its event is somebody
// else's. A creation that is expected is not paid for by taking back a deletion.
//
// # asymmetric
//
// A handler of updates observes a store, and no handler of deletions in the package touches it: an object that is
// deleted before the update is seen stays expected. Or a reconciler observes the objects that it lists, and the handler
// of their deletions does not touch the store: what is gone is on no list, and the query for the key stays false.
//
// # Over packages
//
// Whether a store keeps time, and which requests to the API server functions lead to, is known to the packages that import theirs,
// and so of dependencies that take part (-deps). An expectation that one package sets and another one observes is looked at in the
// package that has the store. Where that hands it to others which keep it to themselves, it is known of them by which methods they
// drop expectations; where they hand it on, or keep it where others can name it, nothing is said.
//
// # Why it hurts
//
// An object that is created and deleted between two watches sends no event that the handler could observe. The
// expectation stays open, every reconcile stops at the query, and the controller does nothing more for that object
// until it is restarted. An expectation that is replaced, on the other hand, opens the gate before the cache has caught
// up: the controller makes its objects twice.
//
// # Bad
//
//	if ok, since := r.expect.SatisfiedExpectations(key); !ok {
//		if since >= timeout {
//			log.Info("overdue")
//			return ctrl.Result{}, nil // nobody comes back
//		}
//		return ctrl.Result{RequeueAfter: timeout - since}, nil
//	}
//
// # Good
//
//	if ok, since := r.expect.SatisfiedExpectations(key); !ok {
//		if since >= timeout {
//			r.expect.DeleteExpectations(key)
//			return ctrl.Result{RequeueAfter: time.Second}, nil
//		}
//		return ctrl.Result{RequeueAfter: timeout - since}, nil
//	}
//
// Lower it where the write fails, set it once for a batch, and drop it with its object:
//
//	r.expect.RaiseExpectations(key, 1, 0)
//	if err := r.Create(ctx, pod); err != nil {
//		r.expect.CreationObserved(key)
//		return err
//	}
//
// # Not reported
//
//   - Queries that give a plain bool, of a type that may keep a time: the timeout may be inside, as in the
//     ControllerExpectations of Kubernetes.
//   - A branch that may release the expectation, on any of its ways, in a closure, in a deferred call, in a function of
//     the package or of another one that can name the store: a way out behind a feature gate is one.
//   - A return that hangs on a further condition, such as the object being deleted.
//   - A Result or an error whose value is not known, and callers that replace it.
//   - A query in a function with a bool of its own that looks at the Duration or schedules a wake-up: it handles the wait.
//   - A dropped Duration where the branch requeues, or gives an error: the store is asked again.
//   - A write behind an interface of another package, or in a module that is not analysed, whose method has no name of a write: what
//     functions of the user's own packages lead to is known, whatever they are called.
//   - A write whose error is tested for a kind (a timeout, not found, a namespace that is being deleted): that way is a
//     choice. A lowering further on, in a closure, a goroutine, a deferred call or a caller, even if only as far as needed.
//   - An expectation of an object's version, which is set after the write, and writes that only a closure makes.
//   - Expectations of creations that the handler of creations observes: what is deleted has been created.
//   - Stores in exported variables and fields, and such as are handed to another package, for neverdeleted: others may
//     drop. Stores that cannot drop a key. For neverdeleted, controllers that keep their object with a finalizer.
//   - Two events that lower one count for the same object, and an observation with a revision that is out of date.
//
// # How to suppress
//
// Say //lint:ignore ctrllint/expectttl reason, or //nolint:expectttl // reason, on the line, above it, or above the
// function; -expectttl=false is for the whole rule.
package expectttl
