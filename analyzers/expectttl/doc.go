// Package expectttl defines the rule expectttl.
//
// # Analyzer expectttl
//
// expectttl: expectations waited for with no way out
//
// Principle: an expectation is a debt. On every way from where it is raised, each unit is paid: by a request that was accepted and whose
// event an observer takes, or by lowering it under the same key; whoever waits for it has a way out; and it goes with its object. So is the mark that
// something is under way, which turns others away: who has set it takes it off when that has failed.
//
// A controller that has just made an object does not see it in its cache yet. It notes that it expects the object, and
// does nothing more until an event shows that the cache has caught up.
//
// # Sub-rules
//
//   - nowayout: a reconcile stops at an expectation, and nothing brings it back
//   - durationignored: nobody looks at how long an expectation has been waited for
//   - nottl: a reconcile stops at an expectation that keeps no time
//   - neverdeleted: expectations stay when their object is gone
//   - notlowered: an expectation stays although the request that it is about failed
//   - asymmetric: updates are observed, and deletions are not
//   - inflight: a mark that something is under way stays when that has failed
//
// # What counts as a store of expectations
//
// An expectation store is any type or interface with a method that says in a bool whether what was expected has been
// seen (`Satisfied…`, `IsSatisfied`, `…Fulfilled`), one that sets an expectation (`Expect…`, `Raise…`) and one that takes it back:
// it observes (`Observe…`, `…Observed`, `Lower…`) or drops (`Delete…`, `Forget…`, `Cancel…`, `Clear…`). It is known by these methods,
// in any package, behind an interface, generic or home-made.
//
// A store whose methods have names of their own can be declared:
// `-expectttl.types=path/to/pkg.Type:expect=Method,observe=Method,satisfied=Method,delete=Method`, with any number of
// methods of each kind and semicolons between types. The methods are those that the type declares itself.
//
// # Over packages
//
// Whether a store keeps time, and which requests to the API server functions lead to, is known to the packages that import theirs,
// and so of dependencies that take part (`-deps`). An expectation that one package sets and another one observes is looked at in the
// package that has the store. Where that hands it to others which keep it to themselves, it is known of them by which methods they
// drop expectations; where they hand it on, or keep it where others can name it, nothing is said.
//
// # Not reported by any sub-rule
//
//   - Two events that lower one count for the same object, and an observation with a revision that is out of date.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/expectttl reason`, or `//nolint:expectttl // reason`, on the line, above it, or above the
// function; `-expectttl=false` is for the whole rule.
package expectttl
