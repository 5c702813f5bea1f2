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
// # What it reports
//
// # blocking
//
// An operation that can wait without bound is reached with a lock held, directly or through any chain of calls, in this
// package or another one of the same program:
//
//   - a wait for informer caches (cache.WaitForCacheSync, WaitForCacheSync of an informer factory or a cache,
//     WaitForSync of a source): one API server that does not answer holds the lock for ever;
//   - the run of an informer, a manager, a controller or a leader election; wait.Until and its relatives;
//   - wait.Poll… without a timeout, a loop that sleeps until something has happened, an item of a work queue, a child
//     process without a context; a semaphore, where who has a share of it needs the same lock before it gives that back, or
//     where it is not in sight who has them;
//   - a send to or a receive from a channel, a range over one, a select without default, timer or context,
//     WaitGroup.Wait, errgroup.Group.Wait and Cond.Wait (while another lock is held), where every goroutine that could
//     end it needs the same lock before it gets there, where the package has no such goroutine, where all receivers can
//     leave for another reason, where the function that made the channel can return without starting the goroutine that
//     closes it, or where the receiver of what is sent is started with the same lock held, by a goroutine which nothing
//     orders before the sender;
//   - a wait for what others have under way: Shutdown of an informer factory, of an HTTP server without a deadline,
//     ShutDownWithDrain of a work queue, the result of singleflight's DoChan, where a handler that is registered there, a
//     worker between Get and Done, or the function that is shared needs the same lock.
//
// And an HTTP request that nothing ends when the server does not answer, where another function takes the lock: of the default
// client, or of one that is made in sight without Timeout, with no context, or with one that never ends. Requests to an API server
// are none: client-go gives up a connection on which nobody answers its pings.
//
// Functions that block in ways that no analysis of Go code sees, because they wait for C or for another machine, can be
// declared: -lockheld.blocks=path/to/pkg.Func,(path/to/pkg.Type).Method, where Type is the one that declares the method.
// They wait without bound, unless they are given a context with a deadline.
//
// One wait is reported once for one lock, in the first function that holds it: the others show when that one is mended.
//
// # blocking-bounded
//
// Off by default; -lockheld.bounded turns it on. A wait under a lock that ends by itself: time.Sleep, a select with a
// timer, a wait with a deadline. Everybody who wants the lock waits as long.
//
// # blocking-io
//
// Off by default; -lockheld.io turns it on. A round trip to an API server or another server under a lock. A read through
// a cached client of controller-runtime starts an informer for a new kind and waits for its first list. Both are off
// because many locks exist for just that: one goroutine asks, the others wait for its answer.
//
// # blocking-foreign
//
// Off by default; -lockheld.foreign turns it on. Under a lock, the function calls what others have registered with the
// object that has the lock, or sends to a channel that others made and receive from: how long that takes, and whether it
// comes back for the lock, is up to them. Only what takes a context or gives an error counts, once a function. It is off
// because many registries are meant so.
//
// # relock
//
// A lock is taken again on a path on which it is held: Lock after Lock, Lock after RLock, RLock after Lock are certain
// deadlocks; RLock after RLock is one as soon as a writer waits in between, and is reported where the package has a
// writer of that lock. The second acquisition may lie in the next turn of a loop, in a callback that was stored
// elsewhere, or in a String method that fmt calls. A sync.Once whose function comes back to its Do waits for itself.
//
// # order
//
// One function takes lock B while it holds A, another one takes A while it holds B, over any number of calls and
// packages and up to four locks: two goroutines that do so at once wait for each other. Every place that takes the two
// in that order is named. Locks are told apart by type and field here, not by object.
//
// # leak
//
// A way out of a function leaves a lock held that another way out releases, or that nobody in the package releases: a return, or
// a panic under the lock that a deferred call of the same function recovers from. A function
// that always returns with a lock is asked for by its callers: where some release it and one does not, that one is named. A
// name such as acquire or tryLock is believed only where no caller is in sight.
//
// # Confidence
//
// In JSON, confidence is "certain" where every step to the deadlock is in sight: the same lock taken again, a
// lock left behind, a wait whose only end needs the lock ("cannot end: (*Store).Reset at store.go:31 needs the same lock
// before it gets there"). The places where the other side needs the lock, and where it would end the wait, are among the related
// ones, to be checked. A function that is called must come to it whenever it does not fail: what it does only where a test of an
// object's state says so is "possible", since its caller may know better. So is what depends on what is not in sight: an API
// server, a writer in between, a buffer that has to be full first, a call that may run one of several functions, two locks of
// one type that may belong to different objects.
//
// Possible, too, is what lies behind something certain in the same function, or behind a lock that somebody takes for good: nobody gets
// there before that is mended; a wait for a group that nobody is seen to join before; a peer that needs the lock only when it comes
// back in a loop that ends by itself; and a lock of a type of which the package has room for several objects. Who takes the held
// lock once more on the way to a wait never gets there, and nothing is said of that wait.
//
// One call that leads to several such places is one finding, with all of them among its related places.
//
// # Why it hurts
//
// A data source took its RWMutex for writing, started an informer factory for one cluster and waited for its caches
// with the lock held. The API server of that cluster was paused, and every request of the whole service hung.
//
// # Bad
//
//	s.mu.Lock()
//	defer s.mu.Unlock()
//	factory.Start(s.stop)
//	factory.WaitForCacheSync(s.stop) // nobody gets s.mu until that API server answers
//
// # Good
//
//	factory.Start(s.stop)
//	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
//	defer cancel()
//	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
//		return errors.New("caches did not sync in time")
//	}
//	s.mu.Lock()
//	defer s.mu.Unlock()
//	s.clusters[name] = factory
//
// # How it sees locks
//
// Locks are sync.Mutex, sync.RWMutex and sync.Locker and their replacements in github.com/sasha-s/go-deadlock,
// embedded, promoted or behind pointers, the L of a condition variable, and methods that wrap them. A lock is known by
// its access path, so a field that is read twice is one lock, and a lock that a callee takes or drops is followed
// through its parameters. Paths through a function are kept apart by what they hold and by the outcome of tests that
// are made twice: "if locked { Unlock }" belongs to "if locked { Lock }". A deferred unlock holds to the end of the
// function; TryLock holds where it gave true; a function literal that is called in place, or handed to a function that
// calls it at once, inherits the locks; a goroutine starts with none.
//
// Function values in fields, through setters and constructors, and interface methods with at most three implementers in
// the package are followed; a closure that captured the object that keeps it is known to mean that object. Channels and
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
//   - the order of locks goes over packages that do not import each other, and through such calls;
//   - answers to clients are bounded where some package sets the WriteTimeout of a server, or uses http.TimeoutHandler.
//
// Such findings stand where the lock is held, in whichever package that is, and name the places in the others. They are never
// certain: locks are told apart by type, field and the object around them, and types of which some map or list has objects are
// left out. A command that is given single packages looks at the programs of their module as well, so that what is said of a
// package does not depend on what else was named. ctrllint -debug shows what was put together.
//
// Of dependencies that take part (-deps), it is known which functions they call back, which locks they take, and what they wait
// for that is for their users to end: a channel of which these have the other end, a bound that is passed. What a dependency waits
// for of itself is left to it.
//
// # Not reported
//
//   - Waits with a bound: a context with a deadline, a select with a timer, a context or a default case, a poll with a
//     timeout, unless -lockheld.bounded is set.
//   - Round trips to an API server, and to any other server by a client that has a timeout, or of which others know that, such as
//     gRPC calls and queries, whose bounds are interceptors and the name of a data source (a default HTTP client that another
//     package of the program gives a Timeout is not known of: there, what is reported is no bug); reads
//     and writes of a response or a connection: they end with their client's timeout, or with the client's patience
//     (-lockheld.io). Reported by default is what a server's handler writes in a loop, or encodes or copies, where nothing in
//     the program bounds how long it waits for a client.
//   - A lock that a function takes in one mode of its object alone, which it finds out by comparing a field with a constant, where others
//     call it without that lock: the mode may be what tells its callers apart. The same for the order of a lock that is given back and
//     taken again by objects that have some part, and of one that is given back by who never had it.
//   - A component that runs until it is stopped under a lock that no other function takes: that one runs at a time is what the lock is for.
//   - Reads and writes of a connection that is kept in a field: the lock beside it lets in one writer at a time.
//   - A child process, where the function returns early when a test under the lock says that its result is there
//     already: all others are meant to wait for it.
//   - A wait that some goroutine in sight can end without the lock, and a wait for goroutines that cannot be seen: of a
//     channel that goes through a dependency, an empty interface or another channel; wait groups and conditions that packages
//     share.
//   - Sends into a buffer with room: made for the number of senders, sized by what is sent, or guarded by a length, by a
//     flag that only receivers reset, or by an entry of a map that is deleted first; made before anybody else who sends can
//     have come, since all of them need a lock that is held. Receives from a buffer under a test of a flag that senders set,
//     behind a look at its length where all who receive hold one lock, or of what the function itself has put there, where
//     the channel is a semaphore.
//   - What a peer did before it had a part in the wait: what lies before its Add to the wait group or its share of the
//     semaphore, before the channel that it waits for was made and given away, or before it set the flag that the holder has
//     tested.
//   - A lock of an object that the function, or a constructor in sight, has made and given to nobody yet: it keeps nobody
//     waiting, and needs no release. A wait for a group that is filled only behind it.
//   - What stands behind a test that a field is nil which every object has from the start and nothing sets to nil.
//   - A lock in a variable, where the other side locks one in a field of an object, or in another variable.
//   - Panics of what is called under a lock, though somebody further up recovers; a Once in an order of locks, or around a wait.
//   - A wait for the end of a context that has ended on every way there: cancelled, or seen to be done. Any cancel function
//     that is not known to be of another context counts.
//   - A wait on a condition variable whose lock comes from out of sight, or may be the one that is held.
//   - A channel that nothing makes: it is nil, and used under a test of that, or others make it, as tests do.
//   - A function that is registered on one object, where the call is of an object that lies in another field.
//   - An interface method of a type that the package never makes such an interface of.
//   - Locks whose Unlock is used as a value, or whose address is kept in another object: who releases them cannot be seen.
//   - A second acquisition after a call that may have put another object on the lock's path, or when another name was
//     given to the object, as in hand-over-hand locking; of two parameters that are one object at the call.
//   - The lock of one key (an element of a map, a lock that a function gives out) or a local variable's lock around slow
//     work for that key.
//   - Locks of elements at unknown indices; function values and interfaces that may run more than three functions; interfaces
//     that a dependency declares, and code that a dependency which takes no part calls back; a lock that is taken again behind a call that only the
//     program resolves, since two objects of its type may be meant. -lockheld.foreign shows calls of what others have registered.
//   - A chain of delegates: a method that calls the same interface on another object, as an order of locks.
//   - Operations that happen only if a bool parameter has one value, or another one equals a constant such as nil, seen
//     from callers: they choose it.
//   - A lock that is handed on: another function releases such locks and the result of this one, or a flag that it sets, says
//     that it is held, a function literal that outlives the function releases it, what it returns releases it (other
//     packages are not told then that it is held), or an exported function whose name says so returns with
//     it. An unlock that a callee does in one case only is taken to happen.
//   - A cycle in the order of locks that needs a reader of each and has no writer, whose sides have another lock in
//     common, or of locks of one type; an order that is only seen with another lock of the later one's type held, as along a
//     chain of objects; locks of an object that the function itself has just made.
//   - RLock paired with Unlock, which the runtime reports by itself, and select{}, which nobody writes by mistake.
//   - Cond.Wait while another lock is held for writing, where someone signals without that lock.
//
// # How to suppress
//
// Say //lint:ignore ctrllint/lockheld reason, or //nolint:lockheld // reason, on the line, above it, or above the
// function; -lockheld=false is for the whole rule.
package lockheld
