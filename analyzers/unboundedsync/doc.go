// Package unboundedsync defines the rule unboundedsync.
//
// # Analyzer unboundedsync
//
// unboundedsync: waits for caches that nothing can end
//
// Principle: each wait of a reconciler, a worker, a request or a start-up is ended by a bound, by the context of that very call, or by
// code in sight that does not itself wait for this one.
//
// An informer's first list may never arrive: the API server is down, the kind is not installed, the account may not
// list it. A wait for it must have an end, or the controller hangs without a word. The same goes for goroutines that wait on a channel
// for somebody who has returned.
//
// # Sub-rules
//
//   - neverstops: a wait for caches, a poll or a channel operation that nothing can end
//   - abandoned: a goroutine waits for a function that may have returned
//   - neverstarted: a lister or informer whose factory does not run
//
// # What counts as a wait
//
// Waits are those of client-go, of its dynamic and metadata informers, of generated informer factories and of the caches
// and sources of controller-runtime, the polls of `k8s.io/apimachinery` and client-go that take no timeout, and every
// function of the program that wraps one of these, in whatever package. Functions that are declared with `-lockheld.blocks` count,
// too, where they take a channel or a context. Besides, sends and receives on channels whose uses are all in sight.
//
// # Over packages
//
// Facts tell importing packages which functions wait for caches, or poll, until one of their parameters ends, also those of dependencies
// that take part (`-deps`): a caller that passes what never ends is reported. Whether a function runs only while the process starts is
// decided for each program of the module. Whether informers are started is looked at within one package.
//
// # Not reported by any sub-rule
//
//   - Files that import a fake clientset, whose caches always sync, and, unless `-tests` is set, code that works for tests
//     alone: there the test runner ends it.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/unboundedsync reason`, or `//nolint:unboundedsync // reason`, on the line, above it, or
// above the function; `-unboundedsync=false` is for the whole rule.
package unboundedsync
