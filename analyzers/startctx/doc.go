// Package startctx finds Runnables and run loops that do not obey their context.
//
// # Analyzer startctx
//
// startctx: runnables and run loops that do not obey their context
//
// Principle: when the context of a Runnable, the stop channel of a run loop or the lease of a leader ends, everything that it started
// ends: each operation that can block is ended by that context, by something that its end brings about in sight, or by a bound. What
// only the leader may do is started through the manager.
//
// A manager stops by ending the context that it gave to the `Start` method of each Runnable, and then waits for all of
// them. A Runnable that does not look at its context keeps the whole process from stopping, up to the graceful shutdown
// timeout. A leader that does not stop goes on acting beside its successor. A manager that elects a leader starts a
// Runnable on the leader alone, unless its method `NeedLeaderElection` says otherwise.
//
// # Sub-rules
//
//   - ignored: a Runnable or run loop waits, and never looks at its context
//   - replaced: a wait gets `context.Background()`, though a better context is at hand
//   - pilesup: each turn of a loop leaves a goroutine behind
//   - loop: a loop that goes on when its context ends, or that nothing can end
//   - spins: a loop that spins once its end has come, and for which nobody is seen to wait
//   - detached: a goroutine that goes on without the Runnable that started it
//   - leaderonly: a Runnable that every replica needs runs on the leader alone
//   - unmanaged: work beside the manager's leader election, or past the end of a lease
//
// # What counts as a Runnable
//
// A Runnable is a method `Start(context.Context) error` in a package that imports controller-runtime, a function
// converted to `manager.RunnableFunc`, and, as in the first versions of controller-runtime, a method `Start` whose parameter
// is a `<-chan struct{}`. A run loop is a method `Run` that is given a context or a stop channel, and perhaps a number of
// workers, in a package that imports a Kubernetes library. `Source.Start(ctx, queue)` is none.
//
// # Over packages
//
// Of methods of other packages it is known that one goes on until something is shut down that another method of the object shuts
// down, and of functions, that one works off a queue that it is given, and one serves, runs a
// component or loops until its context ends. Of functions of dependencies that take part (`-deps`) it is known, too, that one goes on forever and never looks at the
// context or stop channel that it is given. A method `Start` of a package that knows no manager is a Runnable's once another package
// of the program hands its object to one: what there is to say of it is then reported where it lies. What a Runnable calls is
// otherwise followed within its package.
//
// # Fixes
//
// Two fixes are suggested: the return that a case for the end of a context lacks, where nothing comes after the loop; and the context
// at hand in the place of `context.Background()` or `context.TODO()`, where it has its name there.
//
// # Not reported by any sub-rule
//
//   - What is blocked in a function of another package, a call through an interface or a function value, other than the
//     well-known ones, and those of dependencies that never look at what they are given.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/startctx reason`, or `//nolint:startctx // reason`, on the line, above it, or above the
// function; `-startctx=false` is for the whole rule.
package startctx
