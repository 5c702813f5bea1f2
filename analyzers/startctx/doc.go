// Package startctx finds Runnables and run loops that ignore the end of their context.
//
// # Analyzer startctx
//
// startctx: runnables and run loops that ignore the end of their context
//
// Principle: When the context of a Runnable is done, or the stop channel of a run loop is closed, stop everything that
// it has started: end each blocking operation by that context, by code that runs when it is done, or by a timeout.
//
// A manager stops by cancelling the context that it passed to the `Start` method of each Runnable, and then waits for
// all of them. A Runnable that ignores its context keeps the process from stopping, up to the graceful shutdown
// timeout. A manager with leader election starts a Runnable on the leader only, unless its `NeedLeaderElection` method
// returns false.
//
// # Sub-rules
//
//   - ignored: a Runnable or run loop blocks and ignores its context
//   - replaced: a blocking call gets `context.Background()` although a context is available
//   - loop: a loop continues after its context is done, or has no exit
//   - detached: a goroutine outside of the manager calls the API server and cannot be stopped
//   - leaderonly: a Runnable that every replica needs runs on the leader only
//
// # What counts as a Runnable
//
// A Runnable is a method `Start(context.Context) error` in a package that imports controller-runtime, a function
// converted to `manager.RunnableFunc`, and, as in the first versions of controller-runtime, a method `Start` whose
// parameter is a `<-chan struct{}`. A run loop is a method `Run` that takes a context or a stop channel, and perhaps a
// number of workers, in a package that imports a Kubernetes library. `Source.Start(ctx, queue)` is neither.
//
// # Over packages
//
// Calls are followed within a package. For other packages, summaries list the methods that wait until a queue of their
// object is shut down, and those that shut it down. A method `Start` in a package that does not import
// controller-runtime is a Runnable if another package of the program adds its object to a manager; the finding is
// reported at the method. Whether a manager uses leader election is decided for each program.
//
// # Fixes
//
// Two fixes are suggested: the missing return in a case that receives from `ctx.Done()`, if nothing follows the loop;
// and the available context instead of `context.Background()` or `context.TODO()`.
//
// # Not reported by any sub-rule
//
//   - Blocking operations in functions of other packages, or behind an interface or a function value, other than
//     well-known ones.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/startctx reason` or `//nolint:startctx // reason` on the line, above it, or
// above the function; `-startctx=false` disables the rule.
package startctx
