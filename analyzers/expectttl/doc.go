// Package expectttl defines the rule expectttl.
//
// # Analyzer expectttl
//
// expectttl: expectations waited for with no way out
//
// Principle: each expectation that is set is met by a request that the API server has accepted, or is lowered again, on every path; and
// a reconciler that stops because of one is called again.
//
// A controller that has just created an object does not see it in its cache yet. It notes that it expects the object, and does nothing
// more until an event shows that the cache has caught up. If that event cannot come, it never does anything more for this object.
//
// # Sub-rules
//
//   - nowayout: a reconcile stops at an expectation, and nothing brings it back
//   - notlowered: an expectation stays although the request that it is about failed
//
// # What counts as a store of expectations
//
// An expectation store is any type or interface with a method that says in a bool whether what was expected has been
// seen (`Satisfied…`, `IsSatisfied`, `…Fulfilled`), one that sets an expectation (`Expect…`, `Raise…`) and one that takes it back:
// it observes (`Observe…`, `…Observed`, `Lower…`) or drops (`Delete…`, `Forget…`, `Cancel…`, `Clear…`). It is recognised by these
// methods, in any package, also behind an interface or generic.
//
// A store whose methods have other names can be declared:
// `-expectttl.types=path/to/pkg.Type:expect=Method,observe=Method,satisfied=Method,delete=Method`, with any number of
// methods of each kind and semicolons between types. The methods are those that the type declares itself.
//
// # Over packages
//
// Which stores keep no time, and which requests to the API server functions lead to, is known across packages, including
// dependencies that take part (`-deps`).
//
// # Not reported by any sub-rule
//
//   - Expectations that are never deleted with their object, and events that no handler observes.
//   - Two events that lower one count for the same object, and an observation with a revision that is out of date.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/expectttl reason`, or `//nolint:expectttl // reason`, on the line, above it, or above the
// function; `-expectttl=false` is for the whole rule.
package expectttl
