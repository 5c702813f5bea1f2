// Package unboundedsync defines the rule unboundedsync.
//
// # Analyzer unboundedsync
//
// unboundedsync: waits for caches that nothing can end
//
// Principle: a wait that a reconciler, a worker, a request or a start-up goes through has somebody who ends it: a bound, the context of
// that very call, or code in sight that does not itself wait for this one; and who needs what was waited for looks at how the wait ended.
//
// An informer's first list may never arrive: the API server is down, the kind is not installed, the account may not
// list it. A wait for it must have an end, or the start of the controller hangs without a word; and whoever waits has to
// look at how the wait ended, or it works with a cache that is empty.
//
// # What it reports
//
// Waits are those of client-go, of its dynamic and metadata informers, of generated informer factories and of the caches
// and sources of controller-runtime, the polls of k8s.io/apimachinery and client-go that take no timeout, and every
// function of the program that wraps one of these, in whatever package.
//
// # neverstops
//
// A wait for informer caches, or a poll without a timeout, is given a stop channel or a context that can never fire:
//
//   - a channel that no code closes or sends on (handing it to Start(stop <-chan struct{}) is no close), or that is
//     closed only by a defer, or by somebody who gets hold of it when the wait is over;
//   - nil, also as a field that nothing fills, and wait.NeverStop;
//   - context.Background(), context.TODO() and context.WithoutCancel, also through WithValue and loggers, and through
//     WithCancel whose cancel function is dropped, only deferred, or given to others when the wait is over;
//   - wait.PollInfinite and wait.PollImmediateInfinite, which take none.
//
// Also reported is a loop that asks HasSynced again and again and looks at nothing else, and a goroutine that waits
// for the group (sync.WaitGroup, errgroup, wait.Group) to which it belongs, as the error handler of a watch does that
// waits for the goroutine of its own informer.
//
// They are followed through variables, closures, fields and package variables whose stores are all in sight, results of
// functions, function values and interfaces. The wait may stand in a function that is handed the channel or context, in
// this package or another one of the same program: the report is where the endless one is handed over. Where the
// function that hands over context.Background() takes a context itself, the fix passes that one.
//
// # abandoned
//
// A function starts a goroutine that sends on a channel without room, which only the function receives from; and the function may
// return before that, out of a select, when the context of the call ends or a time has passed. The goroutine waits for ever, with
// all that it holds. Also a send in a loop, by itself, to the channel from which a type of the package lets others read (the Read of an
// io.ReadCloser, the ResultChan of a watch.Interface): who has called Close or Stop reads no more, and that ends nothing for the sender.
//
// # ignoredresult
//
// The bool or map that says whether the caches did sync is thrown away, or the bool is only logged, and the function
// goes on as if they had: it reads a lister or store, itself or further down, reports success, or, after a deadline,
// starts workers. In a function that returns an error the fix checks the result. By default only where the wait has a deadline: where a stop
// channel or a context ends it, the process ends mostly, and so does what comes next. -unboundedsync.stopped reports these, too.
//
// # neverstarted
//
// A lister is read or kept, or an informer is waited for, whose factory does not run then:
//
//   - nothing starts the factory;
//   - it is asked for after the factory's Start, which starts only what was asked for by then, and there is no second one;
//   - the factory is started only after the wait, or the manager, cluster or cache whose cache is waited for is.
//
// # sourcestart
//
// The Start method of a source of events (it takes a work queue, and its type has a WaitForSync) waits for a cache. The
// controller calls it with the context of its whole life; the timeout for the caches is on that of WaitForSync.
//
// # lifetime
//
// Only with -unboundedsync.lifetime. A function that takes neither a context nor a stop channel waits until the stop
// channel or context in a field of its receiver fires, as long as the object lives. Whether that is too long depends on
// who calls it: for a request it is, at start it may be what is wanted, so what only main or an init function calls is
// left alone. It finds the Get of controller-runtime's first informer map, which hung for every reader when a kind could
// not be listed; on the modules and trees that ctrllint is measured on it says little, and nothing that was right. That
// is why it is not on by default.
//
// Functions that are declared with -lockheld.blocks count, too, where they take a channel or a context.
//
// # Over packages
//
// That a function waits for caches, or polls, until one of its parameters ends is known to the packages that import its own, and so
// of dependencies that take part (-deps): a caller that passes what never ends is reported. Whether informers are started is
// looked at within one package.
//
// # Why it hurts
//
// The stop channel handed to WaitForCacheSync was made on the spot, and nobody ever closed it. With the API server of
// one cluster gone, the request that first asked for that cluster never came back, and it held a lock. Of ignored
// results the worst that is known removed the labels of all nodes: the list of what they should be was read from an
// empty cache.
//
// # Bad
//
//	stop := make(chan struct{})
//	factory.Start(stop)
//	factory.WaitForCacheSync(stop)
//	pods := factory.Core().V1().Pods().Lister() // asked for after Start: stays empty
//
// # Good
//
//	pods := factory.Core().V1().Pods().Lister()
//	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
//	defer cancel()
//	factory.Start(stop)
//	for kind, ok := range factory.WaitForCacheSync(ctx.Done()) {
//		if !ok {
//			return fmt.Errorf("the cache of %v did not sync in time", kind)
//		}
//	}
//
// # Not reported
//
//   - Goroutines that are left behind when the context of a Start, Run, Serve, Listen or Watch ends: the process does, too. Channels
//     that others get hold of, and receivers that are goroutines themselves.
//   - Polls whose condition gives true or an error on all ways: they make one round.
//   - Sends to those who read, where Close or Stop takes what is left, or a test of a field comes before.
//   - Results that only the end of a stop channel, of a context without a deadline, or of an API server's hook context can make false.
//   - Waits of a goroutine that is started once and for which nobody waits: a poll, or the last thing that it does. It goes on until the process
//     ends, and keeps nobody.
//   - Waits that are over when they begin: for a factory that the function has made, and asked for no informer yet; and for caches
//     that a function which leads here has waited for, known by the fields with their HasSynced. What has synced stays so.
//   - Waits handed to a go statement with a channel that the function itself closes later.
//   - Channels and contexts that arrive as parameters, or in fields that other packages can set: the owner decides. A
//     caller that hands over an endless one is reported.
//   - Contexts of ctrl.SetupSignalHandler and signal.NotifyContext: the process ends them.
//   - Contexts that a function of another package derived from an endless one: it may have added a deadline.
//   - A context that lives as long as the process and is handed down to a reconciler: that it has no deadline is seen, but
//     not that it should have one.
//   - A choice between several channels one of which can fire.
//   - Polls whose condition never holds (a loop written as a poll), or that go on after conflicts alone (a retry).
//   - A loop on HasSynced in a goroutine that then tells others: they wait for that with a bound of their own.
//   - Ignored results where the code then looks at the same context or channel, asks HasSynced, or starts its workers by
//     wait.Until with it: those do not run once it has ended.
//   - Informers of a factory that is handed to other code, or that are run by themselves, or handed on.
//   - A wait that leaves out one of the informers that are read later: another place may have waited for that one.
//   - Files that import a fake clientset, whose caches always sync, and, unless -tests is set, code that works for tests
//     alone: there the test runner ends it.
//
// # How to suppress
//
// Say //lint:ignore ctrllint/unboundedsync reason, or //nolint:unboundedsync // reason, on the line, above it, or
// above the function; -unboundedsync=false is for the whole rule.
package unboundedsync
