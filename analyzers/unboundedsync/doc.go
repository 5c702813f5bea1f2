// Package unboundedsync defines the rule unboundedsync.
//
// # Analyzer unboundedsync
//
// unboundedsync: waits for caches and channels that can block forever
//
// Principle: Bound each wait of a reconciler, a worker, a request or a startup by a timeout, by the context of the
// call, or by another goroutine that does not itself wait for this one.
//
// An informer's first list may never arrive: the API server is down, the kind is not installed, the account may not
// list it. Without a bound, the controller hangs and logs nothing. Likewise, a goroutine leaks that waits on a channel
// for a function that has returned.
//
// # Sub-rules
//
//   - neverstops: a wait for caches, a poll or a channel operation can block forever
//   - abandoned: a goroutine leaks because its only receiver, or the function that closes its channel, has returned
//   - neverstarted: a lister or informer belongs to a factory that is not started
//
// # What counts as a wait
//
// Waits are those of client-go, of its dynamic and metadata informers, of generated informer factories and of the
// caches and sources of controller-runtime, the polls of `k8s.io/apimachinery` and client-go that take no timeout, and
// every function of the program that wraps one of these, in whatever package. Functions that are declared with
// `-lockheld.blocks` count, too, if they take a channel or a context. Sends and receives count on channels whose uses
// are all in the package.
//
// # Over packages
//
// Facts say which functions wait for caches, or poll, until one of their parameters ends, also those of analyzed
// dependencies (`-deps`): a caller that passes a context or channel that never ends is reported. Whether a function
// runs only during startup is decided for each program of the module. Whether informers are started is decided within
// one package.
//
// # Not reported by any sub-rule
//
//   - Files that import a fake clientset, whose caches always sync, and, unless `-tests` is set, code that is only
//     used by tests: the test runner ends it.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/unboundedsync reason` or `//nolint:unboundedsync // reason` on the line, above it, or
// above the function; `-unboundedsync=false` disables the rule.
package unboundedsync
