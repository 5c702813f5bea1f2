// Package unboundedsync defines the rule unboundedsync.
//
// # Analyzer unboundedsync
//
// unboundedsync: waits for caches that nothing can end
//
// An informer's first list may never arrive: the API server is down, the kind is not installed, the account may not
// list it. A wait for it must have an end, or the start of the controller hangs without a word.
//
// # What it reports
//
// # neverstops
//
// A wait for informer caches, or a poll without a timeout, is given a stop channel or a context that can never fire:
//
//   - a channel made on the spot that no code closes or sends on (handing it to Start(stop <-chan struct{}) is no close);
//   - nil and wait.NeverStop;
//   - context.Background(), context.TODO() and context.WithoutCancel, also through WithValue, and through WithCancel
//     whose cancel function is dropped or only deferred by the function that waits;
//   - wait.PollInfinite and wait.PollImmediateInfinite, which take none.
//
// The wait may stand in a function that is handed the channel or context, in this package or another one of the same
// program: the report is where the endless one is handed over.
//
// Functions that are declared with -lockheld.blocks count, too, where they take a channel or a context.
//
// # Why it hurts
//
// The stop channel handed to WaitForCacheSync was made on the spot, and nobody ever closed it. With the API server of
// one cluster gone, the request that first asked for that cluster never came back, and it held a lock.
//
// # Bad
//
//	stop := make(chan struct{})
//	factory.Start(stop)
//	factory.WaitForCacheSync(stop)
//
// # Good
//
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
//   - Channels and contexts that arrive as parameters or fields: the owner decides. A caller that hands over an endless
//     one is reported.
//   - Contexts of ctrl.SetupSignalHandler and signal.NotifyContext: the process ends them.
//   - Contexts that another function derived from an endless one: it may have added a deadline.
//   - Files that import a fake clientset: its caches always sync.
//   - A choice between several channels one of which can fire.
//
// # How to suppress
//
// Say -unboundedsync=false for the whole rule. With golangci-lint, //nolint:ctrllint // reason on the line.
package unboundedsync
