// Package expectttl defines the rule expectttl.
//
// # Analyzer expectttl
//
// expectttl: expectations waited for with no way out
//
// An expectation store is any type or interface with a method that says in a bool whether what was expected has been
// seen (Satisfied…, IsSatisfied, Fulfilled), one that sets an expectation (Expect…, Raise…) and one that takes it back
// (Observe…, Lower…, Delete…, Forget…, Cancel…). It is known by these methods, not by its package.
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
// branch that never releases the expectation. The store either tells its caller for how long it has been waiting
// (a time.Duration among the results), and so leaves the timeout to the caller, or is written in the same package and
// keeps no time at all.
//
// The function returns (Result, error), or an error that a work queue's loop or a reconciler hands on.
//
// # Why it hurts
//
// An object that is created and deleted between two watches sends no event that the handler could observe. The
// expectation stays open, every reconcile stops at the query, and the controller does nothing more for that object
// until it is restarted.
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
// # Not reported
//
//   - Queries that give a plain bool, of a type that is not written in the same package: the timeout may be inside, as
//     in the ControllerExpectations of Kubernetes.
//   - A branch that may release the expectation, on any of its ways, in a closure, in a deferred call or in a function
//     of the package: a way out behind a feature gate is one.
//   - A return that hangs on a further condition, such as the object being deleted.
//   - A Result or an error whose value is not known, and callers that replace it.
//   - Functions that return anything else than (Result, error) or error, where the answer is only a hint.
//   - Queries that are wrapped into a function with a bool of its own, or joined with another condition by ||.
//
// # How to suppress
//
// Say -expectttl=false for the whole rule. With golangci-lint, //nolint:ctrllint // reason on the line.
package expectttl
