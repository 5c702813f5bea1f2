// Package lockheld defines the rule lockheld.
//
// # Analyzer lockheld
//
// lockheld: waits, relocks, order cycles and leaks of locks
//
// Principle: who holds a lock releases it on every path, does not take it again, takes several locks in one order, and waits for nothing
// that cannot come without that lock or that nothing bounds.
//
// A controller shares one mutex between its reconcile workers, its event handlers and its HTTP endpoints. A goroutine that blocks while
// it holds the mutex stops all of them, and none of them logs anything: the process is alive and healthy to its probe, and does nothing.
//
// # Sub-rules
//
//   - blocking: a wait that may never end, with a lock held
//   - slow: a wait with a bound, a round trip to a server or a call of registered code, with a lock held
//   - relock: a lock is taken again by whoever already holds it
//   - order: two functions take the same locks in different orders
//   - leak: a way out of a function that leaves a lock held
//
// # Confidence
//
// A finding is "certain" if every step to the deadlock is in sight: the same lock taken again, a lock left held, a wait whose only end
// needs the lock. It is "possible" if a step depends on what is not in sight: an API server, the state of an object, a writer in between,
// a buffer that has to be full first, a call that may run one of several functions, or two locks of one type that may belong to different
// objects. What lies behind a certain deadlock in the same function is possible, too, since nobody gets there before that is fixed.
//
// A call that leads to several such places is one finding, with all of them as related places.
//
// # How it sees locks
//
// Locks are `sync.Mutex`, `sync.RWMutex`, `sync.Locker`, their replacements in `github.com/sasha-s/go-deadlock`, the `L` of a condition
// variable, and methods that wrap them. A lock is known by its access path, also through the parameters of callees. Paths through a
// function are told apart by the locks held and by tests that are made twice: `if locked { Unlock }` belongs to `if locked { Lock }`. A
// deferred unlock holds to the end of the function, `TryLock` where it returned true. A function literal that is called in place inherits
// the locks; a goroutine starts with none. Function values in fields and interface methods are followed to at most three targets, and
// channels and wait groups through fields, parameters, results, maps and slices to the goroutines at their other end.
//
// # Over packages
//
// Summaries of functions are known to importing packages. Where a program comes together, in its main package, calls of interface methods
// and function values with a lock held are resolved by the types and functions that the program uses there, channels that packages share
// are followed by their names, and the order of locks covers all packages. Findings that need this are never certain; they stand where
// the lock is held. ctrllint as a command does the same for libraries that no main package imports.
//
// Of dependencies that take part (`-deps`), it is known which functions they call back, which locks they take, and which of their waits
// their users have to end.
//
// # Not reported by any sub-rule
//
//   - What stands behind a nil test of a field that every object has from the start and nothing sets to nil.
//   - Calls of a function that was registered on an object in another field, and interface methods of types that are never converted to
//     that interface.
//   - Locks of elements at unknown indices, calls with more than three targets, interfaces that a dependency declares, and callbacks from
//     dependencies that do not take part. `-lockheld.slow` shows calls of what others have registered.
//   - Operations that depend on the value of a parameter, seen from callers that pass another one.
//   - A lock that a function takes only in one mode of its object (a field compared with a constant), where others call the function without
//     that lock: the mode may tell its callers apart.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/lockheld reason`, or `//nolint:lockheld // reason`, on the line, above it, or above the
// function; `-lockheld=false` is for the whole rule.
package lockheld
