// Package expectttl defines the rule expectttl.
//
// # Analyzer expectttl
//
// expectttl: expectations that block a reconciler forever
//
// Principle: On every path, follow an expectation by a request that the API server accepts, or lower it again. Requeue
// when a reconcile stops at an unsatisfied expectation.
//
// A controller that has just created an object does not see it in its cache yet. It records an expectation, and does
// nothing more until an event shows that the cache has caught up. If there is no such event, it never reconciles this
// object again.
//
// # Sub-rules
//
//   - nowayout: a reconcile returns because of an unsatisfied expectation and is never retried
//   - notlowered: an expectation is kept although its request failed
//
// # What counts as a store of expectations
//
// An expectation store is any type or interface with a method that returns a bool for whether expectations are
// satisfied (`Satisfied…`, `IsSatisfied`, `…Fulfilled`), one that sets an expectation (`Expect…`, `Raise…`) and one
// that lowers it: it observes (`Observe…`, `…Observed`, `Lower…`) or drops (`Delete…`, `Forget…`, `Cancel…`,
// `Clear…`). It is recognized by these methods, in any package, also behind an interface or generic.
//
// A store whose methods have other names can be declared:
// `-expectttl.types=path/to/pkg.Type:expect=Method,observe=Method,satisfied=Method,delete=Method`, with any number of
// methods of each kind and semicolons between types. The methods are those that the type declares itself.
//
// # Over packages
//
// Facts say which stores have no timeout, and which functions lead to requests to the API server, also for analyzed
// dependencies (`-deps`).
//
// # Not reported by any sub-rule
//
//   - Expectations that are never deleted with their object, and events that no handler observes.
//   - Two events that lower one count for the same object, and an observation with an outdated revision.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/expectttl reason` or `//nolint:expectttl // reason` on the line, above it, or
// above the function; `-expectttl=false` disables the rule.
package expectttl
