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
// A manager stops by ending the context that it gave to the Start method of each Runnable, and then waits for all of
// them. A Runnable that does not look at its context keeps the whole process from stopping, up to the graceful shutdown
// timeout, and a leader that does not stop goes on acting beside its successor. A manager that elects a leader starts a
// Runnable on the leader alone, unless its method NeedLeaderElection says otherwise.
//
// A Runnable here is a method Start(context.Context) error in a package that imports controller-runtime, a function
// converted to manager.RunnableFunc, and, as in the first versions of controller-runtime, a method Start whose parameter
// is a <-chan struct{}. A run loop is a method Run that is given a context or a stop channel, and perhaps a number of
// workers, in a package that imports a Kubernetes library. Source.Start(ctx, queue) is none.
//
// # ignored
//
// The context is blank or never used, and the method, or a function of the same package that it calls or waits for, can
// block without end or talks to something outside: a send or receive, a select without a default, an endless loop, a
// sleep, a server, a child process, a component that runs until a channel fires which never does, a client call.
//
// Also a call of a function of a dependency that has one context or stop channel and never looks at it, and that serves, runs a
// component or goes round a loop without end, where something that does end is handed to it: the caller waits for ever.
//
// # replaced
//
// A call that waits for a component, a cache, a poll or a queue gets context.Background() or context.TODO(), in a function
// that has a context at hand and that a Runnable, a run loop or a method Reconcile runs: once a function. With
// -startctx.requests, also a single request of a Reconcile to a server, other than a read that a cache may answer: a server
// answers, and what the end of the process cuts off does no harm, as a rule. What a Runnable or run loop asks in a loop counts anyway.
// Also what OnStoppedLeading runs with such a context, though the function that registers it has a better one.
//
// # pilesup
//
// An endless loop starts a goroutine in each turn that waits, before anything else, for the end of what outlasts the turn, and for
// nothing else: a stop channel or a context from outside of the loop. Each turn leaves one behind. So does each run of a function that
// wait.Until and its kin start again and again, that starts a goroutine which runs until the same end, and that comes back at once.
//
// # loop
//
// In any function, a loop receives from ctx.Done(), or from a stop channel, as a case of a select or by itself, and no path from
// there leaves the loop: a break only leaves the select, or a return was forgotten. The channel stays ready, so the loop
// spins at full speed. So does one that receives from any channel that the function is given, asks whether it is closed, and goes on to the
// same receive where it is, without a pause.
//
// In a Runnable or run loop, its goroutines and the functions that it calls, a loop `for {` or over a ticker sleeps,
// ticks or receives, and nothing in it has to do with a context or a stop channel, or nothing leaves it; or a loop does nothing but ask an
// informer whether it has synced; or wait.Forever or wait.NeverStop is used.
//
// A function works off a queue, itself, in what it calls or in a loop that it is the only one to run, or calls a method of another
// package that does, and all that shuts the queue down comes after that: a ShutDown that it has deferred, or a call behind the loop.
// It never returns. The queue is in an unexported field, and nobody else has it.
//
// In any package but main, an informer, a factory or a controller is started with a stop channel that was made for it
// on the spot and that nobody can close.
//
// # detached
//
// A Runnable returns at once and leaves a goroutine behind that serves, or works in a loop without an end, and that
// has nothing to do with the context. Also a function that makes an object and starts such a goroutine to call the API
// server: it runs before the manager does, on every replica, and cannot be stopped. And a function that is given a manager and starts such
// a goroutine itself, with a context that never ends.
//
// # leaderonly
//
// A Runnable without NeedLeaderElection does what every replica needs: it serves HTTP, gRPC or webhooks, accepts
// connections, is a cache, or looks after the certificate and key that this replica serves with (it handles a key pair,
// and keeps it in files or has GetCertificate). What counts as a Runnable is what is handed to a manager, what
// `var _ manager.Runnable = …` says, and an exported type in a package that imports the manager and never starts one
// itself. A manager whose options leave LeaderElection out has no leader, and nothing is said of it.
//
// The cache that cache.New makes for some namespaces, or with settings by kind, has no NeedLeaderElection, and its type
// does not show it. It is reported where something that has one reads it.
//
// # unmanaged
//
// `go x.Run(context.Background())` beside a manager that elects a leader: it works on every replica, and goes on when
// the manager stops. And a leader that does not stop leading: OnStartedLeading runs something with another context than
// its own, and OnStoppedLeading neither ends the process nor cancels anything.
//
// # Over packages
//
// Of methods of other packages it is known that one goes on until something is shut down that another method of the object shuts
// down; of functions of dependencies that take part (-deps), too, that one goes on for ever and never looks at the context or stop
// channel that it is given. A method Start of a package that knows no manager is a Runnable's once another package of the program
// hands its object to one: what there is to say of it is then reported where it lies. What a Runnable calls is otherwise followed
// within its package.
//
// # Why it hurts
//
// The rollout of a new version hangs until the kubelet kills the process. The leader election lease is not given back,
// or worse, is given back while the old leader still works. A webhook or a metrics page that runs on the leader alone
// answers one request in three.
//
// # Bad
//
//	func (p *poller) Start(ctx context.Context) error {
//		for {
//			select {
//			case <-ctx.Done():
//				break // leaves the select, not the loop
//			case job := <-p.jobs:
//				p.do(context.TODO(), job)
//			}
//		}
//	}
//
//	func (s *page) Start(ctx context.Context) error { // on the leader alone
//		go func() { <-ctx.Done(); s.server.Close() }()
//		return s.server.ListenAndServe()
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
//	func (s *page) NeedLeaderElection() bool { return false }
//
// # Fixes
//
// The return that a case for the end of a context lacks, where nothing comes after the loop; and the context at hand in
// the place of context.Background() or context.TODO(), where it has its name there.
//
// # Not reported
//
//   - a Start that ignores its context and returns at once;
//   - a type with a method Stop, Close or Shutdown that ends what Start waits for, or may; a channel that the package
//     closes; and a server on which the package calls Shutdown, Close or Stop: they end in another way;
//   - a context that is looked at in one place and forgotten in another, unless a whole loop forgets it;
//   - context.Background() where the context at hand has ended, in a deferred function, in a goroutine of a
//     reconciliation, and with a deadline of its own: that is how to clean up; and in a helper that has no context;
//   - a loop whose exit is a counter, a deadline, a received value or a flag;
//   - a Done case that sets its channel to nil, or a condition of the loop, and one whose context is made anew on each
//     pass;
//   - a <-chan struct{} that the package does not close, and, where others have it, that is not called stop, done, quit or
//     the like: it may be a trigger;
//   - a stop channel that is made in a function that then blocks for ever itself: it lives as long as the process;
//   - a leader-only Runnable that runs informers or a cache: those who read them may be on the leader, too;
//   - a Runnable that looks after certificates in a Secret: one replica does that for all;
//   - `go x.Start(ctx)` beside a manager with a context that ends: it may be meant for every replica;
//   - a leader's callback in package main that runs the election itself: the process ends with it;
//   - of a package that knows no manager: a Start that waits for what whoever made its object has, or can name, as a server in an
//     exported field; and functions of other names, or without an object, that another package makes a RunnableFunc of;
//   - what is blocked in a function of another package, a call through an interface or a function value, other than the
//     well-known ones, and those of dependencies that never look at what they are given.
//
// # How to suppress
//
// Say //lint:ignore ctrllint/startctx reason, or //nolint:startctx // reason, on the line, above it, or above the
// function; -startctx=false is for the whole rule.
package startctx
