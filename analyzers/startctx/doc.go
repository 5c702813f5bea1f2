// Package startctx finds Runnables and run loops that do not obey their context.
//
// # Analyzer startctx
//
// startctx: runnables and run loops that do not obey their context
//
// Principle: when the context of a Runnable or the stop channel of a run loop ends, everything that it has started ends: each operation
// that can block is ended by that context, by something in sight that its end brings about, or by a bound.
//
// A manager stops by ending the context that it gave to the `Start` method of each Runnable, and then waits for all of
// them. A Runnable that does not look at its context keeps the whole process from stopping, up to the graceful shutdown
// timeout. A manager that elects a leader starts a Runnable on the leader alone, unless its method `NeedLeaderElection`
// says otherwise.
//
// # Sub-rules
//
//   - ignored: a Runnable or run loop waits, and never looks at its context
//   - replaced: a wait gets `context.Background()`, though a better context is at hand
//   - loop: a loop that goes on when its context ends, or that nothing can end
//   - detached: a goroutine beside the manager that calls the API server and that nothing stops
//   - leaderonly: a Runnable that every replica needs runs on the leader alone
//
// # What counts as a Runnable
//
// A Runnable is a method `Start(context.Context) error` in a package that imports controller-runtime, a function
// converted to `manager.RunnableFunc`, and, as in the first versions of controller-runtime, a method `Start` whose parameter
// is a `<-chan struct{}`. A run loop is a method `Run` that is given a context or a stop channel, and perhaps a number of
// workers, in a package that imports a Kubernetes library. `Source.Start(ctx, queue)` is neither.
//
// # Over packages
//
// Calls are followed within a package. Of other packages, summaries tell which methods wait until a queue of their object is shut down,
// which shut it down, which functions work off a queue that they are given, and when the channels that a function returns are closed.
// A method `Start` in a package that does not import controller-runtime becomes a Runnable where another package of the program adds its
// object to a manager; the finding stands at the method. Whether a manager elects a leader is decided for each program.
//
// # Fixes
//
// Two fixes are suggested: the missing return in a case for the end of a context, where nothing follows the loop; and the context at hand
// in the place of `context.Background()` or `context.TODO()`, where it has its name there.
//
// # Not reported by any sub-rule
//
//   - What blocks in a function of another package, or behind an interface or a function value, other than the well-known
//     ones.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/startctx reason`, or `//nolint:startctx // reason`, on the line, above it, or above the
// function; `-startctx=false` is for the whole rule.
package startctx
