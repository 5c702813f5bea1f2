// Package lockheld defines the rule lockheld.
//
// # Analyzer lockheld
//
// lockheld: waits, relocks, order cycles and leaks of locks
//
// Principle: whoever holds a lock gives it back on every way, takes no lock that it has, takes several in one order, and waits for
// nothing that does not come without that lock, or that nothing bounds.
//
// A controller shares one mutex between its reconcile workers, its event handlers and its HTTP endpoints. Whoever
// blocks while holding it stops all of them, and none of them logs anything: the process is alive, healthy to its
// probe, and does nothing.
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
// Findings of this rule say how sure they are, in JSON as confidence. A finding is "certain" where every step to the deadlock is in
// sight: the same lock taken again, a lock left behind, a wait whose only end needs the lock. What is called on the way must get there
// whenever it does not fail: a step that depends on an object's state makes the finding "possible", since the caller may know better.
//
// A finding is "possible" where it depends on what is not in sight: an API server, a writer in between, a buffer that has to be
// full first, a call that may run one of several functions, two locks of one type that may belong to different objects. A lock of a
// type of which the package has room for several objects is such a case. So is what lies behind something certain in the same
// function, or behind a lock that somebody takes for good: nobody gets there before that is fixed.
//
// One call that leads to several such places is one finding, with all of them among its related places.
//
// # How it sees locks
//
// Locks are `sync.Mutex`, `sync.RWMutex` and `sync.Locker` and their replacements in `github.com/sasha-s/go-deadlock`,
// embedded, promoted or behind pointers, the `L` of a condition variable, and methods that wrap them. A lock is known by
// its access path, so a field that is read twice is one lock. A lock that a callee takes or drops is followed
// through its parameters.
//
// Paths through a function are kept apart by what they hold and by the outcome of tests that
// are made twice: `if locked { Unlock }` belongs to `if locked { Lock }`. A deferred unlock holds to the end of the
// function. `TryLock` holds where it gave true. A function literal that is called in place, or handed to a function that
// calls it at once, inherits the locks; a goroutine starts with none.
//
// Function values in fields, through setters and constructors, and interface methods with at most three implementers in
// the package are followed. A closure that captured the object that keeps it is known to mean that object. Channels and
// wait groups are followed through fields, parameters, results, maps and slices, so the goroutines at their other end
// are known.
//
// # Over packages
//
// What functions do with locks and how they wait is known to the packages that import theirs. What it takes more to see is
// put together where a program is: in the pass of each main package, and, when ctrllint runs as a command, once more for what
// no main package of the run imports. There
//
//   - a call of an interface's method with a lock held, and of a function that is kept in a field or was passed to another
//     package, runs what is converted to that interface, or stored there, somewhere in the program, up to three functions;
//   - a channel that packages share is ended by all who have it by a name: through fields, parameters and results of functions
//     and of interfaces' methods;
//   - the order of locks goes over packages that do not import each other, and through such calls.
//
// Such findings stand where the lock is held, in whichever package that is, and name the places in the others. They are never
// certain: locks are told apart by type, field and the object around them, and types of which some map or list has objects are
// left out. A command that is given single packages looks at the programs of their module as well, so that what is said of a
// package does not depend on what else was named. `ctrllint -debug` shows what was put together.
//
// Of dependencies that take part (`-deps`), it is known which functions they call back, which locks they take, and what they wait
// for that is for their users to end: a channel of which these have the other end, a bound that is passed. What a dependency waits
// for of itself is left to it.
//
// # Not reported by any sub-rule
//
//   - What stands behind a test that a field is nil which every object has from the start and nothing sets to nil.
//   - A function that is registered on one object, where the call is of an object that lies in another field.
//   - An interface method of a type that the package never makes such an interface of.
//   - Locks of elements at unknown indices; function values and interfaces that may run more than three functions; interfaces
//     that a dependency declares, and code that a dependency which takes no part calls back. `-lockheld.slow` shows calls of
//     what others have registered.
//   - Operations that happen only if a bool parameter has one value, or another one equals a constant such as nil, seen
//     from callers: they choose it.
//   - A lock that a function takes in one mode of its object alone, which it finds out by comparing a field with a constant, where
//     others call it without that lock: the mode may be what tells its callers apart.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/lockheld reason`, or `//nolint:lockheld // reason`, on the line, above it, or above the
// function; `-lockheld=false` is for the whole rule.
package lockheld
