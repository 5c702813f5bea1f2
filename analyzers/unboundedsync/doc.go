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
// # Sub-rules
//
//   - neverstops: a wait for caches, or a poll, that nothing can end
//   - atstart: a wait for caches, as at a start, that does not hear who asks for its end
//   - abandoned: a goroutine sends its result to somebody who may have left
//   - ignoredresult: nobody looks at whether the caches did sync, or the poll has come to its end
//   - neverstarted: a lister or informer whose factory does not run
//   - outside: a worker waits for a server, a command or another machine without an end
//   - sourcestart: the Start method of an event source waits for a cache
//   - lifetime: a wait that no caller can bound, which ends with the object it belongs to
//
// # What counts as a wait
//
// Waits are those of client-go, of its dynamic and metadata informers, of generated informer factories and of the caches
// and sources of controller-runtime, the polls of `k8s.io/apimachinery` and client-go that take no timeout, and every
// function of the program that wraps one of these, in whatever package. Functions that are declared with `-lockheld.blocks` count,
// too, where they take a channel or a context. For `outside`, requests to servers, commands and connections are waits, too.
//
// # Over packages
//
// That a function waits for caches, or polls, until one of its parameters ends is known to the packages that import its own, and so
// of dependencies that take part (`-deps`): a caller that passes what never ends is reported. To which waits for something
// outside its workers come, a program as a whole says. Whether informers are started is looked at within one package.
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
