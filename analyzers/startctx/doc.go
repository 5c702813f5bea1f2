// Package startctx finds Runnables and run loops that do not obey their context.
//
// # Analyzer startctx
//
// startctx: runnables and run loops that do not obey their context
//
// A manager stops by ending the context that it gave to the Start method of each Runnable, and then waits for all of
// them. A Runnable that does not look at its context keeps the whole process from stopping, up to the graceful shutdown
// timeout, and a leader that does not stop goes on acting beside its successor.
//
// A Runnable here is a method Start(context.Context) error in a package that imports controller-runtime, a function
// converted to manager.RunnableFunc, or a method Run or Start whose only parameter is a <-chan struct{}, as in the first
// versions of controller-runtime. Source.Start(ctx, queue) is none.
//
// # ignored
//
// The context is blank or never used, and the method, or a function of the same package that it calls, can block
// without end or talks to something outside: a send or receive, a select without a default, an endless loop, a sleep, a
// server, a child process, a wait for goroutines, a client call.
//
// # loop
//
// In any function, a case of a select in a loop receives from ctx.Done(), or from a stop channel, and no path from
// there leaves the loop: a break only leaves the select, or a return was forgotten. The channel stays ready, so the loop
// spins at full speed.
//
// In a Runnable, its goroutines and the functions that it calls, a loop `for {` or over a ticker sleeps, ticks or
// receives, and nothing in it has to do with a context or a stop channel; or wait.Forever or wait.NeverStop is used.
//
// # Why it hurts
//
// The rollout of a new version hangs until the kubelet kills the process. The leader election lease is not given back,
// or worse, is given back while the old leader still works.
//
// # Bad
//
//	func (p *poller) Start(ctx context.Context) error {
//		for {
//			select {
//			case <-ctx.Done():
//				break // leaves the select, not the loop
//			case job := <-p.jobs:
//				p.do(ctx, job)
//			}
//		}
//	}
//
// # Good
//
//	func (p *poller) Start(ctx context.Context) error {
//		for {
//			select {
//			case <-ctx.Done():
//				return nil
//			case job := <-p.jobs:
//				p.do(ctx, job)
//			}
//		}
//	}
//
// # Not reported
//
//   - a Start that ignores its context and returns at once;
//   - a type with a method Stop, Close or Shutdown of its own, a channel that the package closes, and a server whose
//     type the package calls Shutdown, Close or Stop on: they end in another way;
//   - a context that is looked at in one place and forgotten in another, unless a whole loop forgets it;
//   - a loop whose exit is a counter, a deadline, a received value or a flag;
//   - a Done case that sets its channel to nil, or a condition of the loop, and one whose context is made anew on each
//     pass;
//   - a <-chan struct{} that is not called stop, done, quit or the like: it may be a trigger;
//   - what is blocked in a function of another package, a call through an interface or a function value, other than the
//     well-known ones.
//
// # How to suppress
//
// Say -startctx=false for the whole rule. With golangci-lint, //nolint:ctrllint // reason on the line.
package startctx
