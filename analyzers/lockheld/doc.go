// Package lockheld defines the rule lockheld.
//
// # Analyzer lockheld
//
// lockheld: waits under a lock, double locking, lock cycles, lock leaks
//
// Principle: Release a lock on every path, do not acquire it twice, acquire several locks in one order, and do not
// hold a lock across an operation that is unbounded or that needs the same lock to be unblocked.
//
// A controller shares one mutex between its reconcile workers, its event handlers and its HTTP endpoints. A goroutine
// that blocks while it holds the mutex stops all of them, and nothing is logged: the process passes its liveness probe
// and does nothing.
//
// # Sub-rules
//
//   - blocking: a lock is held across an operation that may block forever
//   - slow: a lock is held across a bounded wait or a round trip to a server
//   - relock: a goroutine acquires a lock that it already holds
//   - order: two functions acquire the same locks in different orders
//   - leak: a function returns with a lock held
//
// # Confidence
//
// A finding is "certain" if the code shows every step to the deadlock: the same lock acquired again, a lock left held,
// a wait that can only be ended with the lock. It is "possible" if a step depends on something else: an API server,
// the state of an object, a writer in between, a buffer that has to be full first, a call that may run one of several
// functions, or two locks of one type that may belong to different objects. A finding that is dominated by a certain
// deadlock in the same function is possible, too.
//
// A call that leads to several such places is one finding, with all of them as related places.
//
// # How it sees locks
//
// Locks are `sync.Mutex`, `sync.RWMutex`, `sync.Locker`, their replacements in `github.com/sasha-s/go-deadlock`, the
// `L` of a condition variable, and methods that wrap them. A lock is identified by its access path, also through the
// parameters of callees. Paths through a function are distinguished by the lock set and by tests that are made twice:
// `if locked { Unlock }` belongs to `if locked { Lock }`. With a deferred unlock, the lock is held to the end of the
// function; after `TryLock`, if it returned true. A function literal that is called in place inherits the lock set; a
// goroutine starts with an empty one. Function values in fields and interface methods are followed to at most three
// targets, and channels and wait groups through fields, parameters, results, maps and slices to the goroutines at
// their other end.
//
// # Over packages
//
// Summaries of functions are facts for importing packages. In the link phase, at the main package, calls of interface
// methods and function values with a lock held are resolved by the types and functions that the program uses there,
// channels that packages share are matched by name, and lock order covers all packages. Findings that need this are
// never certain; they are reported where the lock is held. The ctrllint command does the same for libraries that no
// main package imports.
//
// For analyzed dependencies (`-deps`), facts list the functions that they call back, the locks that they acquire, and
// the waits that their users have to end.
//
// # Not reported by any sub-rule
//
//   - Code that a nil test excludes, if every object sets the field at construction and nothing resets it to nil.
//   - Calls of a function that was registered on an object in another field, and interface methods of types that are
//     never converted to that interface.
//   - Locks of elements at unknown indices, calls with more than three targets, interfaces that a dependency declares,
//     and callbacks from dependencies that are not analyzed.
//   - Operations that depend on the value of a parameter, for callers that pass another value.
//   - A lock that a function acquires only in one mode of its object (a field compared with a constant), if some
//     callers do not hold that lock: the mode may distinguish its callers.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/lockheld reason` or `//nolint:lockheld // reason` on the line, above it, or
// above the function; `-lockheld=false` disables the rule.
package lockheld
